# Bad days: a clock that runs backwards, no descriptors, no processes, duels that are stopped, rubbish among
# the journals, sockets that are used oddly. Those of the disk: full_disk.bats, sync.bats.

load ../lib/common
load ../lib/baddays

# bats test_tags=slow
@test "the clock runs backwards: turns, grace, countdowns and recovery do not notice" {
	local begin
	use_bad_day
	set_day .B
	start_server --grace 3
	seat_two clock=4
	begin=$(now)
	grep -q '^200[01]-.* info listening' "$SERVER_LOG"
	find_duel
	kill_duel
	goes_on
	expect A 'LOSE timeout'
	expect B 'WIN timeout'
	(($(now) - begin > 3900000)) || fail 'the clock was too fast'
	hang_up A
	hang_up B
	seat_two
	begin=$(now)
	hang_up B
	expect A 'AWAY 1 3'
	find_duel
	kill_duel
	expect A 'WIN left'
	(($(now) - begin > 2900000)) || fail 'the grace was too short'
	hang_up A
	seat_two
	goes_on
	kill -KILL "$SERVER_PID"
	expect_eof A
	start_server_on "$PORT"
	wait_until is_logged 'info recovered'
	connect A
	send A "RESUME $TOKEN_A"
	expect_later A 'BOARD *'
	connect B
	send B "RESUME $TOKEN_B"
	expect_later B 'BOARD *'
	expect_later A 'BACK 1'
	goes_on
	connect C
	begin=$(now)
	send C 'PLAY tictactoe wait=1'
	expect_later C 'NO_OPPONENTS'
	(($(now) - begin > 900000)) || fail 'the second was too short'
	# the log goes back in time, and so be it
	[[ $(tail -n 1 "$SERVER_LOG") < $(head -n 1 "$SERVER_LOG") ]]
}

# B goes while C, who has said PLAY, waits at the door.
@test "timers come late: who has the place of one who goes is told so at once, not at the next event" {
	local place
	use_bad_day
	start_server --max-connections 2
	connect A
	connect B
	for place in A B; do
		send "$place" GAMES
		expect_later "$place" END
	done
	# who is refused shows that the door is open again, which it is not for a while when all places are taken
	connect X
	expect X 'ERROR busy *'
	hang_up X
	set_day ...L
	pause "$SERVER_PID"
	connect C
	send C 'PLAY tictactoe name=cem wait=60'
	hang_up B
	kill -CONT "$SERVER_PID"
	expect C 'ID *' 10
	expect C 'NO_OPPONENTS *' 10
	set_day ....
}

# --- descriptors and processes -------------------------------------------------------------------

# A server that is not root's, since root has no limit of processes. Sets AS, how to become its user.
start_server_of_nobody() { # UID [ARGUMENT...]
	local folder BUILD_OF_ALL=$BUILD
	AS=()
	if ((EUID == 0)); then AS=(setpriv --reuid "$1" --regid "$1" --clear-groups); fi
	folder=$(mktemp -d /tmp/holmgang-days.XXXXXX)
	FOLDER=$folder
	chmod 777 "$folder"
	cp "$BUILD/holmgang-server" "$folder"
	# shellcheck disable=SC2034 # for start_server
	BUILD=$folder UNDER=("${AS[@]}") HOLMGANG_STATE=$folder/state
	start_server "${@:2}"
	BUILD=$BUILD_OF_ALL
}

@test "no descriptors when a duel has crashed: its players wait and hear nothing false, then it goes on" {
	start_server
	seat_two
	connect C
	connect D
	send C 'PLAY tictactoe wait=30'
	expect C 'ID *'
	expect C 'NO_OPPONENTS 30'
	find_duel
	prlimit --pid "$SERVER_PID" --nofile=3:
	kill -KILL "$DUEL"
	wait_until is_logged 'warn duel-not-reborn table=0 .*Too many open files.*its players wait'
	send A 'MOVE 3 0 3 1'
	# it is not alone: a table that would be made waits as well, and nobody else is let in
	send D 'PLAY tictactoe wait=30'
	expect D 'ID *'
	expect_nothing D 0.6
	expect_nothing A 0.05
	expect_nothing B 0.05
	send D LIST
	expect D '*anna hnefatafl playing'
	expect D '*ben hnefatafl playing'
	expect D '*anon tictactoe waiting'
	expect D END
	connect E
	wait_until is_logged 'warn door-shut'
	[[ $(logged duel-not-reborn) == 1 && $(logged table-not-made) == 0 ]]
	prlimit --pid "$SERVER_PID" --nofile=1000:
	expect A 'STATE 0 3 0 3 1 0'
	expect B 'STATE 0 3 0 3 1 1'
	expect_later C 'START *'
	expect D 'START *'
	send E GAMES
	expect E 'tictactoe *'
	wait_until is_logged 'info tables-made-again'
	wait_until is_logged 'info duel-reborn table=0'
}

