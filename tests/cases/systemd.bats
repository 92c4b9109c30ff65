# A server as systemd starts it, by a small launcher (unit_start.c): sockets that are passed, readiness,
# watchdog; its journal; the units themselves.

load ../lib/common

# A server on PORT, which the launcher listens on. Sets UNIT, SERVER_PID; what it tells is in states.
start_unit() { # WATCHDOG-USEC ARGUMENT...
	PORT=$(free_port)
	: >states
	# shellcheck disable=SC2016 # for the inner shell
	launch unit sh -c 'exec "$0" "$@" >states 2>server.log' "$BUILD/tests/unit_start" "$PORT" "$1" \
		"$BUILD/holmgang-server" "${@:2}"
	UNIT=$PID
	wait_until told READY=1
	SERVER_PID=$(awk '$1 == "server" { print $2 }' states)
}

title_has() { # TEXT
	[[ $(ps -o args= -p "$SERVER_PID") == *"$1"* ]]
}

told() { # STATE [TIMES]
	[[ $(grep -cx "$1" states) -ge ${2:-1} ]]
}

@test "a socket that is passed: players knock there, and nobody else listens" {
	start_unit 30000000
	connect ann
	send ann 'PLAY tictactoe name=ann'
	expect ann 'ID *'
	[[ $(grep -c ' listening ' server.log) == 1 ]]
	grep -q " listening address=127.0.0.1:$PORT" server.log
	[[ $(ps -o args= -p "$SERVER_PID") == *"port $PORT,"* ]]
}

@test "what was passed is the server's alone: none of its children has it" {
	local inode pid
	start_unit 30000000 --debug
	for name in ann ben; do
		connect "$name"
		send "$name" "PLAY tictactoe name=$name"
	done
	expect_later ann 'START *'
	find_duel
	inode=$(readlink "/proc/$SERVER_PID/fd/3")
	[[ $inode == socket:* ]]
	for pid in $(ps --ppid "$SERVER_PID" -o pid=); do
		run ! grep -qxF "$inode" <<<"$(readlink "/proc/$pid"/fd/*)"
	done
	# not even under another number, over a fork: the flag is set
	grep -q '^flags:.*2[0-9]\{6\}$' "/proc/$SERVER_PID/fdinfo/3"
}

@test "READY, the watchdog's heartbeat with what the server is at, STOPPING" {
	start_unit 1000000
	[[ $(sed -n 2p states) == READY=1 ]]
	wait_until told WATCHDOG=1 3
	connect ann
	wait_until told 'STATUS=1 connections, 0 tables'
	kill -TERM "$UNIT"
	exit_status "$UNIT"
	[[ $STATUS == 0 ]]
	wait_until told STOPPING=1
}

@test "a server that hangs says nothing, and one without a watchdog has nothing to say" {
	local before
	start_unit 1000000
	wait_until told WATCHDOG=1 2
	pause "$SERVER_PID"
	before=$(grep -c WATCHDOG states)
	sleep 1.2 # there is nothing to wait for but that it does not come
	(($(grep -c WATCHDOG states) <= before + 1))
	kill -CONT "$SERVER_PID"
	wait_until told WATCHDOG=1 $((before + 2))
	kill -TERM "$UNIT"
	exit_status "$UNIT"
	# twice in that time, and not each time that the loop looks
	start_unit 20000000
	connect ann
	wait_until title_has '1 connections'
	connect ben
	wait_until title_has '2 connections'
	(($(grep -c WATCHDOG states) <= 1))
	kill -TERM "$UNIT"
	exit_status "$UNIT"
	start_unit 0
	connect ann
	send ann LIST
	expect ann 'END*'
	run ! told WATCHDOG=1
}

@test "a socket that is not for players is refused, and so is --listen beside one" {
	PORT=$(free_port)
	run -1 "$BUILD/tests/unit_start" --datagram "$PORT" 0 "$BUILD/holmgang-server"
	[[ $output == *'descriptor 3, which systemd has passed, is no listening TCP socket'* ]]
	run -1 "$BUILD/tests/unit_start" "$PORT" 0 "$BUILD/holmgang-server" --listen 127.0.0.1
	[[ $output == *'--listen and sockets of systemd'* ]]
}

@test "sockets that were meant for another process are left alone" {
	export LISTEN_PID=$$ LISTEN_FDS=1
	start_server
	connect ann
	send ann LIST
	expect ann 'END*'
}

# --- the journal -------------------------------------------------------------------------------

# With standard error as systemd connects it: a stream that the variable names.
start_in_journal() { # ARGUMENT...
	: >journal
	JOURNAL_STREAM=$(stat -c %d:%i journal)
	export JOURNAL_STREAM
	PORT=$(free_port)
	# shellcheck disable=SC2016 # for the inner shell
	launch journaled sh -c 'exec "$0" "$@" 2>journal' "$BUILD/holmgang-server" "$PORT" \
		--listen 127.0.0.1 "$@"
	SERVER_PID=$PID
	wait_until grep -q ' limits ' journal
}

@test "in the journal a line begins with its priority, and has neither time nor level" {
	start_in_journal --debug
	connect ann
	wait_until grep -qx "<7>holmgang-server\[$SERVER_PID\] connected address=127.0.0.1:[0-9]*" journal
	grep -qx "<6>holmgang-server\[$SERVER_PID\] listening address=127.0.0.1:$PORT" journal
	kill -KILL "$(spawner_pid)"
	wait_until grep -q "<4>holmgang-server\[$SERVER_PID\] spawner-replaced " journal
	run ! grep -v '^<[3467]>' journal
}

@test "the variable alone is no journal" {
	export JOURNAL_STREAM=1:1
	start_server
	[[ $(head -n 1 "$SERVER_LOG") == 20??-??-??T* ]]
}

# --- the units ---------------------------------------------------------------------------------

@test "the units are installed, name the program that is installed beside them, and are understood" {
	local units=$BATS_TEST_TMPDIR/root/usr/local/lib/systemd/system unit
	make -s -C "$ROOT" install BUILD="$BUILD" DESTDIR="$BATS_TEST_TMPDIR/root" >/dev/null
	grep -q '^ExecStart=/usr/local/bin/holmgang-server ' "$units/holmgang.service"
	run ! grep '@bin@' "$units/holmgang.service"
	for unit in service socket; do
		# sections, comments, and words that systemd could have
		run ! grep -nEv '^(#.*|\[(Unit|Service|Socket|Install)\]|[A-Z][A-Za-z]*=.*|)$' "$units/holmgang.$unit"
	done
	if command -v systemd-analyze >/dev/null; then
		sed -i "s|=/usr/local|=$BATS_TEST_TMPDIR/root/usr/local|" "$units/holmgang.service"
		SYSTEMD_UNIT_PATH=$units: run systemd-analyze verify "$units"/holmgang.{service,socket}
		# the page is not where man looks
		run ! grep holmgang < <(grep -v "Command 'man" <<<"$output")
	fi
}

# What the unit starts is a command line that the server takes.
@test "the unit's command line is understood" {
	local words
	read -ra words < <(sed -n 's|^ExecStart=[^ ]*/holmgang-server ||p' "$ROOT/server/holmgang.service")
	words=("${words[@]/\/var\/lib\/holmgang/$BATS_TEST_TMPDIR/lib}")
	start_unit 30000000 "${words[@]//9001-9016/$(free_port)}"
}
