# What measures the server still runs: one look at everything, with tiny counts. The figures mean
# nothing here.

load ../lib/common

# bats test_tags=slow
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

@test "the program of the duels has what a duel needs, and nothing of the lobby, the database or HTTP" {
	local names word
	names=$(nm "$BUILD/escape/holmgang-duels")
	grep -q ' T duel_run$' <<<"$names"
	for word in sqlite3_ MHD_ waiting_ listen_ hear_duel_ ask_ archive_ record_play; do
		run ! grep -E " [Tt] _*$word" <<<"$names"
	done
}

# Where it lies in memory, and kB that it has alone.
copied_by() { # PID
	awk '/^[0-9a-f]+-/ { where = $2 ~ /w/ ? ($6 == "" ? "nowhere" : $6) : "" }
		where != "" && $1 == "Private_Dirty:" && $2 > 0 { kb[where] += $2 }
		END { for (where in kb) print where, kb[where] }' "/proc/$1/smaps"
}

@test "a duel that waits has copied no more than nine pages" {
	local first copied pages=9 debug=()
	# Without that power only with --debug; then it has a log to write, which takes a page more. A
	# sanitizer has memory of its own everywhere.
	if ! has_power look; then debug=(--debug) pages=10; fi
	start_server "${debug[@]}" -b "$(free_port)"
	if grep -qa __asan_init "$BUILD/holmgang-server"; then return; fi
	for player in A B; do
		connect "$player"
		send "$player" PLAY
	done
	expect_later B 'START *'
	find_duel
	first=$DUEL
	# what the spawner writes to for the next one the first has alone from then on
	for player in C D; do
		connect "$player"
		send "$player" PLAY
	done
	expect_later D 'START *'
	wait_until has_duels 2
	# it has written its title when it waits
	wait_until eval "[[ \$(ps -o state= -p $first) == S ]]"
	copied=$(copied_by "$first")
	echo "$copied"
	[[ $copied ]]
	[[ $copied == *'[stack] '* ]]
	(($(awk '{ sum += $2 } END { print sum }' <<<"$copied") <= 4 * pages))
}
