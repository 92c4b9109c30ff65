# Duels that die between two steps: what had been done is not done again, what had not been done is.
#
# The instant is chosen by tests/strike, which traces the duel (hence --debug) and kills it instead
# of letting it make a certain system call; or by stopping the server, so that it lags.

load ../lib/common

setup() {
	common_setup
	trap '' XFSZ # for the one that runs out of room
}

# Two full players, A at seat 0 and B at seat 1: TOKEN_A, TOKEN_B, ID_A, ID_B.
register_two() { # GAME KEY=VALUE...
	connect A
	connect B
	send A "PLAY $1 name=anna${2:+ ${*:2}}"
	expect A 'ID *'
	ID_A=$LINE TOKEN_A=${LINE##* }
	expect A 'NO_OPPONENTS *'
	send B "PLAY $1 name=ben${2:+ ${*:2}}"
	expect B 'ID *'
	ID_B=$LINE TOKEN_B=${LINE##* }
}

seat_two() { # GAME KEY=VALUE...
	register_two "$@"
	expect_met A 'START *'
	expect B 'START *'
}

# The one journal there is has a line that matches.
has_record() { # PATTERN
	grep -Eqs "$1" "$HOLMGANG_STATE"/journals/*
}

is_zombie() { # PID
	[[ $(ps -o stat= -p "$1") == Z* ]]
}

# Sets STRIKE, its pid, and STRIKE_LOG.
strike() { # [--child] [--hold] PID CALL WHAT [COUNT]
	launch "strike-$RANDOM" "$BUILD/tests/strike" "$@"
	STRIKE=$PID STRIKE_LOG=$LOG
	wait_until strike_is_ready_or_gone
	grep -q ready "$STRIKE_LOG" || fail "$(<"$STRIKE_LOG")"
}

strike_is_ready_or_gone() {
	grep -q ready "$STRIKE_LOG" || is_gone "$STRIKE"
}

has_struck() {
	grep -q struck "$STRIKE_LOG"
}

wait_struck() {
	wait_until has_struck
}

# Ends one that holds its process, which so dies.
let_die() {
	kill -TERM "$STRIKE"
	wait_gone "$STRIKE"
}

@test "killed at the end of a table, with somebody who waits for a LIST" {
	needs trace
	start_server --debug
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	expect B 'BOARD *'
	find_duel
	pause "$SERVER_PID"
	send A LIST
	wait_until has_record 'said 0 [0-9]+ LIST'
	strike "$DUEL" write pipe: # that the table is done, which no player has heard
	send B RESIGN
	wait_struck
	kill -CONT "$SERVER_PID"
	expect_later A END
	expect A 'WIN resigned'
	expect A 'ROUND 1 1 1 0'
	expect B 'LOSE resigned'
	expect B 'ROUND 1 1 1 0'
	send A 'MOVE 0 0'
	expect A 'ERROR not-registered *'
	run ! grep -q journal-not-playable "$SERVER_LOG"
}

@test "killed after somebody has left in the middle of a LIST: it is not asked for again" {
	start_server --grace 0
	seat_two memory
	connect C
	send C 'PLAY memory name=cem'
	expect_later C 'START *'
	expect_later A 'STATE 2 join 1'
	local n
	for ((n = 0; n < 15; n++)); do # more than the server tells at once
		connect "W$n"
		send "W$n" "PLAY tictactoe table=t$n wait=100"
		expect "W$n" 'ID *'
	done
	find_duel
	pause "$SERVER_PID"
	send A LIST
	wait_until has_record 'said 0 [0-9]+ LIST'
	hang_up A
	kill -CONT "$SERVER_PID"
	expect_later B 'STATE 0 leave 1'
	expect_later C 'STATE 0 leave 1'
	kill_duel
	send B 'MOVE 0 0'
	expect_later B 'STATE 1 first 0 0 *'
	send B LIST
	expect_later B "* cem memory playing"
	expect_later B END
	expect_later C 'STATE 1 first 0 0 *'
}

@test "killed with a newcomer on his way: he hears of the table, and nothing of having to wait" {
	start_server
	seat_two memory
	find_duel
	pause "$DUEL"
	connect C
	send C 'PLAY memory name=cem'
	expect C 'ID *'
	kill_duel
	expect C 'START 1 SEAT 2 * names=anna,ben,cem'
	expect_later A 'STATE 2 join 1'
}

@test "a newcomer in the moment of its death, and while it is born again: the same" {
	start_server
	local spawner
	spawner=$(spawner_pid)
	connect C
	connect D
	send C LIST
	expect C END
	send D LIST
	expect D END
	seat_two memory
	find_duel
	pause "$SERVER_PID" "$spawner"
	send C 'PLAY memory name=cem' # the server hears of that first
	kill -KILL "$DUEL"
	wait_until is_zombie "$DUEL" # or it could still be told of C
	kill -CONT "$SERVER_PID"
	expect C 'ID *'
	send D 'PLAY memory name=dan'
	expect D 'ID *'
	expect_nothing D
	kill -CONT "$spawner"
	expect C 'START 1 SEAT 2 * names=anna,ben,cem'
	expect D 'START 1 SEAT 3 * names=anna,ben,cem,dan'
	expect_later A 'STATE 3 join 1'
}

@test "killed before its first word, with somebody on his way to another connection" {
	needs trace
	start_server --debug
	strike --child --hold "$(spawner_pid)" write journals/
	register_two hnefatafl side=attacker
	wait_struck
	connect C
	send C "RESUME $TOKEN_B"
	connect D
	send D LIST
	expect_later D END # so the server has heard C
	let_die
	expect_met A 'START 1 ATTACKER 1 *'
	expect A 'BOARD *'
	expect C "$ID_B"
	expect C 'START 0 ATTACKER 0 *'
	expect C 'BOARD *'
	expect B 'START 0 ATTACKER 0 *'
	expect B 'BOARD *'
	expect_eof B
	send A 'MOVE 3 0 3 1'
	expect C 'STATE 0 3 0 3 1 1'
	find_duel
	kill_duel
	expect C 'BOARD *'
	send C 'MOVE 4 3 3 3'
	expect C 'STATE 1 4 3 3 3 0'
}

@test "killed between obeying a line and taking it, the connection reset: it is not obeyed again" {
	needs trace
	start_server --debug
	seat_two quantik side=white clock=off
	find_duel
	strike --hold "$DUEL" recvfrom socket: 2
	send A RESIGN
	wait_struck
	hang_up A # with lines that it has not read: that resets it
	let_die
	expect_later B 'WIN resigned'
	expect B 'ROUND 1 2 0 1'
	expect B 'START ? WHITE 0 duel=* round=2/2 *'
	expect B 'BOARD *'
	expect B 'AWAY 0 30'
	connect C
	send C "RESUME $TOKEN_A"
	expect C "$ID_A"
	expect C 'START ? WHITE 1 duel=* round=2/2 *'
	expect B 'BACK 0'
}

@test "--grace 0, killed, the connection reset, its player on his way to another: he gets there" {
	needs trace
	start_server --debug --grace 0
	seat_two quantik side=white clock=off
	find_duel
	strike --hold "$DUEL" recvfrom socket: 2
	send A RESIGN
	wait_struck
	connect C
	send C "RESUME $TOKEN_A"
	connect D
	send D LIST
	expect_later D END
	hang_up A
	let_die
	expect C "$ID_A"
	expect C 'START ? WHITE 1 duel=* round=2/2 *'
	expect_later B 'START ? WHITE 0 duel=* round=2/2 *'
	expect B 'BOARD *'
	send C RESIGN
	expect B 'WIN resigned'
	expect B 'ROUND 2 2 0 2'
}

@test "killed when it has told all that the server stops: they hear it once" {
	needs trace
	start_server --debug
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	expect B 'BOARD *'
	find_duel
	strike "$DUEL" write pipe:
	kill -TERM "$SERVER_PID"
	wait_struck
	expect A 'ABORTED shutdown'
	expect_eof A
	expect B 'ABORTED shutdown'
	expect_eof B
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
}

@test "no room for a journal: the server knows before a player hears what is not in it" {
	needs trace
	start_server --debug
	local spawner
	spawner=$(spawner_pid)
	prlimit --pid "$spawner" --fsize=0:0
	strike --child "$spawner" write pipe:
	register_two hnefatafl side=attacker
	wait_struck
	expect_met A 'START 1 ATTACKER 1 *'
	expect A 'BOARD *'
	expect B 'START 0 ATTACKER 0 *'
	expect B 'BOARD *'
	send A 'MOVE 3 0 3 1'
	expect A 'STATE 0 3 0 3 1 0'
	expect B 'STATE 0 3 0 3 1 1'
	wait_until grep -q 'warn journal-behind ' "$SERVER_LOG"
	find_duel
	kill -KILL "$DUEL"
	expect_later A 'ABORTED crashed'
	expect_later B 'ABORTED crashed'
}

@test "a journal that cannot be opened any more ends its table" {
	start_server
	seat_two hnefatafl side=attacker
	find_duel
	local journal
	journal=$(echo "$HOLMGANG_STATE"/journals/*)
	rm "$journal"
	mkdir "$journal"
	kill -KILL "$DUEL"
	expect_later A 'ABORTED crashed'
	expect_later B 'ABORTED crashed'
	send A 'PLAY tictactoe'
	expect A 'ID *'
}

@test "the server restarted, then the duel killed: the round that ended meanwhile is told, once" {
	needs trace
	start_server
	local port=$PORT
	seat_two quantik side=white clock=off
	kill -KILL "$SERVER_PID"
	wait_gone "$SERVER_PID"
	start_server_on "$port" --debug
	connect A
	send A "RESUME $TOKEN_A"
	expect_later A 'BOARD *'
	find_duel
	strike "$DUEL" write pipe:
	send A RESIGN
	wait_struck
	expect_later A 'ROUND 1 2 0 1'
	expect_later A 'BOARD *'
	wait_until grep -q 'info round-ended .* round=1 why=resigned winners=2' "$SERVER_LOG"
	find_duel
	kill_duel
	send A RESIGN
	expect_later A 'ROUND 2 2 0 2'
	wait_until grep -q 'info round-ended .* round=2 ' "$SERVER_LOG"
	[[ $(grep -c 'info round-ended ' "$SERVER_LOG") == 2 ]]
}

count_frames() { # PATTERN
	grep -c "$1" frames || true
}

has_frames() { # COUNT PATTERN
	(($(count_frames "$2") >= $1))
}

@test "killed before it gives its last frame back: that is sent three times all the same" {
	needs trace
	local udp
	udp=$(free_port 1)
	launch frames "$BUILD/tests/record_frames" "$udp" frames
	wait_until grep -q ready "$LOG"
	start_server --debug -b "$udp"
	seat_two hnefatafl side=attacker
	find_duel
	wait_until has_frames 1 'n=0'
	strike "$DUEL" write pipe:
	send A RESIGN
	wait_struck
	expect_later A 'ROUND 1 1 0 1'
	expect_later B 'ROUND 1 1 0 1'
	# one of the dead, one of its heir, two of the server; with these the port is free again
	wait_until has_frames 4 'n=1'
	wait_until has_duels 0
	seat_two hnefatafl side=attacker
	wait_until has_frames 2 'n=0'
}

@test "RESUME at the moment of its death: taken to the one that follows, not turned away" {
	start_server
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	find_duel
	connect C
	send C LIST
	expect_later C END
	pause "$SERVER_PID"
	send C "RESUME $TOKEN_B"
	kill -KILL "$DUEL"
	kill -CONT "$SERVER_PID"
	expect C "$ID_B"
	expect C 'START 0 ATTACKER 0 *'
}
