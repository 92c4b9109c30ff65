# What a journal takes of what players say: little of what is refused, and not without end.

load ../lib/common

# A and B at a board of Hnefatafl, who may be answered as often as they like.
seat_two() {
	connect A
	connect B
	send A 'PLAY hnefatafl side=attacker clock=off'
	expect A 'ID *'
	send B 'PLAY hnefatafl clock=off'
	expect_later A 'BOARD *'
	expect_later B 'BOARD *'
}

journal_size() {
	stat -c %s "$HOLMGANG_STATE/journals/0"
}

# So often this line, and its answers, some at a time; prints how many milliseconds it took.
chatter() { # NAME COUNT FORMAT
	local begin lines n
	begin=$(now)
	printf -v lines "$3\\n%.0s" {1..10}
	for ((n = 0; n < $2; n++)); do
		((n % 10)) || send_raw "$1" '%s' "$lines"
		expect "$1" 'ERROR *' || return
	done
	echo $((($(now) - begin) / 1000))
}

@test "what is refused takes as little of the journal as its answer" {
	local before rubbish
	start_server
	seat_two
	before=$(journal_size)
	printf -v rubbish '%01000d' 0
	chatter A 150 "${rubbish//0/$'\1'}" # bytes that no word has
	chatter B 30 "MOVE ${rubbish//0/$'\2'}"
	chatter B 30 "MOVE $rubbish"
	(($(journal_size) - before < 210 * 40)) || fail "$(($(journal_size) - before)) bytes"
	# a duel that takes its place has told them the same
	find_duel
	kill_duel
	send A 'MOVE 3 0 3 1'
	expect A 'STATE 0 3 0 3 1 0'
	expect B 'STATE 0 3 0 3 1 1'
}

# A table whose chapter has so many lines more, that one of its players has said; its server is started again.
# Sets TOKEN, the other one's.
seat_two_at_length() { # LINES
	connect A
	connect B
	send A 'PLAY hnefatafl side=attacker clock=off'
	expect A 'ID *'
	TOKEN=${LINE##* }
	send B 'PLAY hnefatafl clock=off'
	expect_later A 'BOARD *'
	kill -KILL "$SERVER_PID"
	wait_until has_no_family "$SERVER_PID"
	awk -v lines="$1" 'BEGIN {
		word = sprintf("%0240d", 0)
		for (n = 0; n < lines; n++) print 9000 + n * 5, "said 1", 9000 + n * 256, "MOVE", word, 1
	}' >>"$HOLMGANG_STATE/journals/0"
	start_server_on "$PORT"
}

@test "beyond 4 MiB of journal a player is heard no faster than people type" {
	start_server --answers 100000/100000
	seat_two_at_length 17000
	(($(journal_size) > 4 << 20))
	connect A
	send A "RESUME $TOKEN"
	expect_later A 'BOARD *'
	(($(chatter A 10 FOO) >= 2000))
	send A 'MOVE 3 0 3 1'
	expect A 'STATE 0 3 0 3 1 0'
}

@test "beyond 16 MiB its table ends, and the game is kept" {
	start_server --answers 100000/100000
	seat_two_at_length 65000
	(($(journal_size) > 16 << 20))
	wait_until has_kept 1 --result 'aborted overlong'
	wait_until has_duels 0
}
