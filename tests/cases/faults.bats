# Short runs of the two programs that break things while every byte is checked, and that they see
# what they are there to see. The long runs: make faults.
# bats file_tags=slow

load ../lib/common

# A server of ours, with a little change. Sets SERVER.
server_with() { # COMMAND
	SERVER=$BATS_TEST_TMPDIR/server
	printf '#!/bin/bash\n%s\n' "$1" >"$SERVER"
	chmod +x "$SERVER"
}

# They put the state folders of their servers there.
# A sanitizer keeps what is freed, for a while: of that less, or the server's memory would seem to grow.
break_things() { # PROGRAM ARGUMENT...
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1:thread_local_quarantine_size_kb=64 TMPDIR=$BATS_TEST_TMPDIR run "$BUILD/holmgang-$1" "${@:2}"
}

@test "duels, spawners and connections die for some seconds, and so does the server: nothing is lost" {
	break_things faults --seconds 6 --tables 10
	[[ $status == 0 && $output == *$'\nok' ]] || fail "$output"
	[[ $output =~ 'killed: '[1-9][0-9]*' duels' && $output =~ [1-9]' servers;' ]] || fail "$output"
	[[ $output =~ 'cut: '[1-9] ]] || fail "$output"
}

@test "rude clients say all they can, and nobody else hears a wrong byte or waits long; nothing is left of them" {
	break_things faults --part 3 --seconds 3 --tables 10
	[[ $status == 0 && $output == *$'\nok' ]] || fail "$output"
	[[ $output =~ 'rude: '[1-9][0-9]{3,}' lines on '[1-9][0-9]{2,}' connections; nobody else waited' ]] || fail "$output"
}

@test "that somebody waits long is seen" {
	# it stands still as soon as somebody plays
	server_with "(until [[ -e \$7/journals/0 ]]; do :; done; kill -STOP \$\$) 3>&- & exec $BUILD/holmgang-server \"\$@\""
	break_things faults --part 3 --seconds 5 --tables 10 --server "$SERVER"
	[[ $status == 1 && $output == *'FAILED: '*' has waited for '*' ms'* ]] || fail "$output"
}

@test "a duel killed before and after the calls of a move, of each kind: nobody hears of it" {
	local server=()
	needs trace
	if ! has_power look; then # a duel hides from whoever would trace it, but with --debug
		server_with "exec $BUILD/holmgang-server \"\$@\" --debug"
		server=(--server "$SERVER")
	fi
	break_things step-kill --short "${server[@]}"
	[[ $status == 0 && $output == *$'\nok' ]] || fail "$output"
}

@test "one wrong byte is seen" {
	server_with "exec $BUILD/holmgang-server \"\$@\" --grace 29"
	break_things faults --part 1 --seconds 6 --tables 10 --server "$SERVER"
	[[ $status == 1 && $output == *'FAILED: '*'29"'* ]] || fail "$output"
}

@test "a table that is lost is seen" {
	needs trace
	# no folder for journals from before the first table on, so a duel that is killed is at an end
	server_with "(until [[ -S \$7/control ]]; do :; done; rmdir \"\$7/journals\") & exec $BUILD/holmgang-server \"\$@\" --debug"
	break_things step-kill --only classic-move --server "$SERVER"
	[[ $status == 1 && $output == *ABORTED* ]] || fail "$output"
}

@test "a soak prints what the server takes, and wants two minutes at least" {
	break_things faults --soak --seconds 1 --tables 2
	[[ $status == 1 && $output == *'takes two of them'* ]] || fail "$output"
}

@test "--help, --list, and what is not known" {
	local program
	for program in faults step-kill; do
		break_things "$program" --help
		[[ $status == 0 && $output == Usage:* ]] || fail "$output"
		break_things "$program" --nonsense
		[[ $status == 2 ]] || fail "$output"
		break_things "$program" nonsense
		[[ $status == 2 && $output == *'"nonsense" is not known'* ]] || fail "$output"
	done
	break_things step-kill --list
	[[ $status == 0 && $output == *classic-move* ]] || fail "$output"
	break_things step-kill --only nonsense
	[[ $status == 1 && $output == *'--list says'* ]] || fail "$output"
}
