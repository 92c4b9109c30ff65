# The full dialect of tic-tac-toe: what a PLAY with a game hears.

load ../lib/common

UUID='????????-????-4???-[89ab]???-????????????'
TOKEN='[0-9a-f]????????????????????????????[0-9a-f][0-9a-f][0-9a-f]'

# A (anna) and B (ben) at a table with these keys; A is X and begins when the draw says so: FIRST.
seat_two() { # KEY=VALUE...
	connect A
	connect B
	send A "PLAY tictactoe name=anna side=cross${*:+ $*}"
	expect A "ID $UUID $TOKEN"
	expect A 'NO_OPPONENTS *'
	send B "PLAY tictactoe name=ben${*:+ $*}"
	expect B "ID $UUID $TOKEN"
	expect_met A "START [01] CROSS 1 duel=$UUID seat=0 seats=2 round=1/* names=anna,ben"
	FIRST=B SECOND=A
	if [[ $LINE == 'START 1'* ]]; then FIRST=A SECOND=B; fi
	expect B "START [01] CROSS 0 duel=$UUID seat=1 seats=2 round=1/* names=anna,ben"
	expect A 'BOARD .........'
	expect B 'BOARD .........'
}

seat_of() {
	[[ $1 == A ]] && echo 0 || echo 1
}

# A move that goes on: both hear STATE and BOARD.
move() { # WHO X Y MODEL
	local other=A
	if [[ $1 == A ]]; then other=B; fi
	send "$1" "MOVE $2 $3"
	expect "$1" "STATE $(seat_of "$1") $2 $3 0"
	expect "$1" "BOARD $4"
	expect "$other" "STATE $(seat_of "$1") $2 $3 1"
	expect "$other" "BOARD $4"
}

@test "a whole duel of one round" {
	start_server
	seat_two
	local x=X o=O
	if [[ $FIRST == B ]]; then x=O o=X; fi
	move "$FIRST" 0 0 "$x........"
	move "$SECOND" 0 1 "$x..$o....."
	move "$FIRST" 1 0 "$x$x.$o....."
	move "$SECOND" 1 1 "$x$x.$o$o...."
	send "$FIRST" 'MOVE 2 0'
	for who in "$FIRST" "$SECOND"; do
		expect "$who" "STATE $(seat_of "$FIRST") 2 0 0"
		expect "$who" "BOARD $x$x$x$o$o...."
	done
	expect "$FIRST" 'WIN 012'
	expect "$SECOND" 'LOSE 012'
	if [[ $FIRST == A ]]; then score='1 0'; else score='0 1'; fi
	expect "$FIRST" "ROUND 1 1 $score"
	expect "$SECOND" "ROUND 1 1 $score"
	# back in the lobby, not registered
	send A LIST
	expect A END
	send A 'MOVE 0 0'
	expect A 'ERROR not-registered *'
}

