# The broadcast frame, and the ports handed out to duels.

load ../lib/common

UUID='[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'

# Frames to PORT, as they came, one a line with its arrival in milliseconds, in $FRAMES.
record() { # PORT
	FRAMES=$BATS_TEST_TMPDIR/frames-$1
	: >"$FRAMES"
	launch "record-$1" "$BUILD/tests/record_frames" "$1" "$FRAMES"
	wait_until grep -q '^ready$' "$LOG"
}

# A (anna) and B (ben) play; sets ID_A, ID_B, FIRST, SECOND.
seat_two() { # KEY=VALUE...
	connect A
	connect B
	send A "PLAY tictactoe name=anna side=cross${*:+ $*}"
	expect A 'ID *'
	ID_A=${LINE:3:36}
	send B "PLAY tictactoe name=ben${*:+ $*}"
	expect B 'ID *'
	ID_B=${LINE:3:36}
	expect_later A 'START *'
	FIRST=B SECOND=A
	if [[ $LINE == 'START 1'* ]]; then FIRST=A SECOND=B; fi
	expect_later B 'BOARD *'
	expect A 'BOARD *'
}

frames() {
	cut -d ' ' -f 2- "$FRAMES"
}

has_frames() { # COUNT PATTERN
	(($(frames | grep -cE "$2") >= $1))
}

@test "every state is a frame; the last one is sent three times in all, 100 ms apart" {
	local port turn
	port=$(free_port)
	record "$port"
	start_server -b "$port"
	seat_two
	turn=0
	if [[ $FIRST == B ]]; then turn=1; fi
	has_first() {
		has_frames 1 "^$ID_A $ID_B \.{9} false game=tictactoe duel=$UUID n=0 turn=$turn names=anna,ben round=1/1$"
	}
	wait_until has_first
	send "$FIRST" 'MOVE 0 0'
	expect_later "$SECOND" 'STATE ? 0 0 1'
	send "$SECOND" 'MOVE 0 1'
	expect_later "$FIRST" 'STATE ? 0 1 1'
	send "$FIRST" 'MOVE 1 0'
	expect_later "$SECOND" 'STATE ? 1 0 1'
	send "$SECOND" 'MOVE 1 1'
	expect_later "$FIRST" 'STATE ? 1 1 1'
	send "$FIRST" 'MOVE 2 0'
	wait_until has_frames 3 ' 012 .* n=5 turn=- '
	expect_later "$FIRST" 'ROUND *'
	wait_until has_duels 0
	# each n once in order, or again after a second; then the last one twice more, which are 100 ms
	# apart, more or less: whoever sends them has to wait for a processor
	awk '
		match($0, / n=[0-9]+ /) {
			n = substr($0, RSTART + 3, RLENGTH - 4) + 0
			if (NR > 1 && n != last && n != last + 1) bad = 1
			if (n == last && n < 5 && $1 - when < 800) bad = 1
			if (n == 5 && last == 5 && ($1 - when < 50 || $1 - when > 800)) bad = 1
			last = n; when = $1; count[n]++
		}
		END { exit bad || last != 5 || count[0] == 0 || count[5] != 3 }' "$FRAMES" || fail "$(<"$FRAMES")"
	[[ $(frames | cut -d ' ' -f 6 | sort -u | wc -l) == 1 ]]
}

@test "the present frame is sent again every second" {
	local port
	port=$(free_port)
	record "$port"
	start_server -b "$port"
	seat_two
	wait_until has_frames 3 ' n=0 '
	# more or less, as above
	awk '{ if (last && ($1 - last < 800 || $1 - last > 1900)) exit 1; last = $1 }' "$FRAMES" || fail "$(<"$FRAMES")"
}

@test "why a round ended: timeout, resigned, left, unresolved, aborted; n goes on over the rounds" {
	local port
	port=$(free_port)
	record "$port"
	start_server -b "$port"
	seat_two rounds=3 clock=3 # time enough to give up, and to leave
	send A RESIGN
	wait_until has_frames 1 ' \.{9} resigned .* n=1 turn=- .* round=1/3$'
	wait_until has_frames 1 ' \.{9} false .* n=2 turn=[01] .* round=2/3$'
	wait_until has_frames 1 ' \.{9} timeout .* n=3 turn=- .* round=2/3$'
	send B LOGOUT
	wait_until has_frames 3 ' \.{9} left .* n=5 turn=- names=anna,- round=3/3$'
	seat_two
	kill -TERM "$SERVER_PID"
	wait_until has_frames 3 ' \.{9} aborted .* n=1 turn=- '
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
}

