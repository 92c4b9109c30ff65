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

# Of a file that has another name now the linker says nothing: its functions would be far away.
@test "what a duel runs, and what it writes to, lies together" {
	local symbols name
	# this one is linked like the server, in a build with sanitizers too
	symbols=$(objdump -t "$BUILD/escape/holmgang-duels")
	lies_in() { # SECTION SYMBOL...
		for name in "${@:2}"; do
			# what a function keeps for itself has a number behind it with gcc, and its name before it with clang
			grep -qE " $1[[:space:]].* ([a-z_]+\.)?$name(\.[0-9]+)?$" <<<"$symbols" ||
				fail "$name does not lie in $1" "$(grep " $name" <<<"$symbols")"
		done
	}
	lies_in .text.duel serve_all cage_enter_duel birth_read duel_run input_said \
		seats_hear orders_flush journal_write peer_hear stream_look show_frame text_add_list \
		line_split message_read args_read_number frame_print shape_read game_find table_move \
		table_lose dialect_say_event timers_wait title_set trace_exit descriptors_close \
		log_set_tag
	lies_in .data.duel trace_on peer_counts peer_limits peeked at_hand duel
}

# Where it lies in memory, and kB that it has alone.
copied_by() { # PID
	awk '/^[0-9a-f]+-/ { where = $2 ~ /w/ ? ($6 == "" ? "nowhere" : $6) : "" }
		where != "" && $1 == "Private_Dirty:" && $2 > 0 { kb[where] += $2 }
		END { for (where in kb) print where, kb[where] }' "/proc/$1/smaps"
}

@test "a duel that waits has copied no more than four pages" {
	local first copied pages=4 debug=()
	# Without that power only with --debug; then it has a log to write, which takes a page more. A
	# sanitizer has memory of its own everywhere.
	if ! has_power look; then debug=(--debug) pages=5; fi
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
	[[ $copied == *'[stack] '* && $copied == *'/holmgang-duels '* ]]
	(($(awk '{ sum += $2 } END { print sum }' <<<"$copied") <= 4 * pages))
}
