# A lost connection: AWAY, RESUME, BACK.

load ../lib/common

# A (anna, X) and B (ben) at a table; TOKEN_A, TOKEN_B; FIRST is to move, SECOND is not.
seat_two() { # KEY=VALUE...
	connect A
	connect B
	send A "PLAY tictactoe name=anna side=cross${*:+ $*}"
	expect A 'ID *'
	ID_A=$LINE TOKEN_A=${LINE##* }
	expect A 'NO_OPPONENTS *'
	send B "PLAY tictactoe name=ben${*:+ $*}"
	expect B 'ID *'
	TOKEN_B=${LINE##* }
	expect_met A 'START *'
	FIRST=B SECOND=A
	if [[ $LINE == 'START 1'* ]]; then FIRST=A SECOND=B; fi
	expect B 'START *'
	expect A 'BOARD .........'
	expect B 'BOARD .........'
}

@test "AWAY, RESUME from another connection, BACK; the duel goes on" {
	start_server
	seat_two
	hang_up A
	expect B 'AWAY 0 30'
	connect C
	send C "RESUME $TOKEN_A"
	expect C "$ID_A"
	expect C "START $([[ $FIRST == A ]] && echo 1 || echo 0) CROSS 1 duel=* seat=0 seats=2 round=1/1 names=anna,ben"
	expect C 'BOARD .........'
	expect B 'BACK 0'
	if [[ $FIRST == A ]]; then
		send C 'MOVE 1 1'
		expect B 'STATE 0 1 1 1'
	else
		send B 'MOVE 1 1'
		expect C 'STATE 1 1 1 1'
	fi
	# the seat can be lost and taken again
	hang_up C
	expect_later B 'AWAY 0 30'
	connect A
	send A "RESUME $TOKEN_A"
	expect A "$ID_A"
	expect A "START [01] CROSS 1 *"
	expect A 'BOARD ....?....'
	expect B 'BACK 0'
}

@test "RESUME takes over from a living connection, which is closed: no AWAY, no BACK" {
	start_server
	seat_two
	connect C
	send C "RESUME $TOKEN_A"
	expect C "$ID_A"
	expect C 'START *'
	expect C 'BOARD .........'
	expect_eof A
	expect_nothing B 0.2
	send C RESIGN
	expect C 'LOSE resigned'
	expect B 'WIN resigned'
}

@test "not back in time: it has left; the other wins and the table is done" {
	start_server --grace 1
	seat_two rounds=3
	hang_up B
	expect A 'AWAY 1 1'
	expect A 'WIN left'
	expect A 'ROUND 1 3 1 0'
	connect C
	send C "RESUME $TOKEN_B"
	expect C 'ERROR bad-token *'
	wait_until nobody_is_listed
}

# A player hears that his table is done a moment before the server does.
nobody_is_listed() {
	send C LIST
	expect C '*'
	[[ $LINE == END ]] || { expect_later C END && false; }
}

@test "the clock of a seat that is away runs on" {
	start_server
	seat_two clock=3 # time enough to hang up
	hang_up "$FIRST"
	expect "$SECOND" 'AWAY ? 30'
	expect "$SECOND" 'WIN timeout'
	expect "$SECOND" 'ROUND 1 1 *'
}

@test "all away: each may come back within its grace; if nobody does, the frame says aborted" {
	local port
	port=$(free_port)
	start_server --grace 4 -b "$port"
	start viewer viewer "$port"
	seat_two
	hang_up A
	expect B 'AWAY 0 4'
	hang_up B
	connect C
	send C "RESUME $TOKEN_B"
	expect C 'ID *'
	expect C 'START *'
	expect C 'BOARD *'
	hang_up C
	wait_until grep -q aborted "$LOG"
}

@test "the one who is back when the other has left for good has won" {
	start_server --grace 4
	seat_two
	hang_up A
	expect B 'AWAY 0 4'
	# B goes later, so that A's grace ends first, and early enough to go while it runs
	expect_nothing B 2
	hang_up B
	connect C
	wait_until seat_a_has_left
	send C "RESUME $TOKEN_B"
	expect C 'ID *'
	expect C 'START *'
	expect C 'BOARD *'
	expect C 'WIN left'
	expect C 'ROUND 1 1 0 1'
}

# LIST has one other player, no longer two.
seat_a_has_left() {
	local count=0
	send C LIST
	while read_line C "$DEADLINE" && [[ $LINE != END ]]; do
		count=$((count + 1))
	done
	((count == 1))
}

@test "a waiting player RESUMEs: ID and NO_OPPONENTS n on the new connection" {
	start_server
	connect A
	send A 'PLAY tictactoe name=anna wait=20'
	expect A 'ID *'
	local id=$LINE
	expect A 'NO_OPPONENTS 20'
	connect C
	send C "RESUME ${id##* }"
	expect C "$id"
	expect C 'NO_OPPONENTS *'
	expect_eof A
	connect B
	send B 'PLAY tictactoe'
	expect_later C 'START *'
}

@test "a token is good for its seat only: wrong, malformed, another player's, after the end" {
	start_server
	seat_two
	connect C
	local bad
	for bad in 0 "${TOKEN_A}0" "${TOKEN_A^^}" "${TOKEN_A:0:31}" ffffffffffffffffffffffffffffffff; do
		[[ $bad != "$TOKEN_A" ]] || continue
		send C "RESUME $bad"
		expect C 'ERROR bad-token *'
	done
	send C RESUME
	expect C 'ERROR bad-argument *'
	send B "RESUME $TOKEN_A"
	expect B 'ERROR already-playing *'
	send A LOGOUT
	expect A 'ABORTED logout'
	send C "RESUME $TOKEN_A"
	expect C 'ERROR bad-token *'
	expect_later B 'ROUND *'
	send C "RESUME $TOKEN_B"
	expect C 'ERROR bad-token *'
}

@test "--grace 0: nobody is waited for" {
	start_server --grace 0
	seat_two
	hang_up A
	expect B 'WIN left'
}

@test "RESUME: who is on his way back when the server stops hears so" {
	local token
	start_server
	connect A
	send A 'PLAY tictactoe name=anna'
	expect A 'ID *'
	token=${LINE##* }
	connect B
	send B 'PLAY tictactoe name=ben'
	expect_later A 'BOARD *'
	hang_up A
	expect_later B 'AWAY *'
	find_duel
	pause "$DUEL"
	connect C
	send C "RESUME $token"
	connect L
	send L LIST
	expect_later L END # so it has been heard
	kill -TERM "$SERVER_PID"
	expect_eof L
	# those who are in the lobby hear it first; or the duel might take C before it is told to stop
	server_comes_round
	kill -CONT "$DUEL"
	expect_later B 'ABORTED shutdown'
	expect C 'ABORTED shutdown'
	expect_eof C
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
}

# RESUMEs of one seat as fast as they go, until so many have been tried or somebody says that it is over.
flood_resume() { # TOKEN COUNT
	python3 - "$PORT" "$@" <<-'END'
		import socket, sys
		port, token, count = int(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3])
		taken = 0
		for n in range(count):
		    one = socket.create_connection(("127.0.0.1", port))
		    one.sendall(b"RESUME " + token + b"\n")
		    said = one.recv(4096)
		    if b"bad-token" in said:
		        sys.exit(f"after {n}: {said}")
		    taken += said.startswith(b"ID ")
		    one.close()
		print(taken)
	END
}

# bats test_tags=slow
@test "who takes his seat again and again, as fast as he can, does not end the table" {
	start_server
	seat_two
	flood_resume "$TOKEN_B" 6000 >taken
	(($(<taken) > 0 && $(<taken) < 5000)) || fail "$(<taken)"
	find_duel
	send A RESIGN
	expect_later A 'LOSE resigned'
	run ! grep -q duel-killed "$SERVER_LOG"
}
