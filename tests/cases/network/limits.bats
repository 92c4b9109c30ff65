# What addresses other than the loopback's may do. Run by limits.bats in a network namespace that has
# these addresses on its loopback, and small buffers in its sockets.

load ../../lib/common

ONE=10.9.0.1
OTHER=10.9.0.2
SIX=2001:db8:0:1::1
SAME_SIX=2001:db8:0:1:ffff::2
OTHER_SIX=2001:db8:0:2::1

start_open_server() { # ARGUMENT...
	start_server --listen 0.0.0.0 --listen :: "$@"
}

# A connection to an address of this machine comes from that address.
from() { # ADDRESS NAME
	connect "$2" "$PORT" "$1"
}

is_let_in() { # NAME
	send "$1" GAMES
	expect_later "$1" END
}

is_refused() { # NAME
	expect "$1" 'ERROR busy too many connections come from your address'
	expect_eof "$1"
}

count_log() { # PATTERN
	grep -c -- "$1" "$SERVER_LOG" || true
}

@test "--max-per-address: IPv4, the /64 of IPv6, and never the loopback" {
	local n begin
	start_open_server --max-per-address 2
	begin=$(now)
	from "$ONE" A && is_let_in A
	from "$ONE" B && is_let_in B
	from "$ONE" C && is_refused C
	from "$OTHER" D && is_let_in D
	from "$SIX" E && is_let_in E
	from "$SAME_SIX" F && is_let_in F
	from "$SIX" G && is_refused G
	from "$SAME_SIX" H && is_refused H
	from "$OTHER_SIX" I && is_let_in I
	for ((n = 0; n < 5; n++)); do
		from 127.0.0.1 "L$n" && is_let_in "L$n"
		from ::1 "M$n" && is_let_in "M$n"
	done
	# a place that is free again is had again, whoever had it: hung up, or refused too often
	hang_up A
	has_place() {
		from "$ONE" J && send J GAMES && expect J 'tictactoe *' 2>/dev/null
	}
	wait_until has_place
	from "$ONE" K && is_refused K
	# at a table too it is his
	send J PLAY
	expect_later J 'NO_OPPONENTS *'
	send D PLAY
	expect_later D 'START *'
	from "$ONE" K && is_refused K
	# one line in the log, however many are refused
	for ((n = 0; n < 40; n++)); do
		from "$ONE" X && is_refused X && hang_up X
	done
	# (in ten seconds)
	(($(count_log 'reason=max-per-address') <= 1 + ($(now) - begin) / 10000000))
}

@test "the seat of a lost connection is taken again from another address; each counts where it is" {
	start_open_server --max-per-address 1
	from "$ONE" A
	from "$OTHER" B
	send A 'PLAY tictactoe name=anna'
	expect A 'ID *'
	local token=${LINE##* }
	send B 'PLAY tictactoe name=ben'
	expect_later A 'BOARD *'
	hang_up A
	expect_later B 'AWAY *'
	from "$SIX" C
	send C "RESUME $token"
	expect C 'ID *'
	expect_later B 'BACK *'
	from "$SIX" D && is_refused D
	from "$ONE" E && is_let_in E
	# and from a living connection
	send E "RESUME $token"
	expect E 'ID *'
	from "$ONE" F && is_refused F
	is_free() {
		from "$SIX" G && send G GAMES && expect G 'tictactoe *' 2>/dev/null
	}
	wait_until is_free
}

@test "--max-connections is half for one address, if nothing is said" {
	local n
	start_open_server --max-connections 6
	grep -q 'limits .* connections=6 per-address=3 ' "$SERVER_LOG"
	for n in 1 2 3; do
		from "$ONE" "A$n" && is_let_in "A$n"
	done
	from "$ONE" A4 && is_refused A4
	for n in 1 2 3; do
		from "$OTHER" "B$n" && is_let_in "B$n"
	done
	from "$OTHER_SIX" C
	expect C 'ERROR busy the server has as many connections as it takes, try again later'
	expect_eof C
}

# How many duels were born in so many ms after the first, by the log.
births_within() { # MS
	sed -n 's/T\([0-9]*\):\([0-9]*\):\([0-9]*\)\.\([0-9]*\) .* debug born table=.*/ \1 \2 \3 \4/p' "$SERVER_LOG" |
		awk -v most="$1" '{ at = (($2 * 60 + $3) * 60 + $4) * 1000 + $5; if (NR == 1) first = at
			count += (at - first + 86400000) % 86400000 < most } END { print count }'
}

