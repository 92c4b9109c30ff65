# The server as a program: its command line, its processes, and bad days.

load ../lib/common

# Two classic players NAME1 and NAME2 at a table.
seat_two() { # NAME1 NAME2
	connect "$1"
	connect "$2"
	send "$1" PLAY
	expect "$1" 'ID *'
	expect "$1" 'NO_OPPONENTS *'
	send "$2" PLAY
	expect "$2" 'ID *'
	expect_met "$1" 'START *'
	MOVER=$2 OTHER=$1
	if [[ $LINE == 'START 1'* ]]; then MOVER=$1 OTHER=$2; fi
	expect "$2" 'START *'
}

# The table of the last seat_two goes on.
goes_on() {
	send "$MOVER" "MOVE $1 $2"
	expect "$OTHER" "STATE $1 $2 1"
	local swap=$MOVER
	MOVER=$OTHER OTHER=$swap
}

has_zombie() {
	[[ $(ps --ppid "$SERVER_PID" -o stat=) == *Z* ]]
}

count_descriptors() {
	find "/proc/$SERVER_PID/fd" -type l | wc -l
}

# No duel is left, nor anything that A, who is in the lobby, could find the server busy with.
settle() {
	has_only_helpers() {
		[[ $(ps --ppid "$SERVER_PID" -o pid= | wc -l) == 3 ]] # spawner, recorder and house
	}
	wait_until has_only_helpers
	send A LIST
	expect_later A END
}

