#!/usr/bin/env bats
#
# The front door: what somebody new types first, and what the programs answer when it is not quite right.

load ../lib/common
load ../lib/terminal
load ../lib/player
load ../lib/tree

setup_file() {
	make_tree
}

teardown() {
	local bad=0
	end_ours
	terminal_teardown holmgang-player || bad=1
	rm -rf "$TREE/run"
	return "$bad"
}

# --- what is said about a command line ----------------------------------------------------------

says() { # TEXT PROGRAM ARGUMENT...
	run timeout 20 "$BUILD/holmgang-$2" "${@:3}"
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *"$1"*"--help)" ]] || fail "status $status: $output"
}

@test "an option that is not known is named, and the one that was meant" {
	says 'no option --lisen; did you mean --listen?' server --lisen
	says 'no option --lissten; did you mean --listen?' server --lissten=127.0.0.1
	says 'no option --nonsense (see' server --nonsense
	says 'no option -x (see' server -x
	says '-b needs a value' server 1111 -b
	says '--listen needs a value' server --listen
	says '--no-fork takes no value' server --no-fork=3
	says 'did you mean --json?' server ps --jsn
	says 'did you mean --game?' player --gme quantik
	says 'no option -x (see' player -x
	says '-g needs a value' player -g
	says '--seed needs a value' player --seed
	says 'did you mean --seconds?' viewer --secnds 3
	says 'did you mean --listen?' web --lisen
	says '-lisen' arena --lisen
}

@test "a game that is not known: the games are listed" {
	says 'no game "chess"' player -g chess
	[[ $output == *tictactoe*hnefatafl*quantik*qwirkle*memory* ]] || fail "$output"
}

@test "a level that is not known: the levels are listed, and a host behind --bot is still a host" {
	says '"medium"' player --bot=medium
	says '"medium"' player --bot medium
	[[ $output == *strong*easy*random* && $output == *host* ]] || fail "$output"
	start_server
	start numeric player --bot 127.0.0.1 "$PORT" --key wait=60
	start named player --bot localhost "$PORT" --key wait=60 --key table=other
}

# --- names ---------------------------------------------------------------------------------------

# Is the one who waits at this table called so? A raw player meets it.
meets() { # TABLE NAME
	connect "ben$1"
	send "ben$1" "PLAY tictactoe name=ben table=$1 legal=on"
	expect_later "ben$1" 'START *'
	[[ $LINE == *names=* && " ${LINE#*names=} " == *[\ ,]"$2"[\ ,]* ]] || fail "$2 is not in $LINE"
}

@test "who plays alone and has no name is called by what plays, and a number" {
	start_server
	export USER=gunnar HOLMGANG_NUMBER
	for HOLMGANG_NUMBER in 1 2 3; do
		start "bot-$HOLMGANG_NUMBER" player 127.0.0.1 "$PORT" --bot strong --key wait=60 \
			--key "table=$HOLMGANG_NUMBER"
	done
	HOLMGANG_NUMBER=7
	start engine player 127.0.0.1 "$PORT" --engine "bash $ROOT/player/engines/dice.sh" --key wait=60 --key table=7
	unset HOLMGANG_NUMBER
	start by-pid player 127.0.0.1 "$PORT" --bot easy --key wait=60 --key table=8
	meets 1 strong-1
	# 2 and 3 are for the server's own computers
	meets 2 strong-4
	meets 3 strong-5
	meets 7 engine-9
	meets 8 "easy-$((PID + 2))"
}

# --- pace ----------------------------------------------------------------------------------------

@test "with a pace the end of a duel stands before the next one begins; without one it does not" {
	local ended
	start_server
	bot paced --pace 300
	ben_asks
	ben_starts
	send ben RESIGN
	expect_later ben 'LOSE resigned'
	wait_until grep -q '^duel ' "$LOG"
	ended=$(now)
	send ben 'PLAY tictactoe name=ben wait=60'
	expect_later ben 'START *'
	(($(now) - ended > 400000)) || fail "it asked again at once"
}

# --- the arena -----------------------------------------------------------------------------------

@test "the arena's tables fit a terminal: what has no room is in a further part" {
	open_terminal 60 40 "'$BUILD/holmgang-arena' -game tictactoe -engine bot=easy name=a-name-of-a-length \
		-engine bot=random -rounds 1 -games 2 -repeat"
	see 'status=0'
	screen
	(($(screen | grep -c '^ *name  *[a-zA-Z]') > 1))
	screen | grep -q 'illegal *$'
	# each row of it begins with its place and name, so none was broken
	[[ $(screen | grep -cE '^ ?[12]  (a-name-of-a-length|random2) +[-+0-9]') == 8 ]]
}

# --- a server at a key -----------------------------------------------------------------------------