@test "no descriptors for a table: that is said once, however often it is tried" {
	start_server
	connect A
	connect B
	send A GAMES
	send B GAMES
	expect_later A END
	expect_later B END
	prlimit --pid "$SERVER_PID" --nofile=3:
	send A 'PLAY tictactoe wait=30'
	expect_later A 'NO_OPPONENTS *'
	send B 'PLAY tictactoe wait=30'
	wait_until is_logged 'warn table-not-made table=0 .*Too many open files'
	expect B 'ID *'
	expect_nothing B 1 # four tries more
	[[ $(logged table-not-made) == 1 && $(logged journal-not-removed) == 0 ]]
	prlimit --pid "$SERVER_PID" --nofile=1000:
	expect_later A 'START *'
	expect_later B 'START *'
}

@test "too many descriptors in flight when a duel has crashed: it goes on when there are fewer" {
	use_bad_day
	start_server
	seat_two
	find_duel
	set_day ..F
	kill -KILL "$DUEL"
	wait_until is_logged 'warn duel-not-reborn table=0 .*Too many references.*it is tried again'
	send A 'MOVE 3 0 3 1'
	expect_nothing A 0.3
	[[ $(logged duel-given-up) == 0 ]]
	set_day ...
	expect A 'STATE 0 3 0 3 1 0'
	expect B 'STATE 0 3 0 3 1 1'
}

# Processor time that the server has used, in hundredths of a second.
spent() {
	awk '{ print $14 + $15 }' "/proc/$SERVER_PID/stat"
}

@test "no descriptors for who asks about the server: it waits at rest, and answers when there are some again" {
	local before web
	web=$(free_port)
	start_server --metrics "$web"
	prlimit --pid "$SERVER_PID" --nofile=3:
	connect web "$web"
	send_raw web 'GET /metrics HTTP/1.1\r\n\r\n'
	launch ps "$BUILD/holmgang-server" ps
	before=$(spent)
	expect_nothing web 2
	(($(spent) - before < 50)) || fail "the server was busy for $(($(spent) - before)) of 200 ticks"
	run ! is_gone "$PID"
	wait_until is_logged 'warn control-shut .*reason="Too many open files"' 2
	prlimit --pid "$SERVER_PID" --nofile=1000:
	expect web 'HTTP/1.1 200 OK*'
	exit_status "$PID"
	[[ $STATUS == 0 ]]
	grep -q "^server .* port $PORT, " "$LOG"
}

@test "the spawner has no descriptors when a duel has crashed: another takes its place" {
	start_server
	seat_two
	find_duel
	prlimit --pid "$(spawner_pid)" --nofile=3:
	kill_duel
	wait_until is_logged 'warn spawner-replaced'
	goes_on
}

@test "no processes when a duel has crashed, not even a spawner: it is tried until there are" {
	start_server_of_nobody 64322
	seat_two
	find_duel
	"${AS[@]}" prlimit --pid "$(spawner_pid)" --nproc=1:
	kill -KILL "$DUEL"
	send A 'MOVE 3 0 3 1'
	wait_until is_logged 'warn duel-not-reborn table=0 .*Resource temporarily unavailable'
	expect_nothing A 0.6
	expect_nothing B 0.05
	[[ $(logged duel-not-reborn) == 1 ]]
	# now the server itself cannot fork either
	"${AS[@]}" prlimit --pid "$SERVER_PID" --nproc=1:
	kill -KILL "$(spawner_pid)"
	wait_until is_logged 'warn spawner-not-started'
	expect_nothing A 0.6
	expect_nothing B 0.05
	[[ $(logged spawner-not-started) == 1 ]]
	"${AS[@]}" prlimit --pid "$SERVER_PID" --nproc=4000:
	expect A 'STATE 0 3 0 3 1 0'
	expect B 'STATE 0 3 0 3 1 1'
}

