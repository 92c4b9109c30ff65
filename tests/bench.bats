# What measures the server still runs: one look at everything, with tiny counts. The figures mean
# nothing here.

load common

@test "the benchmark measures everything it speaks of" {
	run "$ROOT/tests/bench/run" --smoke "$BUILD"
	echo "$output"
	[[ $status == 0 ]]
	# each line of the ratios has a figure, a goal and a word on it
	(($(grep -cE ' +-?[0-9]+\.[0-9]+  (at (least|most)|(more|less) than) +[0-9.]+  (yes|NO)' <<<"$output") == 17))
	[[ $output =~ [1-9][0-9]*\ a\ second ]]
	# a fork: two ways, seven sizes
	(($(grep -cE '^(direct|spawner) +[0-9]+ +[0-9]+( +[0-9.]+){3}$' <<<"$output") == 14))
	run ! grep -E ' 0\.00  (at least|more than)' <<<"$output"
}

@test "a server that is full serves its last table, and tells those for whom there is none" {
	run "$ROOT/tests/bench/fill" -t 8 "$BUILD"
	echo "$output"
	[[ $status == 0 ]]
	[[ $output == *'as the server says: 8'* ]]
	[[ $output == *'two players more: refused-then-served'* ]]
}