server_pid_at() { # PORT
	pgrep -f "^holmgang-server: port $1," || pgrep -f "^$BUILD/holmgang-server $1 "
}

no_server_at() { # PORT
	! server_pid_at "$1" >/dev/null
}

@test "without a server a player says which command starts one, and without a terminal that is all" {
	local port
	port=$(free_port)
	run "$BUILD/holmgang-player" --bot 127.0.0.1 "$port" </dev/null
	[[ $status == 1 && ${#lines[@]} == 1 && $output == *refused*"holmgang-server $port --interface lo --listen 127.0.0.1"* ]] ||
		fail "$output"
	run "$BUILD/holmgang-player" no.such.host.invalid "$port" </dev/null
	[[ $status == 1 && ${#lines[@]} == 1 && $output != *holmgang-server* ]] || fail "$output"
}

# Sets PORT and SERVER.
start_by_key() {
	PORT=$(free_port 5)
	open_terminal 100 24 "LC_ALL=C HOLMGANG_STATE='$HOLMGANG_STATE' '$BUILD/holmgang-player' 127.0.0.1 $PORT"
	see 'Press p to start one'
	no_server_at "$PORT"
	keys p
	see "$PORT"
	see 'Play'
	SERVER=$(server_pid_at "$PORT")
}

@test "at a terminal it offers to start one, which ends with it" {
	start_by_key
	connect anna
	keys q
	given_back_with 0
	wait_gone "$SERVER"
	[[ $(<"$HOLMGANG_STATE/server-of-player.log") == *stopped* ]]
}

@test "a server that was started at a key ends though its player is killed" {
	start_by_key
	kill -KILL "$(player_pid)"
	wait_until no_server_at "$PORT"
	wait_gone "$SERVER"
}

@test "a server that was started at a key ends when the window is closed" {
	start_by_key
	in_tmux kill-server
	wait_until no_server_at "$PORT"
	wait_gone "$SERVER"
}

@test "any other key, or a signal, starts none; who waits for --ready-fd is not asked" {
	local port
	port=$(free_port 5)
	open_terminal 100 24 "HOLMGANG_STATE='$HOLMGANG_STATE' '$BUILD/holmgang-player' 127.0.0.1 $port"
	see 'Press p to start one'
	keys x
	given_back_with 1
	no_server_at "$port"
	close_terminal
	open_terminal 100 24 "HOLMGANG_STATE='$HOLMGANG_STATE' '$BUILD/holmgang-player' 127.0.0.1 $port"
	see 'Press p to start one'
	kill -TERM "$(player_pid)"
	given_back_with 0
	close_terminal
	open_terminal 100 24 "'$BUILD/holmgang-player' 127.0.0.1 $port --ready-fd 3 3>/dev/null"
	see 'status=1'
	shows_not 'Press p'
}

@test "a server that cannot be started at a key says why" {
	start_server
	PORT=$(free_port 5)
	open_terminal 160 24 "HOLMGANG_STATE='$HOLMGANG_STATE' '$BUILD/holmgang-player' 127.0.0.1 $PORT"
	see 'Press p to start one'
	keys p
	see 'no server could be started'
	see "is used by the server with pid $SERVER_PID"
	given_back_with 1
}

# --- what the pages have people type ----------------------------------------------------------------

# Prints the block of a page that has this text, for a server at PORT on this machine.
block_with() { # PAGE TEXT
	awk -v text="$2" '
		/^```/ { if (inside && index(block, text)) { printf "%s", block; exit } inside = !inside; block = ""; next }
		inside { block = block $0 "\n" }' "$ROOT/$1" |
		sed -E "s/\<1111\>/$PORT/g; s/ -b 9001-9004/& --listen 127.0.0.1/; s/\<9001-9004\>/$((PORT + 1))-$((PORT + 4))/"
}

@test "README's bot in a few lines of bash says how its duel ended, and ends" {
	start_server
	block_with README.md 'name=dice' >dice
	run timeout 60 bash dice
	[[ $status == 0 && ${#lines[@]} == 1 && $output =~ ^(WIN|LOSE|UNRESOLVED)\  ]] || fail "$output"
}

@test "the first bot plays a duel against the server's computer, and its result is in a file" {
	PORT=$(free_port)
	cd "$TREE"
	PORT=1111 block_with player/engines/README.md 'LEGAL' >first.sh
	block_with player/engines/README.md 'bash first.sh' | sed 's/^\.\/compile_linux.*//; s/holmgang-player/& 127.0.0.1 '"$PORT/" >typed
	run timeout 60 bash typed
	[[ $status == 0 && ${lines[-1]} == 'duel '*' opponent=easy'* && $(<first.log) == "${lines[-1]}" ]] || fail "$output"
	./kill_all
	rm first.sh first.log typed
}