@test "--tables-per-second: over it players wait, hear nothing, and are matched when the second is over" {
	local n begin
	start_open_server --tables-per-second 3 --debug
	for n in 1 2 3 4 5; do
		from "$ONE" "A$n"
		send "A$n" "PLAY tictactoe table=t$n"
		expect "A$n" 'ID *'
		expect "A$n" 'NO_OPPONENTS 10'
		from "$ONE" "B$n"
	done
	from "$OTHER" C
	from "$OTHER" D
	# all at the same time, by the server's clock
	pause "$SERVER_PID"
	for n in 1 2 3 4 5; do
		send "B$n" "PLAY tictactoe table=t$n"
	done
	send C PLAY
	send D PLAY
	begin=$(now)
	kill -CONT "$SERVER_PID"
	for n in 1 2 3; do
		expect "B$n" 'ID *'
		expect "B$n" 'START *'
		expect_later "A$n" 'START *'
	done
	# others are not held up, and a player who waits meets one who may, not the slow one before him
	expect C 'ID *'
	expect_met C 'START *'
	expect D 'ID *'
	expect_met D 'START *' # whichever of them is heard first
	for n in 4 5; do
		expect "B$n" 'ID *'
		expect "B$n" 'START *'
		(($(now) - begin > 900000)) || fail 'too early'
		expect_later "A$n" 'START *'
	done
	[[ $(births_within 900) == 4 && $(births_within 20000) == 6 ]] || fail "$(count_log 'born ')"
	[[ $(count_log 'tables-delayed reason=tables-per-second') == 1 ]]
}

@test "one who may start tables does not wait behind one who may not" {
	start_open_server --tables-per-second 1
	from "$ONE" A
	from "$ONE" B
	from "$ONE" C
	from "$OTHER" D
	from "$SIX" E
	send A 'PLAY tictactoe table=x'
	expect_later A 'NO_OPPONENTS *'
	# all in the second of the first table: the server hears these two at once
	pause "$SERVER_PID"
	send B 'PLAY tictactoe table=x'
	send C PLAY
	kill -CONT "$SERVER_PID"
	expect_later B 'START *'
	expect C 'ID *'
	expect C 'NO_OPPONENTS *'
	# and these two
	pause "$SERVER_PID"
	send D PLAY
	send E PLAY
	kill -CONT "$SERVER_PID"
	# he would meet C, who is slow: neither hears that there is nobody
	expect D 'ID *'
	expect E 'ID *'
	expect E 'START *'
	expect D 'START *'
	send C LOGOUT
	expect_met C ABORTED
}

FULL='your address has seats at as many tables as it may, leave one first'

# Two of one address at a table; sets TOKEN of the first.
pair_from() { # ADDRESS NAME OTHER TABLE
	from "$1" "$2"
	from "$1" "$3"
	send "$2" "PLAY tictactoe table=$4 name=$2"
	expect "$2" 'ID *'
	TOKEN=${LINE##* }
	send "$3" "PLAY tictactoe table=$4 name=$3"
	expect_later "$3" 'BOARD *'
	expect_later "$2" 'BOARD *'
}

@test "--tables-per-address: seats that are away count, each for the address it was last at; the loopback may" {
	local token n begin
	start_open_server --tables-per-address 2
	begin=$(now)
	pair_from "$ONE" A B a
	token=$TOKEN
	hang_up A
	expect_later B 'AWAY *'
	hang_up B
	pair_from "$ONE" C D b
	hang_up C
	expect_later D 'AWAY *'
	from "$ONE" E
	send E PLAY
	expect E "ERROR busy $FULL"
	# it is not registered, and may do all else
	send E LIST
	expect_later E END
	# RESUME is never refused; from another address it is that one's from then on
	send E "RESUME $token"
	expect E 'ID *'
	hang_up E
	from "$ONE" E
	send E PLAY
	expect E "ERROR busy $FULL"
	from "$SIX" F
	send F "RESUME $token"
	expect F 'ID *'
	# of this table B's seat is still counted here
	send E PLAY
	expect E "ERROR busy $FULL"
	pair_from "$SAME_SIX" G H c
	from "$OTHER_SIX" I
	send I 'PLAY tictactoe table=d'
	expect I 'ID *'
	from "$SIX" J
	send J 'PLAY tictactoe table=d'
	expect J "ERROR busy $FULL"
	# who has left does not take the seat of the one who is away along; the end of their table does
	send F LOGOUT
	expect_later F 'ABORTED *'
	send E PLAY
	expect E "ERROR busy $FULL"
	send D RESIGN
	expect_later D 'ROUND *'
	may_play() {
		send E 'PLAY tictactoe table=e' && expect E 'ID *' 2>/dev/null
	}
	wait_until may_play
	for n in 1 2 3 4 5; do
		pair_from 127.0.0.1 "K$n" "L$n" "k$n"
	done
	(($(count_log 'play-refused reason=tables-per-address') <= 1 + ($(now) - begin) / 10000000))
}

@test "--tables-per-address: who waits, and may not sit down when his opponent comes, is told so" {
	start_open_server --tables-per-address 1
	from "$ONE" A
	from "$ONE" B
	from "$OTHER" C
	from "$OTHER" D
	send A 'PLAY tictactoe table=x'
	expect A 'ID *'
	pair_from "$ONE" E F y
	send C 'PLAY tictactoe table=x'
	expect_later A "ERROR busy $FULL"
	expect_later A 'ABORTED *'
	# C goes on looking, and meets the next
	expect C 'ID *'
	expect C 'NO_OPPONENTS *'
	send D 'PLAY tictactoe table=x'
	expect_later C 'START *'
	send A LIST
	expect_later A END
	send A PLAY
	expect A "ERROR busy $FULL"
	# a table of memory that goes on is one more too
	from "$SIX" G
	from "$SIX" H
	send G 'PLAY memory table=m'
	send H 'PLAY memory table=m'
	expect_later G 'START *'
	send B 'PLAY memory table=m'
	expect B "ERROR busy $FULL"
}

@test "--tables-per-address: one address cannot have every table" {
	local n
	start_open_server --max-tables 4 --tables-per-address 3
	for n in 1 2 3; do
		pair_from "$ONE" "A$n" "B$n" "t$n"
	done
	from "$ONE" C
	send C PLAY
	expect C "ERROR busy $FULL"
	pair_from "$OTHER" D E u
}

# PLAY, RESIGN, PLAY, RESIGN, …, as fast as the server lets it, until it is killed.
play_and_resign() { # FROM
	local line
	from "$1" A
	send A 'PLAY tictactoe'
	while read -r line; do
		case $line in
		START*) echo RESIGN ;;
		'ROUND '*) echo 'PLAY tictactoe' ;;
		esac
	done <&"${CONNECTION[A]}" >&"${CONNECTION[A]}"
}