@test "a draw is unresolved" {
	local port moves='0 0 1 0 2 0 1 1 0 1 2 1 1 2 0 2 2 2' swap
	port=$(free_port)
	record "$port"
	start_server -b "$port"
	seat_two
	# shellcheck disable=SC2086 # words
	set -- $moves
	while (($# > 0)); do
		send "$FIRST" "MOVE $1 $2"
		expect_later "$SECOND" "STATE ? $1 $2 ?"
		shift 2
		swap=$FIRST FIRST=$SECOND SECOND=$swap
	done
	wait_until has_frames 3 " [XO]{9} unresolved "
}

@test "ports are handed out one a duel, in order; without one a duel is played unseen; a port is free again" {
	local port first second
	port=$(free_port 2)
	record "$port"
	first=$FRAMES
	record $((port + 1))
	second=$FRAMES
	start_server -b "$port" $((port + 1))
	seat_two table=one
	FRAMES=$first wait_until has_frames 1 "^$ID_A "
	local one=$ID_A
	rename A X
	seat_two table=two
	FRAMES=$second wait_until has_frames 1 "^$ID_A "
	seat_two table=three
	send "$FIRST" 'MOVE 1 1'
	expect_later "$SECOND" 'STATE ? 1 1 1'
	local three=$ID_A
	send X LOGOUT
	FRAMES=$first wait_until has_frames 3 "^$one .* left "
	# given back only after its last frame
	connect C
	seat_when_free() {
		seat_two table=four
		FRAMES=$first wait_until 1 has_frames 1 "^$ID_A " && return
		send A LOGOUT
		return 1
	}
	wait_until seat_when_free
	if grep -q "$three" "$first" "$second"; then fail 'the unseen duel was seen'; fi
	FRAMES=$second
	[[ $(frames | cut -d ' ' -f 1 | sort -u | wc -l) == 1 ]]
}

# Two who play KEYS, a tictactoe, on the connections ONE and OTHER; sets PLAYED_ON to the port of their table.
meet() { # ONE OTHER NAME NAME
	local name
	for name in "$1" "$2"; do
		[[ ${CONNECTION[$name]-} ]] || connect "$name"
	done
	send "$1" "PLAY tictactoe name=$3 vs=$4"
	expect_later "$1" 'ID *'
	send "$2" "PLAY tictactoe name=$4 vs=$3"
	expect_later "$1" 'START *'
	expect_later "$2" 'START *'
	connect ASKER
	send ASKER TABLES
	expect_later ASKER "live tictactoe @($3,$4|$4,$3) *"
	hang_up ASKER
	PLAYED_ON=${LINE##* }
}

part() { # ONE OTHER
	send "$1" LOGOUT
	expect_later "$1" 'ABORTED logout'
	expect_later "$2" 'ROUND *'
}

@test "a pair that plays on keeps its port while nobody else has it, whoever comes first" {
	local port
	port=$(free_port 3)
	start_server -b "$port-$((port + 2))"
	meet A B anna ben
	[[ $PLAYED_ON == "$port" ]]
	meet C D cem dora
	[[ $PLAYED_ON == $((port + 1)) ]]
	part A B
	part C D
	# at once, and in another order
	meet D C dora cem
	[[ $PLAYED_ON == $((port + 1)) ]]
	part C D
	meet B A ben anna
	[[ $PLAYED_ON == "$port" ]]
	meet C D cem dora
	[[ $PLAYED_ON == $((port + 1)) ]]
	part C D
	# others have the first that is free, soon it is theirs
	local others=0
	others_have_it() {
		meet E F "emil$((++others))" fay
		[[ $PLAYED_ON == $((port + 1)) ]] && return
		part E F
		return 1
	}
	wait_until others_have_it
	meet C D cem dora
	[[ $PLAYED_ON != $((port + 1)) ]]
}

@test "a pair that plays on at once: three times the end, then the beginning" {
	local port before
	port=$(free_port)
	record "$port"
	start_server -b "$port"
	meet A B anna ben
	part A B
	meet A B anna ben
	[[ $PLAYED_ON == "$port" ]]
	wait_until has_frames 1 ' false .* n=0 .*'
	before=$(frames | grep -v ' n=0 ')
	wait_until has_frames 2 ' false .* n=0 ' # it is sent again every second, and is all that comes
	[[ $(grep -c ' left game=tictactoe ' <<<"$before") == 3 ]] || fail "$(frames)"
	[[ $(frames | tail -n 1) == *' n=0 '* ]]
	[[ $(frames | awk '{ print $6 }' | uniq | wc -l) == 2 ]] || fail "$(frames)"
}

@test "those who have said no name are never taken for the same pair" {
	local port name
	port=$(free_port)
	record "$port"
	start_server -b "$port"
	for name in A B C D; do connect "$name"; done
	send A PLAY
	expect A 'ID *'
	send B PLAY
	expect_later A 'START *'
	expect_later B 'START *'
	wait_until has_frames 1 ' n=0 '
	send A LOGOUT
	expect_later B 'ABORTED'
	send C PLAY
	expect C 'ID *'
	send D PLAY
	expect_later D 'START *'
	wait_until has_frames 3 ' left game='
	local times
	mapfile -t times < <(grep ' left game=' "$FRAMES" | cut -d ' ' -f 1)
	((times[2] - times[0] > 150)) || fail "$(cat "$FRAMES")"
}

@test "ranges of ports, and ports said in several ways" {
	local port
	port=$(free_port 3)
	record $((port + 2))
	start_server -b "$port-$((port + 1))" -b $((port + 2))
	seat_two table=one
	seat_two table=two
	seat_two table=three
	wait_until has_frames 1 "^$ID_A "
}

@test "--show-board prints each board as it changes" {
	start_server --show-board
	seat_two
	send "$FIRST" 'MOVE 1 1'
	is_shown() {
		grep -q 'n=1$' "$SERVER_LOG" && grep -q '[XO]' "$SERVER_LOG"
	}
	wait_until is_shown
}
