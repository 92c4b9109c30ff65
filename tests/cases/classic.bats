# The classic dialect, byte for byte, as raw sockets hear it.

load ../lib/common
load ../lib/games

UUID='????????-????-4???-[89ab]???-????????????'

# Two classic players at a table: FIRST moves first, SECOND second; CROSS is who is X.
seat_two() {
	connect A
	connect B
	send A PLAY
	expect A "ID $UUID"
	expect A 'NO_OPPONENTS 10'
	send B PLAY
	expect B "ID $UUID"
	expect_met A 'START [01] CROSS [01]'
	local a=$LINE
	expect B 'START [01] CROSS [01]'
	# one of them begins and one of them is X, and not by chance the same twice
	[[ ${a:6:1} != "${LINE:6:1}" && ${a: -1} != "${LINE: -1}" ]]
	FIRST=A SECOND=B
	if [[ $a == 'START 0'* ]]; then FIRST=B SECOND=A; fi
}

# X Y for FIRST and SECOND in turn; what the opponent hears is checked.
play() {
	local mover=$FIRST other=$SECOND swap
	while (($# > 0)); do
		send "$mover" "MOVE $1 $2"
		expect "$other" "STATE $1 $2 1"
		shift 2
		swap=$mover mover=$other other=$swap
	done
}

@test "a duel from PLAY to WIN, and again on the same connections" {
	start_server
	for _ in 1 2; do
		seat_two
		play 0 0 0 1 1 0 1 1
		send "$FIRST" 'MOVE 2 0'
		expect "$FIRST" 'WIN 012'
		expect "$SECOND" 'LOSE 012 2 0'
		expect_nothing "$FIRST" 0.1
		expect_nothing "$SECOND" 0.1
	done
}

@test "each of the eight rows wins with its own sequence" {
	local row rest
	start_server
	while read -r row rest; do
		seat_two
		# shellcheck disable=SC2086 # words
		set -- $rest
		play "${@:1:8}"
		send "$FIRST" "MOVE $9 ${10}"
		expect "$FIRST" "WIN $row"
		expect "$SECOND" "LOSE $row $9 ${10}"
	done <<-END
		012 0 0 0 1 1 0 1 1 2 0
		345 0 1 0 0 1 1 1 0 2 1
		678 0 2 0 1 1 2 1 1 2 2
		036 0 0 1 0 0 1 1 1 0 2
		147 1 0 0 0 1 1 0 1 1 2
		258 2 0 0 0 2 1 0 1 2 2
		048 0 0 1 0 1 1 2 0 2 2
		246 2 0 0 0 1 1 0 1 0 2
	END
}

@test "two rows by one move: the smaller sequence" {
	start_server
	seat_two
	# X takes 0 1 3 6 and at last 2 ... with 0 1 2 and 2 4 6 complete by the same move
	play 0 0 0 1 1 0 2 1 1 1 1 2 0 2 2 2
	send "$FIRST" 'MOVE 2 0'
	expect "$FIRST" 'WIN 012'
	expect "$SECOND" 'LOSE 012 2 0'
}

@test "a draw is UNRESOLVED with the last move, to both" {
	start_server
	seat_two
	play 0 0 1 0 2 0 1 1 0 1 2 1 1 2 0 2
	send "$FIRST" 'MOVE 2 2'
	expect "$FIRST" 'UNRESOLVED 2 2'
	expect "$SECOND" 'UNRESOLVED 2 2'
}

@test "nobody comes: the countdown to 0, then bare; PLAY again gives a new id" {
	local id n begin
	start_server --match-timeout 2
	connect A
	begin=$(now)
	send A PLAY
	expect A "ID $UUID"
	id=$LINE
	for n in 2 1 0; do
		expect A "NO_OPPONENTS $n"
	done
	expect A NO_OPPONENTS
	(($(now) - begin > 1900000)) || fail 'the seconds were too short'
	expect_nothing A 1.2
	send A LOGOUT
	expect A ABORTED
	send A PLAY
	expect A "ID $UUID"
	[[ $LINE != "$id" ]]
}

# bats test_tags=slow
@test "who moves first and who is X are two fair draws" {
	local n begins=0 cross=0 both=0
	start_server
	connect A
	connect B
	for ((n = 0; n < 64; n++)); do
		send A PLAY
		expect A "ID $UUID"
		expect A 'NO_OPPONENTS 10'
		send B PLAY
		expect_met A 'START *'
		[[ $LINE != 'START 1'* ]] || begins=$((begins + 1))
		[[ $LINE != *'CROSS 1' ]] || cross=$((cross + 1))
		[[ $LINE != 'START 1 CROSS 1' ]] || both=$((both + 1))
		send A LOGOUT
		expect A ABORTED
		expect_later B ABORTED
	done
	echo "of 64: begins $begins, X $cross, both $both"
	# a fair coin is outside of this once in 100,000 runs
	((begins > 14 && begins < 50 && cross > 14 && cross < 50 && both > 2 && both < 34))
}

@test "bad input is answered with ERROR and changes nothing" {
	start_server
	connect A
	local line
	for line in '' hello play 'PLAY ' 'PLAYX' ' LIST' 'PLAY chess' 'LIST all' 'GAMES now' 'RESUME' 'ID'; do
		send A "$line"
		expect A 'ERROR *'
	done
	send A 'MOVE 0 0'
	expect A 'ERROR not-registered *'
	send A 'RESIGN'
	expect A 'ERROR not-registered *'
	send A 'RESUME 0123456789abcdef0123456789abcdef'
	expect A 'ERROR bad-token *'
	send A "$(printf 'MOVE %0600d' 0)"
	expect A 'ERROR not-registered *'
	seat_two
	send "$SECOND" 'MOVE 0 0'
	expect "$SECOND" 'ERROR not-your-turn *'
	send "$SECOND" 'MOVE banana'
	expect "$SECOND" 'ERROR not-your-turn *'
	send "$SECOND" 'MOVE  0 0'
	expect "$SECOND" 'ERROR not-your-turn *'
	for line in 'MOVE' 'MOVE 0' 'MOVE 0 0 0' 'MOVE a b' 'MOVE 0  0' 'MOVE 0 0 ' 'MOVE 1.0 0' 'MOVE +1 0' 'MOVE - 0'; do
		send "$FIRST" "$line"
		expect "$FIRST" 'ERROR bad-argument *'
	done
	for line in 'MOVE 3 0' 'MOVE 0 3' 'MOVE -1 0' 'MOVE 99999999999999999999 0' 'MOVE 256 0' 'MOVE 0 -256'; do
		send "$FIRST" "$line"
		expect "$FIRST" 'ERROR illegal-move *'
	done
	send "$FIRST" PLAY
	expect "$FIRST" 'ERROR already-playing *'
	send "$FIRST" 'RESUME 0123456789abcdef0123456789abcdef'
	expect "$FIRST" 'ERROR already-playing *'
	send "$FIRST" RESIGN
	expect "$FIRST" 'ERROR unknown-command *'
	play 1 1
	send "$SECOND" 'MOVE 1 1'
	expect "$SECOND" 'ERROR illegal-move *'
	send "$SECOND" 'MOVE 0 0'
	expect "$FIRST" 'STATE 0 0 1'
}

@test "a waiting player: MOVE is not-your-turn, PLAY already-playing, LOGOUT is ABORTED" {
	start_server
	connect A
	send A PLAY
	expect A "ID $UUID"
	expect A 'NO_OPPONENTS 10'
	send A 'MOVE 0 0'
	expect_later A 'ERROR not-your-turn *'
	send A PLAY
	expect_later A 'ERROR already-playing *'
	send A LOGOUT
	expect_later A ABORTED
	expect_nothing A 1.2
	send A LOGOUT
	expect A ABORTED
}

@test "LOGOUT in a duel: ABORTED to both, who may PLAY again" {
	start_server
	seat_two
	play 0 0 1 1
	send A LOGOUT
	expect A ABORTED
	expect B ABORTED
	seat_two
}

@test "LIST: everyone registered but me, waiting or playing, also from a duel" {
	start_server
	seat_two
	connect C
	send C LIST
	expect C "$UUID 127.0.0.1:*"
	expect C "$UUID 127.0.0.1:*"
	expect C END
	send C PLAY
	expect C "ID $UUID"
	local id=${LINE#ID }
	send A LIST
	expect A "$UUID 127.0.0.1:*"
	local first=$LINE
	expect A "$UUID 127.0.0.1:*"
	[[ $first == "$id "* || $LINE == "$id "* ]]
	expect A END
	# the duel goes on
	play 2 2
}

@test "a connection lost ends a classic duel with ABORTED" {
	start_server
	seat_two
	hang_up "$FIRST"
	expect "$SECOND" ABORTED
	connect C
	send C PLAY
	expect C 'ID *'
	expect C 'NO_OPPONENTS *'
	send "$SECOND" PLAY
	expect "$SECOND" "ID $UUID"
	expect "$SECOND" 'START *'
}

@test "CRLF is accepted, fragments too, and several lines in one segment" {
	start_server
	connect A
	send_raw A 'LIST\r\n'
	expect A END
	send_raw A 'LI'
	expect_nothing A 0.1
	send_raw A 'ST\nLIST\nGA'
	expect A END
	expect A END
	send_raw A 'MES\n'
	expect_later A END
	connect B
	send_raw B 'PLAY\nMOVE 0 0\nLOGOUT\nLIST\n'
	expect B "ID $UUID"
	expect B 'NO_OPPONENTS 10'
	expect B 'ERROR not-your-turn *'
	expect B ABORTED
	expect B END
}

@test "a move sent with PLAY in one segment is heard by the duel" {
	start_server
	connect A
	send A PLAY
	expect A 'ID *'
	expect A 'NO_OPPONENTS *'
	connect B
	send_raw B 'PLAY\nMOVE 1 1\n'
	expect B 'ID *'
	expect B 'START *'
	if [[ $LINE == 'START 1'* ]]; then
		expect_met A 'START 0 *'
		expect A 'STATE 1 1 1'
	else
		expect B 'ERROR not-your-turn *'
	fi
}

@test "1,024 bytes without an end are too long: ERROR, and the connection is closed" {
	start_server
	connect A
	send_raw A '%01023d' 0
	expect_nothing A 0.1
	send_raw A '0'
	expect A 'ERROR too-long *'
	expect_eof A
	connect A
	send_raw A '%01022d\n' 0
	expect A 'ERROR unknown-command *'
	connect C
	head -c 1000000 /dev/zero | tr '\0' a >&"${CONNECTION[C]}" || true
	expect C 'ERROR too-long *'
	expect_eof C
}

@test "a NUL or a control byte in a line is part of no word" {
	start_server
	connect A
	send_raw A 'LIST\0\n'
	expect A 'ERROR unknown-command *'
	send_raw A 'PLAY tictactoe name=a\0b\n'
	expect A 'ERROR bad-argument *'
	send_raw A 'PLAY tictactoe name=a\033b\n'
	expect A 'ERROR bad-argument *'
}

@test "the end of a client's input counts as a lost connection, after its lines" {
	start_server
	# a line a game, and two ends
	run --separate-stderr timeout 5 bash -c \
		"exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GAMES\nLIST\n' >&3; head -n $(($(game_count) + 2)) <&3"
	[[ ${lines[0]} == 'tictactoe 2 2 '* && ${lines[-1]} == END && ${lines[-2]} == END ]]
	printf 'GAMES\n' | timeout 5 nc -N 127.0.0.1 "$PORT" >answer
	grep -q '^END$' answer
}

@test "a server that stops says ABORTED to all who are registered, and is gone in 2 s" {
	start_server
	seat_two
	connect C
	send C 'PLAY tictactoe table=alone'
	expect C 'ID *'
	connect D
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	(($(ms_to_stop) < 2000))
	expect A ABORTED
	expect_eof A
	expect B ABORTED
	expect_eof B
	expect_later C 'ABORTED shutdown'
	expect_eof C
	expect_eof D
	wait_until has_no_family "$SERVER_PID"
}
