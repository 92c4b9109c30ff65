# holmgang-viewer --server: what a server plays is watched without knowing a port.

load ../lib/common
load ../lib/terminal

teardown() {
	terminal_teardown holmgang-viewer
}

# Two sit down at a tictactoe; sets FIRST to who begins.
sit() { # NAME NAME
	local name
	for name in "$1" "$2"; do
		[[ ${CONNECTION[$name]-} ]] || connect "$name"
	done
	send "$1" "PLAY tictactoe name=$1 vs=$2"
	expect_later "$1" 'ID *'
	send "$2" "PLAY tictactoe name=$2 vs=$1"
	expect_later "$1" 'START *'
	FIRST=$2
	if [[ $LINE == 'START 1 '* ]]; then FIRST=$1; fi
	expect_later "$1" 'BOARD *'
	expect_later "$2" 'BOARD *'
}

# Both leave.
part() { # ONE OTHER
	send "$1" LOGOUT
	expect_later "$1" 'ABORTED logout'
	expect_later "$2" 'ROUND *'
}

open_viewer() { # WIDTH HEIGHT ARGUMENT...
	open_terminal "$1" "$2" "LC_ALL=C.UTF-8 '$BUILD/holmgang-viewer' --server 127.0.0.1:$PORT ${*:3}"
}

watch_as_text() {
	start text viewer --ascii --server "127.0.0.1:$PORT"
}

says() { # TEXT
	grep -qF -- "$1" text.log
}

with_ports() { # COUNT
	FIRST_PORT=$(free_port "$1")
	start_server -b "$FIRST_PORT-$((FIRST_PORT + $1 - 1))"
}

@test "tables come and go on the wall as the server tells of them; the end is seen for some seconds" {
	with_ports 3
	open_viewer 100 30
	wait_until shows "nothing is played at 127.0.0.1:$PORT; waiting"
	sit anna ben
	wait_until shows "$FIRST to move"
	wait_until shows "1 duel at 127.0.0.1:$PORT"
	sit cem dora
	wait_until shows "$FIRST to move"
	wait_until shows '2 duels at'
	screen | grep -qE '(anna, ben|ben, anna)  Tic-tac-toe'
	part anna ben
	wait_until shows 'ben wins'
	wait_until shows '1 duel at'
	shows_not 'ben wins'
	part cem dora
	wait_until shows "nothing is played at 127.0.0.1:$PORT; waiting"
	in_tmux send-keys q
	wait_until is_given_back
}

@test "tables without a port are told of" {
	with_ports 1
	open_viewer 100 30
	sit anna ben
	wait_until shows "$FIRST to move"
	shows_not 'no port'
	sit cem dora
	wait_until shows '1 table has no port'
	sit emil fay
	wait_until shows '2 tables have no port'
	# the next one gets the port that is free again
	part anna ben
	part cem dora
	has_the_port() {
		sit gus hans
		wait_until 2 shows gus && return
		part gus hans
		return 1
	}
	wait_until has_the_port
}

@test "a server without ports: all tables are told of" {
	start_server
	sit anna ben
	watch_as_text
	wait_until says '1 table has no port'
}

@test "a port that another program has for itself keeps nobody from the others" {
	with_ports 2
	launch holder "$BUILD/tests/hold_port" "$FIRST_PORT"
	wait_until grep -qx held "$LOG"
	sit anna ben
	sit cem dora
	watch_as_text
	wait_until grep -q "^port $((FIRST_PORT + 1)) duel" text.log
	wait_until says "port $FIRST_PORT is in use by another program"
}

@test "--player: one board, from duel to duel and port to port" {
	with_ports 3 # one is always free
	sit cem dora
	sit anna ben
	open_viewer 80 24 --player anna
	wait_until shows "$FIRST to move"
	shows_not cem
	part anna ben
	wait_until shows 'anna is at no table; waiting'
	# the board stays until the next one
	wait_until shows 'ben wins'
	part cem dora
	# with somebody else, and on the other port
	sit emil anna
	wait_until shows emil
	wait_until shows "$FIRST to move"
	sit cem dora
	part emil anna
	wait_until shows 'anna is at no table; waiting'
	shows_not cem
	shows '1 duel at'
}