@test "a draw is UNRESOLVED full, and counts for nobody" {
	start_server
	seat_two
	local moves='0 0 1 0 2 0 1 1 0 1 2 1 1 2 0 2 2 2' mover=$FIRST other=$SECOND swap
	# shellcheck disable=SC2086 # words
	set -- $moves
	while (($# > 0)); do
		send "$mover" "MOVE $1 $2"
		expect_later "$other" "STATE ? $1 $2 ?"
		expect "$other" 'BOARD *'
		shift 2
		swap=$mover mover=$other other=$swap
	done
	expect_later A 'UNRESOLVED full'
	expect A 'ROUND 1 1 0 0'
	expect_later B 'UNRESOLVED full'
	expect B 'ROUND 1 1 0 0'
}

@test "rounds: sides are kept, the start alternates, ROUND counts, the last one ends the table" {
	start_server
	seat_two rounds=3
	local begins=0 round
	if [[ $FIRST == B ]]; then begins=1; fi
	for round in 1 2 3; do
		send A RESIGN
		expect A 'LOSE resigned'
		expect B 'WIN resigned'
		expect A "ROUND $round 3 0 $round"
		expect B "ROUND $round 3 0 $round"
		if ((round == 3)); then break; fi
		begins=$((!begins))
		expect A "START $((!begins)) CROSS 1 duel=* seat=0 seats=2 round=$((round + 1))/3 names=anna,ben"
		expect B "START $begins CROSS 0 duel=* seat=1 seats=2 round=$((round + 1))/3 names=anna,ben"
		expect A 'BOARD .........'
		expect B 'BOARD .........'
	done
	send A 'PLAY tictactoe'
	expect A "ID $UUID $TOKEN"
}

@test "legal=on: every legal move, after START and after each STATE when it is my move" {
	start_server
	connect A
	connect B
	send A 'PLAY tictactoe legal=on'
	expect A 'ID *'
	send B 'PLAY tictactoe legal=off'
	expect_later A 'START *'
	local start=$LINE
	expect A 'BOARD .........'
	expect_later B 'BOARD .........'
	if [[ $start == 'START 0'* ]]; then
		expect_nothing A 0.1
		send B 'MOVE 1 1'
		expect A 'STATE ? 1 1 1'
		expect A 'BOARD *'
		expect A 'LEGAL 0 0;1 0;2 0;0 1;2 1;0 2;1 2;2 2'
	else
		expect A 'LEGAL 0 0;1 0;2 0;0 1;1 1;2 1;0 2;1 2;2 2'
		send A 'MOVE 1 1'
		expect A 'STATE ? 1 1 0'
		expect A 'BOARD *'
		expect_nothing A 0.1
	fi
}

@test "the clock: who runs out loses the round" {
	start_server
	seat_two clock=1 rounds=2
	expect "$FIRST" 'LOSE timeout'
	expect "$SECOND" 'WIN timeout'
	expect "$FIRST" 'ROUND 1 2 *'
	# the next round goes on, begun by the other
	expect "$FIRST" 'START 0 *'
	expect_later "$SECOND" 'START 1 *'
	expect_later "$SECOND" 'LOSE timeout'
	expect "$SECOND" 'ROUND 2 2 1 1'
}

@test "a move sets the opponent's clock going, and is in time until the last moment" {
	start_server
	seat_two clock=3 # time enough for a move
	send "$FIRST" 'MOVE 0 0'
	expect "$SECOND" 'STATE *'
	expect_later "$SECOND" 'LOSE timeout'
	expect_later "$FIRST" 'WIN timeout'
}

@test "--no-timeout: no clock runs, whatever players ask for" {
	start_server --no-timeout
	connect G
	send G GAMES
	expect G 'tictactoe 2 2 *clock=off*'
	seat_two clock=1
	expect_nothing "$FIRST" 1.5
	send "$FIRST" 'MOVE 0 0'
	expect "$FIRST" 'STATE *'
}

@test "--idle: without a clock a silent table is ended" {
	start_server --idle 1
	seat_two clock=off
	expect A 'ABORTED idle'
	expect B 'ABORTED idle'
}

@test "strict=on: an illegal move loses; one that cannot be read, or is out of turn, does not" {
	start_server
	seat_two strict=on
	send "$SECOND" 'MOVE 9 9'
	expect "$SECOND" 'ERROR not-your-turn *'
	send "$FIRST" 'MOVE here'
	expect "$FIRST" 'ERROR bad-argument *'
	send "$FIRST" 'MOVE 3 0'
	expect "$FIRST" 'LOSE illegal'
	expect "$SECOND" 'WIN illegal'
	expect_later A 'ROUND 1 1 *'
	seat_two strict=off
	send "$FIRST" 'MOVE 3 0'
	expect "$FIRST" 'ERROR illegal-move *'
}

@test "RESIGN is heard at any turn; RESIGN while waiting is not-your-turn" {
	start_server
	connect C
	send C 'PLAY tictactoe table=alone'
	expect C 'ID *'
	send C RESIGN
	expect_later C 'ERROR not-your-turn *'
	seat_two
	send "$SECOND" RESIGN
	expect "$SECOND" 'LOSE resigned'
	expect "$FIRST" 'WIN resigned'
}

@test "LOGOUT in a duel: ABORTED logout; the other wins by left, and the table is done" {
	start_server
	seat_two rounds=5
	send A LOGOUT
	expect A 'ABORTED logout'
	expect B 'WIN left'
	expect B 'ROUND 1 5 0 1'
	send B 'PLAY tictactoe'
	expect B 'ID *'
}

@test "classic and full meet; each hears his own dialect" {
	start_server
	connect A
	connect B
	send A PLAY
	expect A "ID $UUID"
	expect A 'NO_OPPONENTS *'
	send B 'PLAY tictactoe name=ben'
	expect B "ID $UUID $TOKEN"
	expect_met A 'START [01] CROSS [01]'
	local start=$LINE
	expect B 'START [01] CROSS [01] duel=* seat=[01] seats=2 round=1/1 names=*'
	[[ $LINE == *'names=anon,ben' || $LINE == *'names=ben,anon' ]]
	expect B 'BOARD .........'
	if [[ $start == 'START 1'* ]]; then
		send A 'MOVE 0 0'
		expect B 'STATE [01] 0 0 1'
		expect B 'BOARD *'
	fi
	send B 'MOVE 2 2'
	expect A 'STATE 2 2 1'
	expect B 'STATE [01] 2 2 0'
	expect B 'BOARD *'
	send B LIST
	expect B "$UUID 127.0.0.1:* anon tictactoe playing"
	expect B END
	send A LIST
	expect A "$UUID 127.0.0.1:[0-9]*"
	[[ $LINE != *tictactoe* ]]
	expect A END
	send B RESIGN
	expect A ABORTED
	expect B 'LOSE resigned'
	expect B 'ROUND 1 1 *'
}

@test "a classic seat that goes is not waited for" {
	start_server
	connect A
	connect B
	send A PLAY
	expect A 'ID *'
	expect A 'NO_OPPONENTS *'
	send B 'PLAY tictactoe name=ben'
	expect_later B 'BOARD *'
	hang_up A
	expect B 'WIN left'
	expect B 'ROUND 1 1 *'
}

@test "LIST in full: name, game, waiting or playing" {
	start_server
	connect C
	send C 'PLAY tictactoe name=cem table=alone'
	expect C 'ID *'
	seat_two
	send A LIST
	expect A "$UUID 127.0.0.1:* cem tictactoe waiting"
	expect A "$UUID 127.0.0.1:* ben tictactoe playing"
	expect A END
}

@test "GAMES: names, seats, keys and their defaults; the server's options show in them" {
	start_server --match-timeout 7
	connect A
	send A GAMES
	expect A 'tictactoe 2 2 name=anon side=any vs= table= rounds=1 clock=120 strict=off wait=7 legal=off bot=off'
	expect_later A END
	seat_two
	send A GAMES
	expect A 'tictactoe 2 2 *wait=7*'
	expect_later A END
}

@test "keys of PLAY: what is unknown, said twice or out of range is bad-argument, and registers nobody" {
	start_server
	connect A
	local bad
	for bad in name= name=- name=a/b "name=$(printf 'a%.0s' {1..25})" name=ä side=attacker side= vs=- vs= \
		table= "table=$(printf 'a%.0s' {1..33})" table=a,b rounds=0 rounds=100 rounds=x rounds=-1 rounds=1.5 \
		clock=0 clock=-1 clock=on clock= strict=yes strict= wait=0 wait=3601 wait= legal=1 seats=2 size=4 cheat=on \
		colour=red 'name=a name=b' 'rounds=1 rounds=1' name '=a' 'name=a  rounds=1'; do
		send A "PLAY tictactoe $bad"
		expect A 'ERROR bad-argument *'
	done
	send A 'PLAY chess'
	expect A 'ERROR unknown-game *'
	send A 'PLAY TicTacToe'
	expect A 'ERROR unknown-game *'
	send A LIST
	expect A END
	send A "PLAY tictactoe name=$(printf 'a%.0s' {1..24}) table=$(printf 'b%.0s' {1..32}) rounds=99 clock=86400 strict=on wait=3600 legal=on side=nought vs=x.Y_z-9"
	expect A "ID $UUID $TOKEN"
	expect A 'NO_OPPONENTS 3600'
	send A LOGOUT
	expect_met A 'ABORTED logout'
	send A 'PLAY tictactoe rounds=1 clock=120 strict=off legal=off side=any wait=1 name=anon'
	expect A 'ID *'
	expect A 'NO_OPPONENTS 1'
}

@test "wait= is how long one looks" {
	local begin
	start_server
	connect A
	begin=$(now)
	send A 'PLAY tictactoe wait=1'
	expect A 'ID *'
	expect A 'NO_OPPONENTS 1'
	expect A 'NO_OPPONENTS 0'
	expect A NO_OPPONENTS
	(($(now) - begin > 900000)) || fail 'the second was too short'
	send A LOGOUT
	expect A 'ABORTED logout'
}

# NAME says PLAY with these words and waits, or is at a table: WHERE is NO_OPPONENTS or START.
playing() { # WHERE NAME KEY=VALUE...
	local keys="${*:3}"
	connect "$2"
	send "$2" "PLAY tictactoe name=$2${keys:+ $keys}"
	expect "$2" 'ID *'
	expect "$2" "$1 *"
}

@test "only the same shape meets: rounds, clock, strict, table" {
	start_server
	playing NO_OPPONENTS A
	playing NO_OPPONENTS B rounds=2
	playing NO_OPPONENTS C clock=5
	playing NO_OPPONENTS D strict=on
	playing NO_OPPONENTS E table=secret
	playing NO_OPPONENTS F table=Secret
	playing START a strict=off clock=120
	expect_later A 'START *names=*a*'
	playing START e table=secret
	expect_later E 'START *'
}

@test "the longest waiting is met first; vs= meets only that name" {
	start_server
	playing NO_OPPONENTS A vs=zoe
	playing NO_OPPONENTS B vs=zoe
	playing NO_OPPONENTS C vs=A
	playing START zoe
	expect_later A 'START *'
	playing START zoe
	expect_later B 'START *'
}

@test "two meet only when neither's vs= speaks against it" {
	start_server
	playing NO_OPPONENTS A vs=B
	playing NO_OPPONENTS C
	playing NO_OPPONENTS B vs=D
	playing START E
	expect_later C 'START *'
	playing START D vs=B
	expect_later B 'START *'
	expect_nothing A 0.1 || [[ $LINE == NO_OPPONENTS* ]]
}

@test "side= is granted if free, else the other; the longest waiting first" {
	start_server
	connect A
	connect B
	send A 'PLAY tictactoe side=nought'
	expect_later A 'NO_OPPONENTS *'
	send B 'PLAY tictactoe side=nought'
	expect_later A 'START ? CROSS 0 * seat=1 *'
	expect_later B 'START ? CROSS 1 * seat=0 *'
	send A LOGOUT
	expect_later A 'ABORTED logout'
	expect_later B 'ROUND *'
	send A 'PLAY tictactoe'
	expect_later A 'NO_OPPONENTS *'
	send B 'PLAY tictactoe side=cross'
	expect_later B 'START ? CROSS 1 *'
	expect_later A 'START ? CROSS 0 *'
}

@test "--no-valid: moves are put as said, the mover claims the end" {
	start_server --no-valid
	seat_two rounds=4
	local round claim word other
	for claim in win lose draw; do
		send "$FIRST" 'MOVE 0 0'
		expect_later "$SECOND" 'STATE ? 0 0 1'
		send "$SECOND" 'MOVE 0 0'
		expect_later "$FIRST" 'STATE ? 0 0 1'
		send "$FIRST" 'MOVE 3 0'
		expect_later "$FIRST" 'ERROR illegal-move *'
		send "$FIRST" "MOVE 1 0 claim=$claim"
		case $claim in
		win) word=WIN other=LOSE ;;
		lose) word=LOSE other=WIN ;;
		draw) word=UNRESOLVED other=UNRESOLVED ;;
		esac
		expect_later "$FIRST" "$word claimed"
		expect_later "$SECOND" "$other claimed"
		expect "$FIRST" 'ROUND *'
		expect "$SECOND" 'ROUND *'
		expect "$FIRST" 'START *'
		if [[ $LINE == 'START 0'* ]]; then
			round=$FIRST FIRST=$SECOND SECOND=$round
		fi
	done
	# three in a row ends nothing by itself
	for claim in '0 0' '0 1' '1 0' '1 1' '2 0'; do
		send "$FIRST" "MOVE $claim"
		expect_later "$SECOND" "STATE ? $claim 1"
		round=$FIRST FIRST=$SECOND SECOND=$round
	done
}

@test "too-fast: 200 answers at once, then 50 a second; good moves are never too fast" {
	start_server
	connect A
	local n lines
	# in one piece, and many more than a slow server gets 50 a second for
	printf -v lines 'LIST\n%.0s' {1..600}
	send_raw A "$lines"
	for ((n = 0; n < 200; n++)); do expect A END; done
	expect_later A 'ERROR too-fast *'
	expect_eof A
	seat_two rounds=99
	printf -v lines 'RUBBISH\n%.0s' {1..600}
	send_raw A "$lines"
	expect_later A 'ERROR too-fast *' 60 # so many lines take a slow shell long to read
	expect_eof A
	expect_later B 'AWAY 0 30'
}