has_rounds() { # COUNT
	(($(count_log round-ended) >= $1))
}

@test "an endless PLAY and RESIGN is no fork bomb" {
	local begin rounds seconds pids=() n
	start_open_server --tables-per-second 5
	begin=$(now)
	for n in 1 2 3 4; do
		play_and_resign "$ONE" 3>&- &
		pids+=($!)
	done
	wait_until 20 has_rounds 18
	rounds=$(count_log round-ended)
	seconds=$((($(now) - begin) / 1000000 + 1))
	kill "${pids[@]}"
	wait "${pids[@]}" || true
	((rounds <= 5 * seconds)) || fail "$rounds tables in $seconds s"
	# the loopback may
	begin=$(now)
	pids=()
	for n in 1 2 3 4; do
		play_and_resign 127.0.0.1 3>&- &
		pids+=($!)
	done
	wait_until 20 has_rounds $((rounds + 60))
	seconds=$((($(now) - begin) / 1000000))
	kill "${pids[@]}"
	wait "${pids[@]}" || true
	((seconds < 10)) || fail "60 tables in $seconds s"
}

@test "--unsent: who does not read is dropped after so many seconds, not before" {
	local begin lines
	start_open_server --unsent 16384/2
	from "$ONE" A
	from "$ONE" B
	send A 'PLAY hnefatafl name=anna side=attacker rounds=99 legal=on'
	expect_later A 'NO_OPPONENTS *'
	send B 'PLAY hnefatafl name=ben rounds=99'
	expect_later B 'BOARD *'
	begin=$(now)
	# each round that he gives up tells her more than 800 bytes, and she reads none of it
	printf -v lines 'RESIGN\n%.0s' {1..80}
	send_raw B "$lines"
	expect_later B 'AWAY 0 *' 60 # so much takes a slow shell long to read
	(($(now) - begin > 1900000)) || fail 'too early'
	wait_until grep -q 'closed reason=does-not-read address=10.9.0.1:' "$SERVER_LOG"
}

@test "a LIST of 2,000 is read as slowly as one likes: --unsent and --play-within drop nobody" {
	local n
	start_open_server --unsent 16384/1 --play-within 2
	launch crowd "$BUILD/tests/crowd" "$PORT" 2000
	wait_until 30 grep -q ready "$LOG"
	from "$ONE" A
	send A LIST
	for ((n = 0; n < 2000; n++)); do
		expect A '*-*-*-*-* 127.0.0.1:*'
		# a slow reader's pace: 4 s for all of it
		if ((n % 50 == 0)); then sleep 0.1; fi
	done
	expect A END
	# he is still new to the server, and has been for too long
	expect A 'ERROR not-registered no PLAY for 2 seconds'
	expect_eof A
	if grep -q 'does-not-read' "$SERVER_LOG"; then fail 'somebody was dropped'; fi
}

@test "the server's own computers count for no address, though they come from one" {
	start_server --listen "$ONE" --tables-per-address 1
	mkfifo says
	launch anna bash -c "exec nc -s $OTHER $ONE $PORT <says"
	echo 'PLAY hnefatafl name=anna bot=easy' >says
	wait_until grep -q '^START .*easy' "$LOG"
	from "$ONE" B
	send B 'PLAY hnefatafl name=ben bot=easy'
	expect B 'ID *'
	expect B 'START *'
	# who asks for them counts as ever
	from "$ONE" C
	send C 'PLAY hnefatafl name=cem bot=easy'
	expect C 'ERROR busy your address has seats *'
}

@test "who has asked for computers of the same address, and has got a table too many meanwhile, is told so" {
	start_server --listen "$ONE" --tables-per-address 1
	is_there() { is_only_child house none; }
	wait_until is_there
	local house=$CHILD
	pause "$house"
	from "$ONE" A
	send A 'PLAY qwirkle seats=4 bot=easy'
	expect A 'ID *'
	pair_from "$ONE" B C a
	kill -CONT "$house"
	expect A "ERROR busy $FULL"
	expect A 'ABORTED busy'
	is_let_in A
}