@test "as text: each state, on the port that it has; --svg: the first board" {
	with_ports 2
	watch_as_text
	wait_until says "nothing is played at 127.0.0.1:$PORT; waiting"
	sit anna ben
	wait_until grep -q "^port $FIRST_PORT duel .* n=0$" text.log
	send "$FIRST" 'MOVE 1 1'
	wait_until grep -q "^port $FIRST_PORT duel .* n=1$" text.log
	sit cem dora
	wait_until grep -q "^port $((FIRST_PORT + 1)) duel .* n=0$" text.log
	run timeout 30 "$BUILD/holmgang-viewer" --server "127.0.0.1:$PORT" --player dora --svg board.svg
	[[ $status == 0 && $(<board.svg) == *dora* ]]
}

@test "no server: said once, and tried again until there is one, and again when it has gone" {
	PORT=$(free_port)
	watch_as_text
	wait_until says "127.0.0.1:$PORT: Connection refused; trying again"
	start_server_on "$PORT"
	wait_until says "nothing is played at 127.0.0.1:$PORT; waiting"
	kill "$SERVER_PID"
	gone_again() { [[ $(grep -c 'trying again' text.log) -ge 2 ]]; }
	wait_until gone_again
	(($(grep -c 'Connection refused' text.log) <= 2)) || fail "$(<text.log)"
}

@test "a server that lets nobody stay who plays nothing: nothing is said of it" {
	FIRST_PORT=$(free_port)
	start_server -b "$FIRST_PORT" --play-within 1 --debug
	watch_as_text
	wait_until says 'nothing is played'
	let_go_thrice() { (($(grep -c 'disconnected' "$SERVER_LOG") >= 3)); }
	wait_until let_go_thrice
	sit anna ben
	wait_until grep -q "^port $FIRST_PORT duel .* n=0$" text.log
	if says 'trying again'; then fail "$(<text.log)"; fi
}

@test "what is no holmgang-server, or an old one, is told from one" {
	local port
	for words in 'HTTP/1.0 400 Bad Request' 'live tictactoe a,b 1/1 x 9001'; do
		port=$(free_port)
		# shellcheck disable=SC2016 # for the shell that is started
		launch other bash -c 'printf "%s\r\n" "$2" | nc -l 127.0.0.1 "$1"' - "$port" "$words"
		run timeout 30 "$BUILD/holmgang-viewer" --seconds 2 --server "127.0.0.1:$port"
		[[ $output == *"127.0.0.1:$port: this is no holmgang-server; trying again"* ]] || fail "$output"
	done
	port=$(free_port)
	# shellcheck disable=SC2016 # for the shell that is started
	launch old bash -c 'echo "ERROR unknown-command use PLAY" | nc -l 127.0.0.1 "$1"' - "$port"
	run timeout 30 "$BUILD/holmgang-viewer" --seconds 2 --server "127.0.0.1:$port"
	[[ $output == *': this server is too old to tell what is played; trying again'* ]] || fail "$output"
}

@test "--server: wrong words are one line, and exit 2; no host is exit 1" {
	refused() { # STATUS TEXT ARGUMENT...
		run timeout 30 "$BUILD/holmgang-viewer" "${@:3}"
		[[ $status == "$1" && ${#lines[@]} == 1 && $output == *"$2"* ]] || fail "$status: $output"
	}
	refused 1 '--server needs HOST:PORT' --server 127.0.0.1
	refused 1 'there is no host "no.such.host.invalid"' --server no.such.host.invalid:1111
	refused 2 'no port is said' --server 127.0.0.1:1 9001
	refused 2 'say one' --server 127.0.0.1:1 --from 127.0.0.1:2
	refused 2 '--player needs a name' --server 127.0.0.1:1 --player 'a b'
	refused 2 '--player is for --server and --games' --player anna 9001
	refused 2 'kept games' --server 127.0.0.1:1 --games
}
