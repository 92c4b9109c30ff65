# The control socket and who speaks over it: ps in its four forms, stop, drain.

load ../lib/common
load ../lib/terminal

teardown() {
	terminal_teardown
}

ask() { # COMMAND ARGUMENT...
	run --separate-stderr "$BUILD/holmgang-server" "$@"
}

# Two at a table: $1 and $2.
sit() { # A B KEY=VALUE...
	local name side=cross
	for name in "$1" "$2"; do
		connect "$name"
		send "$name" "PLAY tictactoe name=$name side=$side${3:+ ${*:3}}"
		side=nought
	done
	expect_later "$1" 'START *'
	expect_later "$2" 'START *'
}

has_lines() { # PATTERN COUNT, in $output
	[[ $(grep -cE "$1" <<<"$output") == "$2" ]] || fail "not $2 lines with \"$1\" in:" "$output"
}

# --- ps ----------------------------------------------------------------------------------------

@test "ps: the server, its spawner and its duels, with what is known of each" {
	start_server
	sit ann ben
	find_duel
	recorder_pid
	wait_until ps_has "\"pid\":$DUEL,.*\"state\":\"playing\""
	ask ps
	[[ $status == 0 && ! $stderr ]] || fail "$stderr"
	has_lines '^PROCESS +PID STATE +AGE +RSS +PSS +FDS +UP +DOWN$' 1
	has_lines "^server +$SERVER_PID running .* port $PORT, 2 connections, 0 waiting, 1 table$" 1
	has_lines "^ \\\\_ spawner +$(spawner_pid) running " 1
	has_lines "^ \\\\_ duel 0 +$DUEL playing +[0-9]+s +[0-9]+K .* 0 +0  tictactoe: ann,ben, 0 moves, 0 rounds ended$" 1
	has_lines '^ \\_ recorder +[0-9]+ running .* - +0$' 1
	has_lines '^ \\_ house +[0-9]+ running .* - +0  0 bots$' 1
	[[ ${#lines[@]} == 6 ]]
}

@test "ps: a player who waits, a duel that ended, one that is reborn" {
	start_server --grace 30
	connect cem
	send cem 'PLAY hnefatafl name=cem wait=600'
	expect_later cem 'NO_OPPONENTS 600'
	sit ann ben
	find_duel
	kill_duel
	wait_until ps_has "\"pid\":$DUEL,.*\"state\":\"playing\",.*\"crashes\":1"
	ask ps
	has_lines 'port .*, 3 connections, 1 waiting, 1 table$' 1
	has_lines "duel 0 +$DUEL playing .*, 1 crash$" 1
	send ann LOGOUT
	wait_until ps_has '"tables":0'
	ask ps
	has_lines duel 0
}

# A game is played again for it, so a line that was no move does not count.
@test "ps: moves, of all rounds of the table, good ones only" {
	start_server
	local first=ann second=ben n
	for n in ann ben; do
		connect "$n"
		send "$n" "PLAY tictactoe name=$n rounds=2"
	done
	expect_later ann 'START *'
	[[ $LINE == 'START 1'* ]] || { first=ben second=ann; }
	wait_until ps_has '"moves":0,'
	send "$second" 'MOVE 0 0'
	expect_later "$second" 'ERROR not-your-turn*'
	send "$first" 'MOVE 1 1'
	expect_later "$second" 'STATE ? 1 1 *'
	send "$second" 'MOVE 1 1'
	expect_later "$second" 'ERROR illegal-move*'
	send "$second" 'HELLO'
	expect_later "$second" 'ERROR unknown-command*'
	wait_until ps_has '"moves":1,'
	ask ps
	has_lines ' ann,ben, 1 move, 0 rounds ended$|ben,ann, 1 move, 0 rounds ended$' 1
	ask ps --dot
	has_lines 'tictactoe: (ann,ben|ben,ann)\\n1 move\\npid' 1
	send "$second" 'MOVE 0 0'
	expect_later "$first" 'STATE ? 0 0 *'
	send "$first" RESIGN
	expect_later "$second" 'WIN resigned'
	expect_later "$second" 'BOARD .........'
	send "$second" 'MOVE 2 2'
	expect_later "$first" 'STATE ? 2 2 *'
	wait_until ps_has '"moves":3,'
	# another process, and the same table
	find_duel
	kill_duel
	wait_until ps_has '"crashes":1'
	wait_until ps_has '"moves":3,'
	# the next table begins anew, in the same journal
	send ann LOGOUT
	wait_until ps_has '"tables":0'
	hang_up ann
	hang_up ben
	sit ann ben
	wait_until ps_has '"moves":0,'
}

@test "ps: moves are known without a journal too, but not of a duel that is not born yet" {
	local spawner
	start_server
	sit ann ben
	rm "$HOLMGANG_STATE/journals/0"
	send ann 'MOVE 0 0'
	send ben 'MOVE 0 0'
	wait_until ps_has '"moves":1,'
	ask stop
	start_server
	spawner=$(spawner_pid)
	pause "$spawner"
	for name in cem dan; do
		connect "$name"
		send "$name" "PLAY tictactoe name=$name"
		expect "$name" 'ID *'
	done
	wait_until ps_has '"state":"forking"'
	ask ps
	has_lines ' (cem,dan|dan,cem), - moves, 0 rounds ended$' 1
	ps_has '"moves":null,'
	ask ps --dot
	has_lines 'moves' 0
	kill -CONT "$spawner"
}

ps_has() { # PATTERN
	"$BUILD/holmgang-server" ps --json | tr -d '\n' | grep -q "$1"
}

# No library reads JSON here: a grammar that knows objects of our kind in one array.
is_json() { # TEXT
	awk '
		function value() {
			if (!match(rest, /^("[^"\\\001-\037]*"|-?(0|[1-9][0-9]*)|null|\[("[^"\\]*"(,"[^"\\]*")*)?\])/))
				exit 1
			rest = substr(rest, RLENGTH + 1)
		}
		{ rest = rest $0 }
		END {
			if (sub(/^\[/, "", rest) == 0) exit 1
			while (sub(/^\{/, "", rest)) {
				do {
					if (!match(rest, /^"[a-z_]+":/)) exit 1
					if (seen[NR, n, substr(rest, 1, RLENGTH)]++) exit 1
					rest = substr(rest, RLENGTH + 1)
					value()
				} while (sub(/^,/, "", rest))
				if (!sub(/^\}/, "", rest)) exit 1
				n++
				if (!sub(/^,/, "", rest)) break
			}
			exit rest != "]"
		}' <<<"$1"
}

@test "ps --json: valid, with numbers as numbers and unknown ones as null" {
	is_json '[{"a":1,"b":["x","y"]},{"c":null}]'
	run ! is_json '[{"a":1,},{"c":null}]'
	run ! is_json '[{"a":01}]'
	run ! is_json '[{"a":-}]'
	start_server
	sit ann ben
	find_duel
	wait_until ps_has "\"pid\":$DUEL,.*\"state\":\"playing\""
	ask ps --json
	[[ $status == 0 ]]
	is_json "$output" || fail "no JSON:" "$output"
	has_lines "\"kind\":\"duel\",\"pid\":$DUEL,\"parent\":$SERVER_PID,\"state\":\"playing\",\"table\":0," 1
	has_lines '"players":\["ann","ben"\],"connections":2,"rounds":0,"crashes":0,"up":0,"down":0,"moves":0,"age":[0-9]+,"rss_kib":[0-9]+' 1
}

@test "ps --dot: a graph; its arrows lead from the server to each other process" {
	start_server
	sit ann ben
	sit cem dan
	ask ps --dot
	[[ $status == 0 && ${lines[0]} == 'digraph holmgang {' && ${lines[-1]} == '}' ]]
	has_lines '^	p[0-9]+ \[label="[^"]*"\];$' 6
	has_lines '^	p0 -> p[45] \[label="down 0\\nup 0"\];$' 2
	has_lines '^	p0 -> p1 \[label="up 0"\];$' 1
	has_lines '^	p0 -> p[23] \[label="down 0"\];$' 2
	[[ ${#lines[@]} == 15 ]] || fail "$output"
	if command -v dot >/dev/null; then dot -Tsvg >graph.svg <<<"$output"; fi
}

# A crowd does not fit in one piece of an answer.
@test "ps of more tables than one piece of an answer has room for: each is told once" {
	local n
	start_server --tables-per-second 0
	for ((n = 0; n < 80; n++)); do
		connect "P$n"
		send "P$n" "PLAY tictactoe name=P$n"
	done
	wait_until 30 has_playing 40
	ask ps --json
	is_json "$output"
	[[ $(grep -o '"pid":[0-9]*' <<<"$output" | sort -u | wc -l) == 44 ]]
}

# Its tables are looked at 32 numbers at a time, first 29 of them.
# bats test_tags=slow
@test "ps of tables whose numbers have a gap: those behind it are told too" {
	local n
	start_server --tables-per-second 0
	for ((n = 0; n < 62; n++)); do
		sit "a$n" "b$n" clock=off
	done
	for ((n = 29; n < 61; n++)); do
		send "a$n" LOGOUT
	done
	wait_until ps_has '"tables":30[,}]'
	ask ps --json
	[[ $(grep -o '"kind":"duel"' <<<"$output" | wc -l) == 30 ]] || fail "$output"
	[[ $output == *'"table":28,'*'"table":61,'* && $output != *'"table":29,'* ]]
}

has_playing() { # COUNT
	[[ $("$BUILD/holmgang-server" ps | grep -c ' playing ') == "$1" ]]
}

@test "ps: bytes that wait in the pipe of a duel that is stopped" {
	start_server
	sit ann ben
	find_duel
	pause "$DUEL"
	launch stop "$BUILD/holmgang-server" stop
	# in one look, since the server does not wait for long
	wait_until ps_has '"state":"stopping".*"down":14'
	kill -CONT "$DUEL"
	exit_status "$PID"
	[[ $STATUS == 0 ]]
}

# --- ps --watch --------------------------------------------------------------------------------

begins_with_heading() {
	[[ $(screen | head -n 1) == PROCESS* ]]
}

open_watch() {
	open_terminal 60 10 "'$BUILD/holmgang-server' ps --watch 2>&1"
	wait_until shows PROCESS
}

@test "ps --watch: shows what changes, no more than the terminal holds; q ends it" {
	local n
	start_server
	open_watch
	wait_until shows 'spawner'
	sit ann ben
	wait_until shows 'duel 0'
	for ((n = 0; n < 8; n++)); do sit "a$n" "b$n"; done
	wait_until shows 'and 6 more'
	wait_until begins_with_heading
	in_tmux send-keys q
	wait_until is_given_back
	wait_until shows 'status=0'
	close_terminal
}

@test "ps --watch: Ctrl-C ends it, and so does the server's end" {
	start_server
	open_watch
	in_tmux send-keys C-c
	wait_until is_given_back
	wait_until shows 'status=0'
	close_terminal
	open_watch
	ask stop
	wait_until shows 'the server has ended'
	wait_until is_given_back
	close_terminal
}

@test "ps --watch without a terminal says so" {
	start_server
	ask ps --watch
	[[ $status == 2 && $stderr == *'--watch needs a terminal'* ]]
}

# --- stop --------------------------------------------------------------------------------------

@test "stop: returns when the server has ended, players hear ABORTED shutdown" {
	start_server
	sit ann ben
	ask stop
	[[ $status == 0 && ! $output && ! $stderr ]]
	expect_later ann 'ABORTED shutdown'
	expect_later ben 'ABORTED shutdown'
	# not before that
	[[ ! -e $HOLMGANG_STATE/control ]]
	wait_gone "$SERVER_PID"
	[[ ! -s $HOLMGANG_STATE/server.pid ]]
	grep -q 'told-to stop' "$SERVER_LOG"
	# another may have the folder at once
	start_server
}

@test "stop: two at once both return, and the second does not kill what the first lets end" {
	start_server
	sit ann ben
	launch stop "$BUILD/holmgang-server" stop
	ask stop
	[[ $status == 0 ]] || [[ $stderr == *'no server runs'* ]]
	exit_status "$PID"
	[[ $STATUS == 0 ]] || grep -q 'no server runs' "$LOG" # whichever of the two came late
	expect_later ann 'ABORTED shutdown'
	run ! grep -q duel-killed "$SERVER_LOG"
}

# --- drain -------------------------------------------------------------------------------------

is_draining() {
	ps_has '"state":"draining"'
}

@test "drain: a table plays on to its end, then the server ends" {
	start_server
	sit ann ben
	connect cem
	send cem 'PLAY hnefatafl name=cem wait=600'
	expect_later cem 'NO_OPPONENTS 600'
	launch drain "$BUILD/holmgang-server" drain
	DRAIN=$PID
	wait_until is_draining
	# who waits would wait in vain
	expect_later cem 'ABORTED shutdown'
	expect_eof cem
	# no new tables, and it is said why
	connect dan
	send dan 'PLAY tictactoe name=dan'
	expect dan 'ERROR busy *last table*'
	# the table goes on, over a crash too, and the command waits for it
	run ! is_gone "$DRAIN"
	find_duel
	kill_duel
	play_out
	exit_status "$DRAIN"
	[[ $STATUS == 0 ]]
	wait_gone "$SERVER_PID"
	expect_eof dan
	grep -q 'draining tables=1' "$SERVER_LOG"
}

# Ann and ben, whoever of them begins, to the end of their round.
play_out() {
		send ann RESIGN
	expect_later ben 'WIN resigned'
	expect_later ann 'LOSE resigned'
}

@test "drain: who was to have a table that cannot be made any more hears so" {
	local spawner
	start_server
	sit ann ben
	spawner=$(spawner_pid)
	pause "$spawner"
	for name in cem dan; do
		connect "$name"
		send "$name" "PLAY tictactoe name=$name"
	done
	wait_until ps_has '"state":"forking"'
	launch drain "$BUILD/holmgang-server" drain
	wait_until is_draining
	kill -KILL "$spawner"
	expect_later cem 'ABORTED shutdown'
	expect_later dan 'ABORTED shutdown'
	expect_eof cem
	wait_until has_duels 1
	play_out
	exit_status "$PID"
	[[ $STATUS == 0 ]]
}

@test "drain: a lost player RESUMEs meanwhile" {
	local token
	start_server
	connect ann
	send ann 'PLAY tictactoe name=ann'
	expect ann 'ID *'
	token=${LINE##* }
	connect ben
	send ben 'PLAY tictactoe name=ben'
	expect_later ann 'START *'
	expect_later ben 'START *'
	launch drain "$BUILD/holmgang-server" drain
	wait_until is_draining
	hang_up ann
	expect_later ben 'AWAY *'
	connect ann
	send ann "RESUME $token"
	expect_later ben 'BACK *'
	play_out
	exit_status "$PID"
	[[ $STATUS == 0 ]]
	wait_gone "$SERVER_PID"
}

@test "drain: nobody joins a table of memory that goes on" {
	start_server
	connect ann
	connect ben
	connect cem
	send ann 'PLAY memory name=ann'
	send ben 'PLAY memory name=ben'
	expect_later ann 'START *'
	expect_later ben 'START *'
	launch drain "$BUILD/holmgang-server" drain
	wait_until is_draining
	send cem 'PLAY memory name=cem'
	expect cem 'ERROR busy *'
	ask stop
	[[ $status == 0 ]]
	exit_status "$PID"
	[[ $STATUS == 0 ]]
}

@test "drain of a server without tables ends it at once; stop ends one that drains" {
	start_server
	ask drain
	[[ $status == 0 ]]
	wait_gone "$SERVER_PID"
	start_server
	sit ann ben
	launch drain "$BUILD/holmgang-server" drain
	wait_until is_draining
	ask stop
	[[ $status == 0 ]]
	exit_status "$PID"
	[[ $STATUS == 0 ]]
	wait_gone "$SERVER_PID"
}

@test "drain: who does not wait for its end any longer leaves it draining" {
	start_server
	sit ann ben
	launch drain "$BUILD/holmgang-server" drain
	wait_until is_draining
	kill -INT "$PID"
	wait_gone "$PID"
	is_draining
	ask stop
}

# --- the socket --------------------------------------------------------------------------------

@test "the control socket is its owner's alone, and a stale one is replaced" {
	start_server
	[[ $(stat -c %a:%F "$HOLMGANG_STATE/control") == '600:socket' ]]
	kill -KILL "$SERVER_PID"
	wait_gone "$SERVER_PID"
	[[ -S $HOLMGANG_STATE/control ]]
	ask ps
	[[ $status == 1 && $stderr == *"no server runs on the state folder $HOLMGANG_STATE"* ]]
	start_server
	ask ps
	[[ $status == 0 ]]
}

@test "a state folder with a long name has a control socket too" {
	local long
	long=$HOLMGANG_STATE/$(printf 'a%.0s' {1..150})
	start_server --state "$long"
	ask ps --state "$long"
	[[ $status == 0 ]]
	ask stop --state "$long"
	[[ $status == 0 && ! -e $long/control ]]
}

@test "no server, no folder, words that are not understood" {
	ask ps --state "$BATS_TEST_TMPDIR/nothing"
	[[ $status == 1 && $stderr == *'no server runs'*'--state'* ]]
	for command in stop drain metrics; do
		ask "$command"
		[[ $status == 1 && $stderr == *'no server runs'* ]]
		ask "$command" --json
		[[ $status == 2 && $stderr == *'belong to ps'* ]]
	done
	ask ps --json --dot
	[[ $status == 2 ]]
	ask ps again
	[[ $status == 2 && $stderr == *'"again" is not understood'* ]]
	ask ps --help
	[[ $status == 0 && $output == *--watch*--dot*--json*drain* ]]
}

@test "the manual has the commands that the program has, and in this order" {
	"$BUILD/holmgang-server" ps --help | awk '/^  [a-z]/ { print $1 }' >known
	sed -n '/^.Sh COMMANDS/,/^.El/s/^.It Cm //p' "$ROOT/server/holmgang-server.8" >told
	[[ -s known ]]
	cmp known told
	"$BUILD/holmgang-server" --help | grep -qF "holmgang-server $(paste -sd '|' known) "
}

# Says something to the control socket, prints the answer.
call() { # FORMAT ARGUMENT...
	# shellcheck disable=SC2059 # it is a format
	printf "$@" | nc -U -q 2 -w 5 "$HOLMGANG_STATE/control"
}

@test "what the control socket does not understand is answered, not obeyed" {
	start_server
	run call 'kill\n'
	[[ $output == 'error this server knows ps, stop, drain and metrics only' ]]
	run call '%05000d' 7
	[[ ! $output ]]
	ask ps
	[[ $status == 0 ]]
}

# bats test_tags=slow
@test "who says nothing does not keep others from asking" {
	local n
	start_server
	for ((n = 0; n < 12; n++)); do
		launch "silent$n" nc -U "$HOLMGANG_STATE/control"
	done
	# eight have the places, for 5 s
	ask ps
	[[ $status == 0 && $output == *spawner* ]]
	connect ann
	send ann LIST
	expect ann 'END*'
}

@test "those who wait for the end leave places for those who ask" {
	local n
	start_server
	sit ann ben
	for ((n = 0; n < 6; n++)); do
		launch "drain$n" "$BUILD/holmgang-server" drain
	done
	one_is_told_so() {
		grep -q 'wait for the server.s end already' drain*.log
	}
	wait_until one_is_told_so
	ask ps
	[[ $status == 0 ]]
	ask stop
	[[ $status == 0 || $stderr == *'it is done'* ]]
	wait_gone "$SERVER_PID"
}