refuses() { # STATUS PATTERN ARGUMENT...
	run "$BUILD/holmgang-server" --state "$BATS_TEST_TMPDIR/refused" --interface lo "${@:3}"
	# shellcheck disable=SC2053 # it is a pattern
	[[ $status == "$1" && ${#lines[@]} == 1 && $output == $2 ]] || fail "status $status: $output"
}

@test "--help and --version" {
	run "$BUILD/holmgang-server" --help
	[[ $status == 0 && $output == *'--match-timeout S'* ]]
	run "$BUILD/holmgang-server" --version
	[[ $status == 0 && $output == 'holmgang-server '* ]]
}

@test "a command line that cannot be meant: one line, status 2" {
	refuses 2 '*: there is no option --nonsense (see *' --nonsense
	refuses 2 '*PORT needs a number from 1 to 65535, not "0"*' 0
	refuses 2 '*"65536"*' 65536
	refuses 2 '*"80x"*' 80x
	refuses 2 '*said before "5002"*' 5001 5002
	refuses 2 '*-b needs ports*"99999"*' 5001 -b 99999
	refuses 2 '*-b needs ports*"9010-9001"*' 5001 -b 9010-9001
	refuses 2 '*--match-timeout needs a number from 1 to 3600*' --match-timeout 0
	refuses 2 '*--idle needs*' --idle x
	refuses 2 '*--grace needs*' --grace -1
	refuses 2 '*: -b needs a value*' 5001 -b
}

@test "what cannot be had: one line, status 1" {
	local port
	start_server
	refuses 1 "*127.0.0.1:$PORT is in use*" "$PORT" --listen 127.0.0.1
	port=$(free_port)
	refuses 1 '*there is no interface "nowhere0"*' "$port" -b 9001 --interface nowhere0
	refuses 1 '*cannot listen on*' "$port" --listen 203.0.113.7
	refuses 1 '*cannot listen on "no.such.host.invalid"*' "$port" --listen no.such.host.invalid
	run "$BUILD/holmgang-server" "$port" --listen 127.0.0.1 --state /proc/nowhere
	[[ $status == 1 && $output == *'cannot make the state folder /proc/nowhere'* ]]
}

# In a network of its own, whose loopback has no IPv6; or as if.
without_six() { # COMMAND...
	if has_power network; then
		own_namespace --net
		# shellcheck disable=SC2016 # for the inner shell
		UNDER=("${NAMESPACE[@]}" bash -c 'ip link set lo up && ip -6 address flush dev lo && exec "$@"' _)
	else
		use_bad_day
		set_day ......4
	fi
	"$@"
}

@test "localhost is one address where this machine lacks the other; none at all is an error" {
	local port metrics
	port=$(free_port) metrics=$(free_port)
	without_six start_server --listen localhost --metrics "$metrics" --metrics-address localhost
	[[ $(grep -c 'listening address=127.0.0.1:' "$SERVER_LOG") == 2 && $(grep -c 'listening ' "$SERVER_LOG") == 2 ]]
	none() { # PATTERN ARGUMENT...
		run "${UNDER[@]}" "$PROGRAMS/holmgang-server" "$port" --state other --interface lo "${@:2}"
		# shellcheck disable=SC2053 # it is a pattern
		[[ $status == 1 && ${lines[-1]} == $1 ]] || fail "status $status: $output"
	}
	none '*cannot listen on ::1 (name an address of this machine with --listen): *' --listen ::1
	none '*cannot listen on ::1 for metrics (name an address of this machine with --metrics-address): *' \
		--listen localhost --metrics "$metrics" --metrics-address ::1
	# beside one that it has
	none '*cannot listen on ::1 *' --listen 127.0.0.1 --listen ::1
}

# A game at a server that was started with these closed.
plays_without() { # DESCRIPTOR...
	local n
	# shellcheck disable=SC2034 # for start_server
	UNDER=(bash -c "exec \"\$@\" $(printf ' %d>&-' "$@")" _)
	start_server --debug --show-board
	seat_two A B
	goes_on 0 0
	goes_on 1 1
	send "$MOVER" RESIGN
	expect_later "$MOVER" 'ERROR unknown-command *'
	[[ $(<"$HOLMGANG_STATE/server.pid") == "$SERVER_PID" ]] || fail 'server.pid:' "$(<"$HOLMGANG_STATE/server.pid")"
	find_duel
	for n; do
		[[ $(readlink "/proc/$SERVER_PID/fd/$n") == /dev/null && $(readlink "/proc/$DUEL/fd/$n") == /dev/null ]]
	done
	run ! grep -q duel-crashed "$SERVER_LOG"
}

@test "started without standard error: the log goes into nothing that it has opened" {
	plays_without 2
}

@test "started without standard output: boards go into nothing that it has opened" {
	plays_without 1
}

@test "started without any standard descriptor" {
	plays_without 0 1 2
}

@test "--ready-fd: a standard descriptor stays open, and one that nobody has opened is refused" {
	local fd
	PORT=$(free_port)
	launch server "$BUILD/holmgang-server" "$PORT" --listen 127.0.0.1 --debug --ready-fd 2
	SERVER_PID=$PID
	wait_until grep -qx ready "$LOG"
	connect A
	send A GAMES
	expect A 'tictactoe *'
	grep -q ' debug connected ' "$LOG"
	# those that it has itself too; others are the test's
	for fd in $(seq 10 30) 987; do
		[[ ! -e /proc/self/fd/$fd ]] || continue
		refuses 2 "*descriptor $fd is not open*--ready-fd*" "$PORT" --listen 127.0.0.1 --ready-fd "$fd"
	done
}

@test "a second server on the same state folder is refused; after kill -9 the folder is free" {
	local first
	start_server
	first=$SERVER_PID
	run "$BUILD/holmgang-server" "$(free_port)" --listen 127.0.0.1 --state "$HOLMGANG_STATE"
	[[ $status == 1 && $output == *"is used by the server with pid $first"* ]]
	kill -KILL "$first"
	wait_gone "$first"
	start_server
}

@test "processes: spawner and duels are children of the server, and say what they are" {
	start_server
	seat_two A B
	wait_until has_duels 1
	spawner_pid
	run ps --ppid "$SERVER_PID" -o args=
	[[ $output == *'holmgang-duels: spawner'* ]]
	[[ $output == *'holmgang-duels: duel '????????' tictactoe: anon anon, round 1/1'* ]]
	run ps -p "$SERVER_PID" -o args=
	[[ $output == "holmgang-server: port $PORT, "* ]]
	# one duel a table
	seat_two C D
	wait_until has_duels 2
	send A LOGOUT
	wait_until has_duels 1
}

@test "titles are whole even when the environment is empty" {
	PORT=$(free_port)
	launch server env -i "$BUILD/holmgang-server" "$PORT" --listen 127.0.0.1 --state state
	SERVER_PID=$PID
	wait_until grep -q listening "$LOG"
	seat_two A B
	wait_until has_duels 1
	run ps --ppid "$SERVER_PID" -o args=
	[[ $output == *' tictactoe: anon anon, round 1/1'* ]]
}

@test "many duels killed at once: one SIGCHLD may stand for several, no zombie stays" {
	local n
	start_server
	for ((n = 0; n < 20; n++)); do
		seat_two "A$n" "B$n"
	done
	wait_until has_duels 20
	local old
	old=$(duel_pids)
	xargs kill -KILL <<<"$old"
	for ((n = 0; n < 20; n++)); do
		send "A$n" LOGOUT
		expect "A$n" ABORTED
		expect "B$n" ABORTED
	done
	wait_until has_duels 0
	wait_until eval '! has_zombie'
	[[ $(grep -c 'warn duel-crashed' "$SERVER_LOG") == 20 ]]
	seat_two A B
}

@test "a duel has its own table's sockets and no other's" {
	start_server --debug # or only root could look into /proc
	seat_two A B
	seat_two C D
	connect E
	wait_until has_duels 2
	local pid
	for pid in $(duel_pids); do
		# two players; no listening socket, no stranger
		[[ $(find "/proc/$pid/fd" -lname 'socket:*' | wc -l) == 2 ]]
		[[ $(find "/proc/$pid/fd" -lname 'pipe:*' | wc -l) == 2 ]]
	done
	hang_up A
	hang_up C
	expect B ABORTED
	expect D ABORTED
	wait_until has_duels 0
	# where somebody can come back there is a socket on which he does
	send B PLAY
	expect B 'ID *'
	send D 'PLAY tictactoe'
	expect_later D 'START *'
	wait_until has_duels 1
	[[ $(find "/proc/$(duel_pids)/fd" -lname 'socket:*' | wc -l) == 3 ]]
}

# All of them are there when it looks, and have spoken.
@test "who has come in the same turn of the server hears what he would have heard" {
	start_server
	pause "$SERVER_PID"
	for player in A B C; do
		connect "$player"
		send "$player" PLAY
	done
	connect D
	send_raw D 'PLAY quantik name=dora\nLOGOUT\nGAMES\n'
	kill -CONT "$SERVER_PID"
	expect A 'ID *'
	expect A 'NO_OPPONENTS *'
	expect A 'START *'
	expect B 'ID *'
	expect B 'START *'
	# alone: he is told so in that turn, and so before somebody who comes later is answered; not by the
	# countdown, a second after
	connect G
	send G GAMES
	expect_later G END
	expect C 'ID *' 0.2
	expect C 'NO_OPPONENTS *' 0.2
	expect D 'ID *'
	expect_later D 'ABORTED logout'
	expect_later D END
	connect F
	send F PLAY
	expect F 'ID *'
	expect_later F 'START *'
	expect_met C 'START *'
}

@test "players at both families of addresses" {
	needs six
	start_server --listen 127.0.0.1 --listen ::1
	connect A "$PORT" ::1
	connect B
	send A 'PLAY tictactoe name=anna'
	expect A 'ID *'
	send B LIST
	expect B '* ?::1?:*'
	expect B END
	send B PLAY
	expect_later A 'START *'
}

@test "kill -9 of the server: no process outlives it" {
	start_server
	seat_two A B
	wait_until has_duels 1
	kill -KILL "$SERVER_PID"
	wait_until has_no_family "$SERVER_PID"
	expect_eof A
}

@test "the spawner killed or stopped is replaced; live duels go on, new ones begin" {
	start_server
	seat_two A B
	local old
	old=$(spawner_pid)
	kill -KILL "$old"
	wait_until is_only_child spawner "$old"
	goes_on 1 1
	seat_two C D
	goes_on 0 0
	old=$(spawner_pid)
	pause "$old"
	connect E
	connect F
	send E PLAY
	send F PLAY
	expect_later E 'START *'
	expect_later F 'START *'
	wait_gone "$old"
}

@test "fork fails: the players keep their places, hear nothing false, and are seated when it works again" {
	local pid as=() folder
	# root may always fork, so the server runs as somebody who owns nothing else
	if ((EUID == 0)); then as=(setpriv --reuid 64321 --regid 64321 --clear-groups); fi
	folder=$(mktemp -d /tmp/holmgang-fork.XXXXXX)
	chmod 777 "$folder"
	cp "$BUILD"/holmgang-{server,duels,recorder} "$folder"
	PORT=$(free_port)
	launch server "${as[@]}" "$folder/holmgang-server" "$PORT" --listen 127.0.0.1 --state "$folder/state"
	SERVER_PID=$PID
	wait_until grep -q listening "$LOG"
	pid=$(spawner_pid)
	rm -r "$folder"
	"${as[@]}" prlimit --pid "$pid" --nproc=1:
	connect A
	connect B
	send A PLAY
	expect A 'ID *'
	expect A 'NO_OPPONENTS 10'
	send B PLAY
	expect B 'ID *'
	expect_nothing B 1.3
	expect_nothing A 0.1
	wait_until grep -q 'table-not-made' "$LOG"
	# a third one does not overtake them; one who gives up leaves the other looking again
	connect C
	send C 'LIST'
	expect C '*'
	expect C '*'
	expect C END
	"${as[@]}" prlimit --pid "$pid" --nproc=4000:
	expect A 'START *'
	expect B 'START *'
}

# What the server's title says of it, twice a second.
has_connections() { # COUNT
	[[ $(ps -o args= -p "$PID") == *", $1 connections,"* ]]
}

@test "a helper by hand says that only a server starts it, and which version it is" {
	local helper
	for helper in duels recorder; do
		run -2 "$BUILD/holmgang-$helper" "$(free_port)"
		[[ $output == "holmgang-$helper: only a server starts holmgang-$helper "* ]]
		run -0 "$BUILD/holmgang-$helper" --version
		[[ $output == "holmgang-$helper "* && ${output#* } == "$("$BUILD/holmgang-server" --version | cut -d ' ' -f 2)" ]]
	done
}

@test "a server without its helpers, or with others than its own, says so at its start" {
	local helper folder=$BATS_TEST_TMPDIR/installed
	mkdir -p "$folder/bin" "$folder/libexec/holmgang"
	cp "$BUILD/holmgang-server" "$folder/bin"
	refuses() { # PATTERN
		run -1 "$folder/bin/holmgang-server" "$(free_port)" --listen 127.0.0.1
		# shellcheck disable=SC2053 # it is a pattern
		[[ ${#lines[@]} == 1 && $output == $1 ]] || fail "$output"
	}
	for helper in duels recorder; do
		refuses "holmgang-server: holmgang-$helper is missing: it has to lie in $folder/bin or in *"
		echo 'no program' >"$folder/libexec/holmgang/holmgang-$helper"
		refuses "holmgang-server: holmgang-$helper beside $folder/bin cannot be executed: *"
		install /bin/echo "$folder/libexec/holmgang/holmgang-$helper"
		refuses "*is \"*echo (GNU coreutils)*\", and this server needs \"holmgang-$helper *"
		cp "$BUILD/holmgang-$helper" "$folder/libexec/holmgang"
	done
	# now they are there, where an installed server has them
	# shellcheck disable=SC2034 # for start_server
	PROGRAMS=$folder/bin
	start_server
	seat_two A B
}

@test "out of descriptors: who comes too late is told so; players who are in are served" {
	local n
	PORT=$(free_port)
	launch server bash -c "ulimit -n 136; exec '$BUILD/holmgang-server' $PORT --listen 127.0.0.1"
	wait_until grep -q 'limits descriptors=136 connections=28' "$LOG"
	for ((n = 0; n < 29; n++)); do
		connect "X$n"
	done
	wait_until grep -q door-shut "$LOG"
	send X0 PLAY
	expect X0 'ID *'
	expect X0 'NO_OPPONENTS *'
	send X1 PLAY
	expect X1 'ID *'
	expect_met X0 'START *'
	expect X1 'START *'
	send X28 PLAY
	expect X28 'ERROR busy *'
	expect_eof X28
	wait_until grep -q 'connection-refused reason=max-connections address=127.0.0.1:' "$LOG"
	# nobody is told so when there is a place again a moment later
	hang_up X2
	wait_until has_connections 27
	connect Y
	send Y GAMES
	expect_later Y END
	expect_nothing Y 0.5 # longer than the door stays shut behind the last one
	pause "$PID"	     # a moment of its time, not of ours
	connect Z
	send Z GAMES
	hang_up X3
	kill -CONT "$PID"
	expect Z 'tictactoe *'
}

@test "no descriptor at all: accepting pauses and goes on later" {
	start_server
	seat_two A B
	prlimit --pid "$SERVER_PID" --nofile="$(($(count_descriptors) + 2)):"
	connect X
	connect Y
	connect Z
	send Z GAMES
	wait_until grep -q door-shut "$SERVER_LOG"
	goes_on 0 0
	expect_nothing Z 0.1
	hang_up X
	hang_up Y
	expect Z 'tictactoe *'
}

@test "clients that are silent, half, endless, or do not read: nobody else notices" {
	local n
	start_server
	seat_two A B
	for ((n = 0; n < 50; n++)); do
		connect "S$n"
	done
	send_raw S1 'PLA'
	send_raw S2 'PLAY'
	head -c 300000 /dev/urandom >&"${CONNECTION[S3]}" || true
	# asks and never reads
	for ((n = 0; n < 150; n++)); do echo GAMES; done >&"${CONNECTION[S4]}"
	send S5 PLAY
	hang_up S5
	send_raw S6 'PLAY\nLOGOUT\nPLAY\nLOGOUT\nPLAY'
	hang_up S6
	goes_on 0 0
	seat_two C D
	goes_on 2 2
	goes_on 1 1
	send C LIST
	for ((n = 0; n < 3; n++)); do
		expect C '*127.0.0.1:*'
	done
	expect C END
}

@test "many duels: no descriptor, process or zombie is left" {
	local before n
	start_server
	seat_two A B
	send A LOGOUT
	expect A ABORTED
	expect B ABORTED
	settle
	before=$(count_descriptors)
	for ((n = 0; n < 50; n++)); do
		send A PLAY
		send B PLAY
		expect_later A 'START *'
		expect_later B 'START *'
		send B LOGOUT
		expect_later A ABORTED
		expect_later B ABORTED
	done
	settle
	[[ $(count_descriptors) == "$before" ]]
}

@test "SIGTERM while duels are stopped, clients do not read: all processes are gone in 2 s, status 0" {
	start_server -b "$(free_port)"
	seat_two A B
	seat_two C D
	wait_until has_duels 2
	pause "$(duel_pids | head -n 1)"
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	(($(ms_to_stop) < 2000))
	wait_until has_no_family "$SERVER_PID"
}

# Its players do not close when they are let go.
@test "SIGTERM while a duel and the recorder are stopped: all the same in 2 s" {
	start_server
	seat_two A B
	find_duel
	pause "$DUEL" "$(recorder_pid)"
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	(($(ms_to_stop) < 2000)) || fail "it took $(ms_to_stop) ms"
	wait_until has_no_family "$SERVER_PID"
}

@test "SIGINT stops like SIGTERM" {
	start_server
	seat_two A B
	kill -INT "$SERVER_PID"
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	expect A ABORTED
	expect B ABORTED
}

@test "--no-fork: the spawner plays the one table itself, open to a debugger, and the server ends with it" {
	local spawner
	start_server --no-fork -b "$(free_port)"
	spawner=$(spawner_pid)
	seat_two A B
	find_duel
	[[ $DUEL == "$spawner" && ! $(children spawner) ]]
	grep -q '^Seccomp:[[:space:]]*0$' "/proc/$DUEL/status" || [[ $(awk '/^Seccomp_filters:/ { print $2 }' "/proc/$DUEL/status") == \
		$(awk '/^Seccomp_filters:/ { print $2 }' "/proc/$$/status") ]]
	goes_on 0 0
	send A LIST
	expect_later A END
	goes_on 0 1
	goes_on 1 0
	goes_on 1 1
	send "$MOVER" 'MOVE 2 0'
	expect "$MOVER" 'WIN 012'
	expect "$OTHER" 'LOSE 012 2 0'
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
}

@test "--no-fork: a folder with an unfinished game is refused, and the game is kept for a server that plays it" {
	start_server
	seat_two A B
	kill -KILL "$SERVER_PID"
	wait_gone "$SERVER_PID"
	wait_until has_no_family "$SERVER_PID"
	run -1 "$BUILD/holmgang-server" "$(free_port)" --listen 127.0.0.1 --no-fork
	[[ $output == *'has a game that was not finished, and --no-fork plays one new table only: name another folder with --state' ]]
	has_unfinished 1
}

@test "--no-fork: a newcomer joins the one table, and there is no other" {
	local name
	start_server --no-fork
	for name in A B; do
		connect "$name"
		send "$name" 'PLAY memory'
		expect "$name" 'ID *'
	done
	expect_later A 'SCORE *'
	expect_later B 'SCORE *'
	connect C
	send C 'PLAY memory'
	expect_later C 'START 1 SEAT 2 *'
	for name in D E; do
		connect "$name"
		send "$name" PLAY
		expect "$name" 'ID *'
	done
	expect_nothing E
	for name in A B C; do send "$name" LOGOUT; done
	expect E ABORTED
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
}

@test "--debug logs every step, and never a token" {
	start_server --debug
	connect A
	send A 'PLAY tictactoe name=anna'
	expect A 'ID *'
	local token=${LINE##* }
	send A LOGOUT
	expect_later A 'ABORTED logout'
	seat_two C D
	wait_until grep -q 'debug registered id=' "$SERVER_LOG"
	wait_until grep -q 'debug born table=' "$SERVER_LOG"
	if grep -q "$token" "$SERVER_LOG"; then fail 'the log has a token'; fi
}

@test "a duel killed while a half line was waiting: the rest of it is heard by the next, short lines too" {
	start_server
	seat_two A B
	local half=$OTHER
	send_raw "$half" 'RUBBISH of some length without an end'
	send "$MOVER" 'MOVE 0 0'
	expect "$half" 'STATE 0 0 1'
	find_duel
	kill -KILL "$DUEL"
	send_raw "$half" '\n'
	expect "$half" 'ERROR unknown-command *'
	send "$half" X
	expect "$half" 'ERROR unknown-command *'
	send "$half" 'MOVE 1 1'
	expect "$MOVER" 'STATE 1 1 1'
}

# WORDS of PLAY by 200 connections, each at a table of its own.
crowd() {
	local n
	for ((n = 0; n < 200; n++)); do
		connect "W$n"
		send "W$n" "PLAY tictactoe table=t$n wait=100"
	done
	for ((n = 0; n < 200; n++)); do
		expect "W$n" 'ID *'
	done
}

# bats test_tags=slow
@test "a long LIST comes whole, to a stranger, to one who waits, to a player; and who leaves it is noticed" {
	local before n
	start_server
	crowd
	connect A
	send_raw A 'LIST\nFOO\n'
	for ((n = 0; n < 200; n++)); do
		expect A '*-*-*-*-* 127.0.0.1:*'
	done
	expect A END
	expect A 'ERROR unknown-command *'
	send W0 LIST
	for ((n = 0; n < 199; n++)); do
		expect_later W0 '*-*-*-*-* 127.0.0.1:* anon tictactoe waiting'
	done
	expect_later W0 END
	connect B
	send B 'PLAY tictactoe table=t0'
	expect_later W0 'START *'
	find_duel
	server_comes_round # so it has let go of what a birth takes
	before=$(count_descriptors)
	for ((n = 0; n < 20; n++)); do
		connect "L$n"
		send "L$n" LIST
		hang_up "L$n"
	done
	all_are_gone() {
		(($(count_descriptors) <= before))
	}
	wait_until all_are_gone
}

@test "a player lost in the middle of a LIST harms nobody" {
	local n
	start_server
	crowd
	for ((n = 0; n < 10; n++)); do
		connect A
		connect B
		send A 'PLAY tictactoe name=anna'
		expect_later A 'NO_OPPONENTS *'
		send B PLAY
		expect_later B 'START *'
		send B LIST
		hang_up B
		expect_later A 'WIN left'
		expect_later A 'ROUND 1 1 *'
		hang_up A
	done
	if grep -q 'duel-killed\|crashed' "$SERVER_LOG"; then fail 'a duel was ended'; fi
}

@test "a half line said while waiting makes nobody deaf in the duel" {
	start_server
	connect A
	connect B
	send A PLAY
	expect_later A 'NO_OPPONENTS *'
	send_raw A 'RUBBISH, which has no end until later'
	send B LIST
	expect_later B END # so it has been heard
	send B PLAY
	expect_later A 'START *'
	send_raw A '\n'
	expect_later A 'ERROR unknown-command *'
	send A 'LIST'
	expect_later A END
	send B LOGOUT
	expect_later A ABORTED
	send_raw A 'FOO'
	send B LIST
	expect_later B END
	send_raw A '\n'
	expect A 'ERROR unknown-command *'
}

@test "SIGTERM while somebody returns to a duel that does not answer: status 0, all are told" {
	start_server
	connect A
	connect B
	send A 'PLAY tictactoe name=anna'
	expect A 'ID *'
	local token=${LINE##* }
	send B 'PLAY tictactoe name=ben'
	expect_later A 'BOARD *'
	expect_later B 'BOARD *'
	find_duel
	pause "$DUEL"
	connect C
	send C "RESUME $token"
	expect_nothing C 0.2
	kill -TERM "$SERVER_PID"
	hang_up C
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	(($(ms_to_stop) < 2500))
	expect B 'ABORTED shutdown'
}

@test "seats whose connection is lost leave room for their owners at the limit of descriptors" {
	local n tokens=()
	PORT=$(free_port)
	launch server bash -c "ulimit -n 116; exec '$BUILD/holmgang-server' $PORT --listen 127.0.0.1"
	wait_until grep -q listening "$LOG"
	for ((n = 0; n < 18; n++)); do
		connect "P$n"
		send "P$n" "PLAY tictactoe table=t$((n / 2))"
		expect "P$n" 'ID *'
		tokens+=("${LINE##* }")
	done
	connect X
	expect X 'ERROR busy *'
	hang_up X
	for ((n = 0; n < 18; n++)); do
		expect_later "P$n" 'BOARD *'
		hang_up "P$n"
	done
	wait_until has_connections 0
	for ((n = 0; n < 18; n++)); do
		connect "R$n"
		send "R$n" "RESUME ${tokens[n]}"
		expect "R$n" 'ID *'
	done
}
