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
	lists_games
	says '"chess"' arena -game chess
	lists_games
	says '"chess"' viewer --games --game chess
	lists_games
	says '"chess"' viewer --ratings chess
	lists_games
	says '"chess"' rules chess
	lists_games
}

lists_games() {
	[[ $output == *tictactoe*hnefatafl*quantik*qwirkle*memory* ]] || fail "$output"
}

@test "a port where a host belongs is not waited for" {
	says '127.0.0.1 1111' player 1111
	says '127.0.0.1 1111' player --bot easy 1111
}

@test "a level that is not known: the levels are listed, and a host behind --bot is still a host" {
	says '"medium"' player --bot=medium
	says '"medium"' player --bot medium
	[[ $output == *strong*easy*random* && $output == *host* ]] || fail "$output"
	says '"medium"' player --against medium
	[[ $output == *random*easy*strong* ]] || fail "$output"
	says '"medium"' arena -game quantik -engine bot=medium -engine bot=easy
	[[ $output == *strong*easy*random* ]] || fail "$output"
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
	[[ -e engine-9.log && $(compgen -G 'engine-*') == engine-9.log ]]
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
	[[ $(screen | grep -cE '^ ?[12]  (a-name-of-a-length|random2) +[-+0-9]') -ge 6 ]]
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

# --- a game, by one command ------------------------------------------------------------------------

# In a terminal of a newcomer's size.
play() { # FOLDER WORDS-OF--a
	open_terminal 80 24 "(cd '$1' && export LC_ALL=C.UTF-8 HOLMGANG_STATE='$HOLMGANG_STATE' &&
		exec ./run_linux -t play -a '${*:2}')"
}

# Enter, and the piece lies where the cursor was.
make_first_move() {
	see 'Your move'
	keys Enter
	wait_until has_been_moved || fail "$(screen)"
}

# The opponent may have answered.
has_been_moved() {
	[[ $("$TREE/build/holmgang-server" ps --state "$HOLMGANG_STATE") =~ [1-9][0-9]*' move' ]]
}

# Out of the duel, if there is one, and out of the player.
leave() {
	if shows 'q: leave'; then
		keys q
		see 'y/n'
		keys y
		wait_until is_out
		if shows 'You lose'; then keys q; fi
	fi
	see 'H O L M G A N G'
	keys q
}

# The end of the duel is shown, when the server says it soon enough.
is_out() {
	shows 'You lose' || shows 'H O L M G A N G'
}

# Nothing runs, no pid file is left, and the terminal is as it was.
all_has_ended() { # STATUS
	given_back_with "$1"
	nothing_of_ours_runs
	[[ ! $(compgen -G "$HOLMGANG_STATE/*-*.pid") ]]
}

# As a clone would have it: what is in the repository, and nothing that has been built.
clone_into() { # FOLDER
	mkdir -p "$1"
	if git -C "$ROOT" rev-parse HEAD >/dev/null 2>&1; then
		git -C "$ROOT" ls-files -z --cached --others --exclude-standard --deduplicate
	else
		cd "$ROOT" && find . -path ./build -prune -o -path ./run -prune -o -type f -print0
	fi | tar -C "$ROOT" --null --ignore-failed-read -T - -cf - 2>/dev/null | tar -xf - -C "$1"
}

# bats test_tags=slow
@test "one command and one key from a clean clone to the first move, at once when all is built" {
	local built moved limit
	TREE=$BATS_TEST_TMPDIR/clone
	clone_into "$TREE"
	[[ ! -e $TREE/build ]]
	play "$TREE"
	see 'building, about a minute'
	wait_until 500 shows 'Your move'
	make_first_move
	moved=$(now)
	built=$(stat -c '%.6Y' "$TREE"/build/holmgang-{server,player,duels,recorder,house} | sort -n | tail -n 1)
	# in 1 s; where others want the machine too, later by what a look at its processes takes here
	limit=$(now)
	"$TREE/kill_all" --only "$BATS_TEST_TMPDIR" >/dev/null
	limit=$((1000000 + 3 * ($(now) - limit)))
	((moved - ${built/./} < limit)) || fail "it took $((moved - ${built/./})) us of $limit"
	leave
	all_has_ended 0
}

@test "play takes a game, a level and what else the player knows, in the order that one likes" {
	play "$TREE" strong quantik --ascii -n anna
	see 'Quantik'
	see 'anna'
	see 'strong'
	leave
	all_has_ended 0
	close_terminal
	play "$TREE" qwirkle
	see 'Qwirkle'
	see 'easy'
	leave
	all_has_ended 0
}

@test "play says which games and levels there are, and that it needs a terminal; it knows those of the player" {
	local word known
	open_terminal 80 24 "'$TREE/run_linux' -t play -a 'easy chess' 2>said"
	see 'status=2'
	see 'tictactoe hnefatafl quantik qwirkle memory'
	see 'random easy strong'
	cd "$TREE"
	run ./run_linux -t play </dev/null
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *terminal*demo* ]] || fail "$output"
	run ./run_linux -t play -a 'easy strong'
	known=$("$BUILD/holmgang-player" --help)
	for word in random easy strong; do [[ $known == *"$word ("* ]]; done
	[[ ! -e run ]]
}