@test "a player lost while his duel cannot be born: the others hear AWAY when it is, and he may come back" {
	start_server
	seat_two
	find_duel
	prlimit --pid "$SERVER_PID" --nofile=3:
	kill -KILL "$DUEL"
	wait_until is_logged 'warn duel-not-reborn'
	hang_up B
	expect_nothing A 0.3
	prlimit --pid "$SERVER_PID" --nofile=1000:
	expect A 'AWAY 1 30'
	connect B
	send B "RESUME $TOKEN_B"
	expect_later B 'BOARD *'
	expect A 'BACK 1'
	goes_on
}

# --- stopped processes ---------------------------------------------------------------------------

@test "duels that are stopped: said so, moves made meanwhile count, the clock runs on, others play" {
	local slow
	start_server
	seat_two clock=4 table=slow
	rename A SLOW_A
	rename B SLOW_B
	seat_two clock=4 table=slower rounds=2
	rename A SLOWER_A
	rename B SLOWER_B
	wait_until has_duels 2
	slow=$(duel_pids)
	# shellcheck disable=SC2086 # they are two
	pause $slow
	wait_until is_logged 'warn duel-stopped table=0 '
	wait_until is_logged 'warn duel-stopped table=1 '
	send SLOW_A 'MOVE 3 0 3 1'
	seat_two
	goes_on
	send A LIST
	expect_later A END
	expect_nothing SLOW_B 4.1 # longer than the clock
	expect_nothing SLOWER_B 0.1
	xargs kill -CONT <<<"$slow"
	wait_until is_logged 'info duel-continued table=0 '
	wait_until is_logged 'info duel-continued table=1 '
	expect SLOW_A 'STATE 0 3 0 3 1 0'
	expect SLOW_B 'STATE 0 3 0 3 1 1'
	expect SLOWER_A 'LOSE timeout'
	expect SLOWER_B 'WIN timeout'
}

@test "the spawner is stopped when a duel has crashed: another takes its place, nobody hears a thing" {
	local old
	start_server
	seat_two
	find_duel
	old=$(spawner_pid)
	pause "$old"
	kill -KILL "$DUEL"
	send A 'MOVE 3 0 3 1'
	expect A 'STATE 0 3 0 3 1 0'
	expect B 'STATE 0 3 0 3 1 1'
	wait_gone "$old"
	wait_until is_logged 'warn spawner-replaced .*"no answer"'
}

# --- the folder of journals ----------------------------------------------------------------------

@test "whatever is among the journals: it is left, or set aside, and said so; the games go on" {
	local folder n
	start_server_of_nobody 64323
	folder=$HOLMGANG_STATE/journals
	seat_two
	goes_on
	kill -KILL "$SERVER_PID"
	expect_eof A
	wait_until has_no_family "$SERVER_PID"
	echo 'to do: wash up' >"$folder/README"
	mkdir "$folder/1"
	ln -s "$folder/0" "$folder/2"
	touch "$folder/3"
	cp "$folder/README" "$folder/4"
	chmod 0 "$folder/4"
	mkfifo "$folder/5"
	cp "$folder/README" "$folder/6"
	launch holder flock --no-fork "$folder/6" sleep 1000
	chmod 666 "$folder/"[356]
	wait_until is_locked "$folder/6"
	cp "$folder/README" "$folder/8"
	cp "$folder/README" "$folder/08"
	chmod 666 "$folder/"*8
	start_server_of_nobody_again
	for n in 1 2 4 5 6; do
		wait_until is_logged "warn journal-not-read name=$n .*it stays where it is"
		[[ -e $folder/$n || -L $folder/$n ]]
	done
	[[ -e $folder/README && -e $folder/08 && ! -s $folder/3 && ! -e $folder/8 ]]
	cmp "$HOLMGANG_STATE"/aside/8-*.damaged "$folder/README"
	[[ $(logged 'info recovered') == 1 ]]
	connect A
	send A "RESUME $TOKEN_A"
	expect_later A 'BOARD *'
	connect B
	send B "RESUME $TOKEN_B"
	expect_later B 'BOARD *'
	expect_later A 'BACK 1'
	goes_on
}

is_locked() { # FILE
	! flock -n "$1" true
}

