# What dies, and what goes on: duels, the server, their journals.

load ../lib/common

has_no_duel() {
	[[ ! $(duel_pids) ]]
}

# Two full players, A at seat 0 and B at seat 1: TOKEN_A, TOKEN_B, ID_A, ID_B.
seat_two() { # GAME KEY=VALUE...
	connect A
	connect B
	send A "PLAY $1 name=anna${2:+ ${*:2}}"
	expect A 'ID *'
	ID_A=$LINE TOKEN_A=${LINE##* }
	expect A 'NO_OPPONENTS *'
	send B "PLAY $1 name=ben${2:+ ${*:2}}"
	expect B 'ID *'
	ID_B=$LINE TOKEN_B=${LINE##* }
	expect_met A 'START *'
	START_A=$LINE
	expect B 'START *'
	START_B=$LINE
}

@test "a duel that is killed goes on, classic: neither player hears a thing" {
	start_server
	connect A
	connect B
	send A PLAY
	expect A 'ID *'
	expect A 'NO_OPPONENTS 10'
	send B PLAY
	expect B 'ID *'
	expect_met A 'START *'
	local first=B second=A
	if [[ $LINE == 'START 1'* ]]; then first=A second=B; fi
	expect B 'START *'
	find_duel
	kill_duel
	send "$first" 'MOVE 0 0'
	expect "$second" 'STATE 0 0 1'
	kill_duel
	kill -KILL "$DUEL" # and with a move on its way
	send "$second" 'MOVE 1 0'
	expect "$first" 'STATE 1 0 1'
	send "$first" 'MOVE 0 1'
	expect "$second" 'STATE 0 1 1'
	find_duel
	kill_duel
	send "$second" 'MOVE 1 1'
	expect "$first" 'STATE 1 1 1'
	send "$first" 'MOVE 0 2'
	expect "$first" 'WIN 036'
	expect "$second" 'LOSE 036 0 2'
	send A LIST
	expect A END
	wait_until has_unfinished 0
}

@test "a duel that is killed in mid-game goes on, full: scores, racks, LEGAL and rounds are what they were" {
	start_server
	seat_two quantik legal=on clock=off
	expect A 'BOARD ................'
	expect B 'BOARD ................'
	local first=A second=B
	[[ $START_A == 'START 1'* ]] || first=B second=A
	expect "$first" 'LEGAL *'
	find_duel
	kill_duel
	send "$first" 'MOVE 0 0 C'
	expect "$first" 'STATE ? 0 0 C 0'
	kill_duel
	expect "$first" 'BOARD [Cc]...............'
	expect "$second" 'STATE ? 0 0 C 1'
	expect "$second" 'BOARD [Cc]...............'
	expect "$second" 'LEGAL *'
	kill_duel
	send "$second" RESIGN
	expect "$second" 'LOSE resigned'
	expect "$second" 'ROUND 1 2 *'
	expect "$first" 'WIN resigned'
	expect "$first" 'ROUND 1 2 *'
	expect "$first" 'START 0 WHITE ? duel=* round=2/2 *'
	kill_duel
	expect "$second" 'START 1 WHITE ? duel=* round=2/2 *'
	expect "$second" 'BOARD ................'
	send "$second" RESIGN
	expect_later "$second" 'LOSE resigned'
	expect "$second" 'ROUND 2 2 *'
	expect_later "$first" 'WIN resigned'
	expect "$first" 'ROUND 2 2 *'
	wait_until grep -q 'info round-ended .* round=2 ' "$SERVER_LOG"
	[[ $(grep -c 'info round-ended .* round=1 ' "$SERVER_LOG") == 1 ]]
	wait_until has_unfinished 0
}

@test "a duel stopped with a move in its socket and killed: the move is not lost" {
	start_server
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	expect B 'BOARD *'
	find_duel
	pause "$DUEL"
	send A 'MOVE 3 0 3 1'
	kill_duel
	expect A 'STATE 0 3 0 3 1 0'
	expect A 'BOARD *'
	expect B 'STATE 0 3 0 3 1 1'
}

@test "a duel that crashes three times at the same event is given up: ABORTED crashed, its journal is kept" {
	start_server
	seat_two hnefatafl side=attacker
	find_duel
	kill_duel ABRT
	kill_duel ABRT
	kill -ABRT "$DUEL"
	expect_later A 'ABORTED crashed'
	expect_later B 'ABORTED crashed'
	wait_until has_unfinished 0
	ls "$HOLMGANG_STATE"/aside/*.crashed
	wait_until grep -q 'warn journal-set-aside table=0 duel=' "$SERVER_LOG"
	send A 'PLAY tictactoe'
	expect A 'ID *'
}

# B is gone and back: the journal grows, but nobody has said anything.
leave_and_return() {
	hang_up B
	expect_later A 'AWAY 1 *'
	connect B
	send B "RESUME $TOKEN_B"
	expect_later A 'BACK 1'
}

@test "crashes count until a player has said something; who comes and goes forgives nothing" {
	start_server
	seat_two hnefatafl side=attacker
	find_duel
	kill_duel ABRT
	kill_duel ABRT
	send A 'MOVE 3 0 3 1'
	expect_later B 'STATE 0 3 0 3 1 1'
	kill_duel ABRT
	leave_and_return
	kill_duel ABRT
	leave_and_return
	kill -ABRT "$DUEL"
	expect_later A 'ABORTED crashed'
}

@test "a table that has crashed of itself twice rests for a second" {
	local rest
	start_server
	seat_two hnefatafl side=attacker
	find_duel
	kill_duel ABRT
	kill_duel ABRT
	mapfile -t rest < <(rests)
	((${#rest[@]} == 2 && rest[0] < 900 && rest[1] >= 900 && rest[1] < 5000)) || fail "${rest[*]}"
	send A 'MOVE 3 0 3 1'
	expect_later B 'STATE 0 3 0 3 1 1'
}

# Milliseconds from each death of a duel to its next birth, by the log.
rests() {
	local time event crashed=0
	while read -r time event; do
		time=$(date -d "$time" +%s%3N)
		if [[ $event == duel-crashed ]]; then crashed=$time; else echo $((time - crashed)); fi
	done < <(sed -nE 's/^([^ ]*) .* (duel-crashed|duel-reborn) .*/\1 \2/p' "$SERVER_LOG")
}

has_lived() { # SECONDS
	(($(ps -o etimes= -p "$DUEL") >= $1))
}

# bats test_tags=slow
@test "a duel killed ten times without a move between goes on: nobody was at fault. It comes back more slowly" {
	local n rest
	start_server
	seat_two hnefatafl side=attacker clock=off
	find_duel
	for ((n = 0; n < 10; n++)); do
		kill_duel
	done
	mapfile -t rest < <(rests)
	((${#rest[@]} == 10)) || fail "${rest[*]}"
	((rest[0] < 900 && rest[9] >= 800 && rest[9] < 5000)) || fail "${rest[*]}"
	send A 'MOVE 3 0 3 1'
	expect_later B 'STATE 0 3 0 3 1 1'
	# after a while of peace it is back at once
	wait_until has_lived 4
	kill_duel
	mapfile -t rest < <(rests)
	((rest[10] < 900)) || fail "${rest[*]}"
}

has_crashed() { # TIMES
	(($(grep -c 'warn duel-crashed' "$SERVER_LOG") == $1))
}

# So many tables, each of two; the pids of their duels: DUELS.
seat_many() { # TABLES
	local n
	for ((n = 0; n < $1; n++)); do
		seat_two hnefatafl
		rename A "A$n"
		rename B "B$n"
	done
	wait_until has_duels "$1"
	mapfile -t DUELS < <(duel_pids)
}

@test "a spawner whose duels die of faults is started anew after five within a minute; kills do not count" {
	local old
	start_server
	seat_many 5
	old=$(spawner_pid)
	xargs kill -KILL <<<"${DUELS[*]}"
	wait_until has_crashed 5
	wait_until has_duels 5
	mapfile -t DUELS < <(duel_pids)
	kill -ABRT "${DUELS[@]:1}"
	wait_until has_crashed 9
	wait_until has_duels 5
	[[ $(spawner_pid) == "$old" ]]
	run ! grep -q spawner-renewed "$SERVER_LOG"
	kill -ABRT "${DUELS[0]}"
	wait_until is_only_child spawner "$old"
	wait_gone "$old"
	wait_until has_duels 5
	[[ $(grep -c "warn spawner-renewed pid=$old " "$SERVER_LOG") == 1 ]]
	# and the next one is given its own five
	old=$CHILD
	kill -ABRT "$(duel_pids | head -n 1)"
	wait_until has_crashed 11
	wait_until has_duels 5
	[[ $(spawner_pid) == "$old" ]]
	run ! grep -E 'spawner-replaced|not-made|not-reborn' "$SERVER_LOG"
}

is_launching() {
	"$BUILD/holmgang-server" ps | grep -q ' forking '
}

@test "a spawner that is started anew: what the old one was asked for, the new one does, and nobody twice" {
	local old
	start_server
	seat_many 5
	old=$(spawner_pid)
	kill -ABRT "${DUELS[@]:0:4}"
	wait_until has_crashed 4
	wait_until has_duels 5
	pause "$old"
	connect A
	connect B
	send A 'PLAY hnefatafl name=anna'
	send B 'PLAY hnefatafl name=ben'
	wait_until is_launching
	kill -ABRT "${DUELS[4]}"
	expect_met A 'ID *'
	expect_later A 'START *' 2
	expect_later B 'START *' 2
	expect A 'BOARD *'
	kill -CONT "$old"
	wait_gone "$old"
	server_comes_round
	wait_until has_duels 6
	expect_nothing A
	send A4 RESIGN
	expect_later A4 'LOSE resigned'
	expect_later B4 'WIN resigned'
	run ! grep -E 'spawner-replaced|not-made|not-reborn' "$SERVER_LOG"
}

@test "the server stops while a table rests: it does not rest on, and ends like the others" {
	local n
	start_server
	seat_two hnefatafl side=attacker
	find_duel
	for ((n = 0; n < 5; n++)); do
		kill_duel
	done
	kill -KILL "$DUEL"
	wait_until has_crashed 6
	kill -TERM "$SERVER_PID"
	expect_later A 'ABORTED shutdown'
	expect_later B 'ABORTED shutdown'
	wait_gone "$SERVER_PID"
	(($(ms_to_stop) < 700)) || fail "$(ms_to_stop) ms"
	run ! compgen -G "$HOLMGANG_STATE/aside/*"
}

@test "killed with a crash before and one behind: only the crashes count" {
	start_server
	seat_two hnefatafl side=attacker
	find_duel
	kill_duel ABRT
	kill_duel
	kill_duel ABRT
	kill_duel
	kill_duel
	kill -ABRT "$DUEL"
	expect_later A 'ABORTED crashed'
}

@test "killed while somebody is away: he comes back with his token, the clock of his grace goes on" {
	start_server
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	expect B 'BOARD *'
	find_duel
	hang_up B
	expect A 'AWAY 1 30'
	kill_duel
	connect B
	send B "RESUME $TOKEN_B"
	expect B "$ID_B"
	expect B 'START 0 ATTACKER 0 *'
	expect B 'BOARD *'
	expect A 'BACK 1'
	kill_duel
	send A 'MOVE 3 0 3 1'
	expect B 'STATE 0 3 0 3 1 1'
}

@test "killed with somebody on his way back: he gets there" {
	start_server
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	expect B 'BOARD *'
	find_duel
	pause "$DUEL"
	connect C
	send C "RESUME $TOKEN_B"
	kill_duel
	expect C "$ID_B"
	expect C 'START 0 ATTACKER 0 *'
	expect C 'BOARD *'
	expect_eof B
	send A 'MOVE 3 0 3 1'
	expect A 'STATE 0 3 0 3 1 0'
	expect C 'STATE 0 3 0 3 1 1'
}

@test "killed with a newcomer on his way to a memory table: he gets a seat" {
	start_server
	seat_two memory
	expect A 'BOARD *'
	expect B 'BOARD *'
	find_duel
	pause "$DUEL"
	connect C
	send C 'PLAY memory name=cem'
	expect C 'ID *'
	kill_duel
	expect_later C 'START 1 SEAT 2 * names=anna,ben,cem'
	expect_later A 'STATE 2 join 1'
	kill_duel
	send C 'MOVE 0 0'
	expect_later C 'STATE 2 first 0 0 *'
	expect_later B 'STATE 2 first 0 0 *'
}

@test "killed in the middle of a LIST: it comes whole, nobody twice" {
	local n
	start_server
	for ((n = 0; n < 100; n++)); do
		connect "W$n"
		send "W$n" "PLAY tictactoe table=t$n wait=100"
	done
	for ((n = 0; n < 100; n++)); do
		expect "W$n" 'ID *'
	done
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	find_duel
	for n in 1 2 3; do
		send A LIST
		kill_duel
		local -A seen=()
		while read_line A "$DEADLINE" && [[ $LINE != END ]]; do
			[[ ! ${seen[$LINE]-} ]] || fail "twice: $LINE"
			seen[$LINE]=1
		done
		[[ ${#seen[@]} == 101 ]] || fail "${#seen[@]} entries in LIST $n"
		send A 'MOVE 3 0 3 0'
		expect A 'ERROR illegal-move *'
	done
}

@test "killed in the middle of a LIST of somebody whose table has ended: it comes whole, then the end" {
	local n count=0
	start_server
	for ((n = 0; n < 40; n++)); do
		connect "W$n"
		send "W$n" "PLAY tictactoe table=t$n wait=100"
	done
	for ((n = 0; n < 40; n++)); do
		expect "W$n" 'ID *'
	done
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	expect B 'BOARD *'
	find_duel
	pause "$SERVER_PID"
	send A LIST
	wait_until grep -q ' said 0 [0-9]* LIST' "$(unfinished)"
	send B RESIGN
	expect B 'LOSE resigned'
	kill -KILL "$DUEL"
	kill -CONT "$SERVER_PID"
	while read_line A "$DEADLINE" && [[ $LINE != END ]]; do
		count=$((count + 1))
	done
	((count == 40)) || fail "$count entries"
	expect A 'WIN resigned'
	expect A 'ROUND 1 1 1 0'
}

heard_of_lists() { # COUNT
	[[ $(grep -c ' said 0 [0-9]* LIST' "$(unfinished)") == "$1" ]]
}

@test "a LIST told while its duel is being born again: what comes behind the next one stays behind it" {
	local n spawner many
	start_server
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	find_duel
	spawner=$(spawner_pid)
	pause "$SERVER_PID"
	send A LIST
	wait_until heard_of_lists 1
	pause "$spawner"
	kill -KILL "$DUEL"
	wait_until grep -q '^State:.Z' "/proc/$DUEL/status"
	kill -CONT "$SERVER_PID"
	expect A "${ID_B:3:36} *"
	expect A END
	# the next one asks for that LIST again, though the server has said already that it is told
	pause "$SERVER_PID"
	send_raw A 'LIST\nHELLO\n'
	kill -CONT "$spawner"
	wait_until heard_of_lists 2
	# others have so much to ask that A's LIST is told late
	printf -v many 'GAMES\\n%.0s' {1..100}
	for ((n = 0; n < 40; n++)); do
		connect "W$n"
		send_raw "W$n" "$many"
	done
	kill -CONT "$SERVER_PID"
	expect A "${ID_B:3:36} *"
	expect A END
	expect A 'ERROR unknown-command *'
}

@test "the server killed and started again: RESUME takes each seat back, the game goes on" {
	start_server
	local port=$PORT
	seat_two hnefatafl side=attacker
	expect A 'BOARD *'
	expect B 'BOARD *'
	send A 'MOVE 3 0 3 1'
	expect A 'STATE 0 3 0 3 1 0'
	expect A 'BOARD *'
	local board=$LINE
	expect B 'STATE *'
	expect B 'BOARD *'
	kill -KILL "$SERVER_PID"
	expect_eof A
	expect_eof B
	start_server_on "$port"
	grep -q 'info recovered table=0 duel=.* game=hnefatafl' "$SERVER_LOG"
	connect A
	send A "RESUME $TOKEN_A"
	expect A "$ID_A"
	expect A "START 0${START_A#START 1}"
	expect A "$board"
	connect B
	send B "RESUME $TOKEN_B"
	expect B "$ID_B"
	expect B "START 1${START_B#START 0}"
	expect B "$board"
	expect A 'BACK 1'
	send B 'MOVE 4 3 3 3'
	expect B 'STATE 1 4 3 3 3 0'
	expect A 'STATE 1 4 3 3 3 1'
	# the new server can lose the duel as well
	find_duel
	kill_duel
	send A RESIGN
	expect_later A 'LOSE resigned'
	expect_later B 'WIN resigned'
	wait_until has_unfinished 0
}

@test "the server killed: who does not come back within the grace has left; a classic player at once" {
	start_server --grace 3
	local port=$PORT
	seat_two hnefatafl side=attacker
	connect C
	connect D
	send C 'PLAY tictactoe name=cem'
	expect C 'ID *'
	local token=${LINE##* }
	send D PLAY
	expect_later D 'START *'
	wait_until has_unfinished 2
	kill -KILL "$SERVER_PID"
	start_server_on "$port" --grace 3 # time enough for two to come back
	connect C
	send C "RESUME $token"
	connect A
	send A "RESUME $TOKEN_A"
	expect_later C 'WIN left'
	expect A "$ID_A"
	expect_later A 'WIN left'
	expect A 'ROUND 1 1 1 0'
	wait_until has_unfinished 0
}

@test "the server killed, and nobody comes back: the tables end by themselves" {
	start_server --grace 1
	seat_two qwirkle
	find_duel
	kill -KILL "$SERVER_PID"
	start_server_on "$PORT" --grace 1
	wait_until has_unfinished 0
	wait_until has_no_duel
	wait_until grep -q 'info round-ended .* why=aborted' "$SERVER_LOG"
}

@test "a journal whose last line is half is cut; a damaged one is set aside, the others go on" {
	start_server
	local port=$PORT good bad torn=$'20000 said 0 99999 MOV'
	seat_two hnefatafl side=attacker
	send A 'MOVE 3 0 3 1'
	expect_later B 'STATE 0 3 0 3 1 1'
	good=$(unfinished)
	rename A X
	rename B Y
	local token=$TOKEN_A
	seat_two tictactoe
	bad=$(unfinished | grep -vx "$good")
	kill -KILL "$SERVER_PID"
	wait_until has_no_family "$SERVER_PID"
	printf '%s' "$torn" >>"$good"
	printf '5 nonsense\n' >>"$bad"
	printf 'rubbish\n' >"$HOLMGANG_STATE/journals/7"
	printf '\nholmgang 1 2026-11-18T15:04:05Z\n' >"$HOLMGANG_STATE/journals/8"
	start_server_on "$port"
	connect X
	send X "RESUME $token"
	expect_later X 'START 0 ATTACKER 1 *'
	wait_until has_unfinished 1
	wait_until grep -q "warn journal-set-aside table=${bad##*/} .*crashed" "$SERVER_LOG"
	[[ -e $(echo "$HOLMGANG_STATE"/aside/7-*.damaged) && ! -s $HOLMGANG_STATE/journals/8 ]]
	grep -q "^5 nonsense" "$HOLMGANG_STATE"/aside/*.crashed
	run ! grep -q nonsense "$bad"
	wait_until grep -q 'error journal-not-playable ' "$SERVER_LOG"
	! grep -q "$torn" "$good" || fail 'the half line is still there'
	send X RESIGN
	expect_later X 'LOSE resigned'
}

@test "journals are for the server's user only, and hold what was said, printable" {
	start_server
	seat_two hnefatafl side=attacker
	send A $'MOVE \e[31m\\ 0'
	expect_later A 'ERROR bad-argument *'
	[[ $(stat -c %a "$(unfinished)") == 600 ]]
	[[ $(stat -c %a "$HOLMGANG_STATE/journals") == 700 ]]
	# what is not printable is part of no move, and left out
	grep -Eq '^[0-9]+ said 0 [0-9]+ MOVE$' "$(unfinished)"
	send A 'MOVE \ 0'
	expect_later A 'ERROR bad-argument *'
	grep -Eq '^[0-9]+ said 0 [0-9]+ MOVE \\5c 0$' "$(unfinished)"
	find_duel
	kill_duel
	send A 'MOVE 3 0 3 1'
	expect A 'STATE 0 3 0 3 1 0'
}

has_kept() { # COUNT
	[[ $("$BUILD/holmgang-viewer" --state "$HOLMGANG_STATE" --games --csv 2>/dev/null | grep -c tictactoe) == "$1" ]]
}

@test "a journal that has become long is begun anew" {
	local journal=$HOLMGANG_STATE/journals/0
	start_server
	seat_two tictactoe
	send A RESIGN
	expect_later B 'WIN resigned'
	wait_until has_unfinished 0
	[[ $(grep -c '^holmgang 1 ' "$journal") == 1 ]]
	rename A X
	rename B Y
	seat_two tictactoe
	[[ $(grep -c '^holmgang 1 ' "$journal") == 2 ]]
	send A RESIGN
	expect_later B 'WIN resigned'
	wait_until has_unfinished 0
	head -c 70000 /dev/zero | tr '\0' '\n' >>"$journal"
	echo '1 over' >>"$journal"
	wait_until has_kept 2 # what is not in the database yet stays
	rename A U
	rename B V
	seat_two tictactoe
	[[ $(grep -c '^holmgang 1 ' "$journal") == 1 && $(stat -c %s "$journal") -lt 1000 ]]
}

@test "--sync: each word is taken, others are refused" {
	local word
	for word in never end move; do
		start_server --sync "$word" --state "$BATS_TEST_TMPDIR/$word"
		seat_two tictactoe
		send A RESIGN
		expect_later B 'WIN resigned'
	done
	run "$BUILD/holmgang-server" --sync always
	[[ $status == 2 && $output == *'--sync needs never, end or move, not "always"'* ]]
}