@test "what a newcomer types for play without -t or -a is answered with what was meant" {
	cd "$TREE"
	run ./run_linux play
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *'-t play'* ]] || fail "$output"
	run ./run_linux -t play quantik strong
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *'-a "quantik strong"'* ]] || fail "$output"
	run ./run_linux -t play -a 'quantik strong memory'
	[[ $status == 2 && $output == *'one game'*'"quantik strong memory"'* ]] || fail "$output"
}

@test "play uses the server of this folder, and leaves it alone" {
	cd "$TREE"
	PORT=$(free_port 2)
	./run_linux -t server -a "$PORT -b $((PORT + 1)) --interface lo --listen 127.0.0.1"
	play "$TREE"
	make_first_move
	[[ $(build/holmgang-server ps) == *"port $PORT, "*"tictactoe: "* ]]
	leave
	given_back_with 0
	[[ $(ours | wc -l) -ge 1 && -e $HOLMGANG_STATE/server-1.pid ]]
	connect anna
}

@test "play uses a server of this folder that was started by hand, at any address of this machine" {
	cd "$TREE"
	PORT=$(free_port)
	launch by-hand build/holmgang-server "$PORT" --interface lo --listen ::1
	wait_until test -S "$HOLMGANG_STATE/control"
	play "$TREE"
	make_first_move
	leave
	given_back_with 0
	kill -0 "$PID"
}

@test "two who play so share a server, and the last one ends it" {
	local server
	play "$TREE"
	make_first_move
	server=$(pid_of server-1)
	in_tmux new-window "cd '$TREE' && HOLMGANG_STATE='$HOLMGANG_STATE' ./run_linux -t play; read -r line"
	make_first_move
	[[ $(build/holmgang-server ps 2>/dev/null || "$TREE/build/holmgang-server" ps) == *', 2 tables'* ]]
	in_tmux select-window -t 0
	leave
	given_back_with 0
	kill -0 "$server"
	in_tmux select-window -t 1
	leave
	wait_gone "$server"
	nothing_of_ours_runs
}

@test "play ends with all it has started at Ctrl-C" {
	play "$TREE"
	make_first_move
	keys C-c
	wait_until is_asked_or_has_ended
	if shows 'y/n'; then keys y; fi
	if ! shows 'status='; then keys C-c; fi
	all_has_ended 0
}

is_asked_or_has_ended() {
	shows 'y/n' || shows 'status='
}

@test "play ends with all it has started when its player is killed, and the terminal is as it was" {
	play "$TREE"
	make_first_move
	kill -KILL "$(pgrep -P "$(program_pid bash)" holmgang-player)"
	see 'holmgang-player ended (status 137)'
	all_has_ended 137
}

@test "when run_linux is killed its player ends, and leaves the terminal to the shell" {
	local script player
	play "$TREE"
	make_first_move
	script=$(program_pid bash)
	player=$(pgrep -P "$script" holmgang-player)
	kill -KILL "$script"
	wait_gone "$player"
	given_back_with 137
	# the server is for the next who play, or for kill_all
	"$TREE/kill_all" --only "$HOLMGANG_STATE"
}

@test "play ends with all it has started when it is asked to" {
	play "$TREE"
	make_first_move
	kill -TERM "$(program_pid bash)"
	all_has_ended 0
}

@test "play ends with all it has started when the window is closed" {
	play "$TREE"
	make_first_move
	in_tmux kill-server
	wait_until nothing_of_ours_runs
}

# The server of this folder stays, too.
says_that_there_is_no_computer() {
	play "$TREE"
	see 'The server has no computer to play with'
	keys q
	given_back_with 0
	kill -0 "$(pid_of server-1)"
}

@test "play says that the server of this folder has no computers, or none that is free" {
	cd "$TREE"
	PORT=$(free_port)
	./run_linux -t server -a "$PORT --interface lo --listen 127.0.0.1 --house off"
	says_that_there_is_no_computer
	close_terminal
	./kill_all
	PORT=$(free_port)
	./run_linux -t server -a "$PORT --interface lo --listen 127.0.0.1 --house-max 1"
	connect anna
	send anna 'PLAY tictactoe name=anna bot=easy'
	expect_later anna 'START *'
	says_that_there_is_no_computer
}

# --- what the pages have people type ----------------------------------------------------------------

# Prints the block of a page that has this text, for a server at PORT on this machine.
block_with() { # PAGE TEXT
	awk -v text="$2" '
		/^```/ { if (inside && index(block, text)) { printf "%s", block; exit } inside = !inside; block = ""; next }
		inside { block = block $0 "\n" }' "$ROOT/$1" |
		sed -E "s/\<1111\>/$PORT/g; s/ -b 9001-9004/& --listen 127.0.0.1/; s/\<9001-9004\>/$((PORT + 1))-$((PORT + 4))/"
}

@test "README's block that plays against people is pasted in one piece, and ends at the lobby" {
	PORT=$(free_port 5)
	block_with README.md '-t player -a "127.0.0.1' | sed "s|^build/holmgang-player|& 127.0.0.1 $PORT|" >pasted
	[[ $(wc -l <pasted) == 3 ]]
	open_terminal 80 24 "cd '$TREE' && HOLMGANG_STATE='$HOLMGANG_STATE' LC_ALL=C.UTF-8 USER=anna bash --norc --noprofile"
	see 'bash-'
	in_tmux load-buffer pasted
	in_tmux paste-buffer
	see 'H O L M G A N G'
	see 'Name                anna'
	# it waits, and to join it is one key
	see 'easy-1'
	keys q
	cd "$TREE"
	wait_until ./kill_all --only "$HOLMGANG_STATE"
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