start_server_of_nobody_again() {
	local BUILD=$FOLDER
	start_server_on "$PORT"
}

# bats test_tags=slow
@test "200 journals at once: all are played on, all end when nobody comes back" {
	local duel uuid tokens=() n
	start_server --grace 6
	seat_two
	goes_on
	kill -KILL "$SERVER_PID"
	expect_eof A
	wait_until has_no_family "$SERVER_PID"
	cd "$HOLMGANG_STATE/journals"
	duel=$(awk '$1 == "table" { print $3 }' 0)
	for ((n = 100; n < 300; n++)); do
		uuid=${duel%???}$n
		tokens+=("${TOKEN_A%???}$n")
		sed "s/$duel/$uuid/; s/$TOKEN_A/${TOKEN_A%???}$n/; s/$TOKEN_B/${TOKEN_B%???}$n/" ./0 >"$n"
	done
	rm 0
	warranted ./*
	start_server_on "$PORT"
	[[ $(logged 'info recovered') == 200 ]]
	for n in 0 99 199; do
		connect "A$n"
		send "A$n" "RESUME ${tokens[n]}"
		expect_later "A$n" 'BOARD *'
	done
	for n in 0 99 199; do
		expect_later "A$n" 'WIN left'
	done
	wait_until has_duels 0
	wait_until has_unfinished 0
}

# --- odd sockets ---------------------------------------------------------------------------------

trick() { # WHAT NAME [TEXT]
	"$BUILD/tests/socket_trick" "$1" "${CONNECTION[$2]}" "${@:3}"
}

@test "half-closed with a move before the end, and the duel killed: the move counts, then he is away" {
	start_server
	seat_two
	find_duel
	pause "$DUEL"
	send A 'MOVE 3 0 3 1'
	trick end A
	kill_duel
	expect A 'STATE 0 3 0 3 1 0'
	expect A 'BOARD *'
	expect_eof A
	expect B 'STATE 0 3 0 3 1 1'
	expect B 'BOARD *'
	expect B 'AWAY 0 30'
	kill_duel
	connect A
	send A "RESUME $TOKEN_A"
	expect_later A 'BOARD *'
	expect B 'BACK 0'
	move B A 1 '4 3 3 3'
}

@test "half-closed in the middle of a line, and the duel killed: the half line did not happen" {
	start_server
	seat_two
	find_duel
	pause "$DUEL"
	send_raw A 'MOVE 3 0 3 1\nRESI'
	trick end A
	kill_duel
	expect A 'STATE 0 3 0 3 1 0'
	expect A 'BOARD *'
	expect_eof A
	expect_later B 'AWAY 0 30'
	connect A
	send A "RESUME $TOKEN_A"
	expect_later A 'START 0 *'
}

@test "urgent bytes are bytes like others, also when the duel is killed around them" {
	start_server
	seat_two
	find_duel
	trick urgent A $'MOVE 3 0 3 1\nM'
	send_raw A 'OVE 3 0 3 0\n'
	expect A 'STATE 0 3 0 3 1 0'
	expect A 'BOARD *'
	expect A 'ERROR not-your-turn *'
	kill_duel
	expect B 'STATE 0 3 0 3 1 1'
	expect B 'BOARD *'
	move B A 1 '4 3 3 3'
	pause "$DUEL"
	trick urgent A $'MOVE 3 1 3 0\nR'
	kill_duel
	expect A 'STATE 0 3 1 3 0 0'
	send_raw A 'ESIGN\n'
	expect_later A 'LOSE resigned'
	expect_later B 'WIN resigned'
}

@test "a journal that another process has is not written by a new table: the server knows, and a crash ends it" {
	local folder=$HOLMGANG_STATE/journals
	mkdir -p "$folder"
	touch "$folder/0"
	launch holder flock --no-fork "$folder/0" sleep 1000
	wait_until is_locked "$folder/0"
	start_server
	for name in A B; do
		connect "$name"
		send "$name" "PLAY tictactoe name=$name"
		expect "$name" 'ID *'
	done
	expect_met A 'START *'
	expect B 'START *'
	wait_until grep -q 'warn journal-none table=0 ' "$SERVER_LOG"
	expect A 'BOARD *'
	find_duel
	kill -KILL "$DUEL"
	expect A 'ABORTED crashed'
	[[ ! -s $folder/0 ]]
}
