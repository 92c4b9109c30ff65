# What a client, an address or a duel may do, and what it hears when it wants more. What the loopback
# may do without limit is tested in a network namespace, by network/limits.bats.

load ../lib/common

refuses() { # PATTERN ARGUMENT...
	run "$BUILD/holmgang-server" --state "$BATS_TEST_TMPDIR/refused" --interface lo "${@:2}"
	# shellcheck disable=SC2053 # it is a pattern
	[[ $status == 2 && ${#lines[@]} == 1 && $output == $1 ]] || fail "status $status: $output"
}

count_descriptors() {
	find "/proc/$SERVER_PID/fd" -type l | wc -l
}

# Two full players anna and ben at a table.
seat_two() { # NAME1 NAME2 [GAME AND KEYS]
	connect "$1"
	connect "$2"
	send "$1" "PLAY ${3:-tictactoe} name=anna"
	expect_later "$1" 'NO_OPPONENTS *'
	send "$2" "PLAY ${3:-tictactoe} name=ben"
	expect_later "$1" 'BOARD *'
	expect_later "$2" 'BOARD *'
}

@test "limits that cannot be meant" {
	refuses '*--max-connections needs a number from 1 to 1000000*' --max-connections 0
	refuses '*--max-per-address needs*' --max-per-address 0
	refuses '*--max-tables needs*' --max-tables -1
	refuses '*--tables-per-second needs*' --tables-per-second x
	refuses '*--tables-per-address needs a number from 0 to 1000000*' --tables-per-address -1
	refuses '*--play-within needs*' --play-within 86401
	refuses '*--answers needs two numbers, 1-100000/0-100000, not "200"*' --answers 200
	refuses '*--answers needs*' --answers 0/5
	refuses '*--answers needs*' --answers 5/
	refuses '*--answers needs*' --answers /5
	refuses '*--answers needs*' --answers 5/5/5
	refuses '*--unsent needs two numbers, 16384-*' --unsent 16383/1
	refuses '*--unsent needs*' --unsent 65536/0
}

in_own_network() { # FILE.bats
	own_namespace --net
	# there everybody is root, and what is root's in /tmp is not ours
	# shellcheck disable=SC2016 # it is a script
	HOLMGANG_BUILD=$BUILD HOLMGANG_CLAIMS=$CLAIMS "${NAMESPACE[@]}" bash -euc '
		ip link set lo up mtu 1500
		for address in 10.9.0.1/32 10.9.0.2/32; do ip address add $address dev lo; done
		for address in 0:1::1 0:1:ffff::2 0:2::1; do
			ip address add 2001:db8:$address/128 dev lo nodad
		done
		# as small as they can be, so that who does not read is noticed soon
		echo 4096 4096 8192 >/proc/sys/net/ipv4/tcp_wmem
		echo 4096 4096 8192 >/proc/sys/net/ipv4/tcp_rmem
		exec bats --tap "$1"' - "$BATS_TEST_DIRNAME/$1"
}

# bats test_tags=slow
@test "addresses other than the loopback's, in a network of our own" {
	needs network
	in_own_network network/limits.bats
}

@test "--max-connections: one more is told so, and has a place when another goes" {
	start_server --max-connections 2
	connect A
	connect B
	connect C
	expect C 'ERROR busy the server has as many connections as it takes, try again later'
	expect_eof C
	send A GAMES
	expect A 'tictactoe *'
	hang_up B
	connect D
	send D GAMES
	expect D 'tictactoe *'
	# how many there are for others does not count: more than descriptors allow is said at the start
	start_server --state more --max-connections 1000000
	grep -q 'too-few-descriptors connections=.* asked=1000000' "$SERVER_LOG"
}

# bats test_tags=slow
@test "hundreds of refused connections are a line in the log, and leave no descriptor" {
	local n before begin
	start_server --max-connections 1
	connect A
	send A GAMES
	expect A 'tictactoe *'
	before=$(count_descriptors)
	begin=$(now)
	for _ in 1 2 3; do
		for ((n = 0; n < 100; n++)); do
			connect "X$n"
		done
		for ((n = 0; n < 100; n++)); do
			expect "X$n" 'ERROR busy *'
			expect_eof "X$n"
			hang_up "X$n"
		done
	done
	# (in ten seconds)
	(($(grep -c 'connection-refused reason=max-connections' "$SERVER_LOG") <= 1 + ($(now) - begin) / 10000000))
	is_as_before() {
		[[ $(count_descriptors) == "$before" ]]
	}
	wait_until is_as_before
}

# Less than MOST after SINCE.
is_within() { # MOST SINCE
	local took=$((($(now) - $2) / 1000))
	((took < $1)) || fail "it took $took ms"
}

# bats test_tags=slow
@test "--play-within: whoever is not registered for so long is closed, and told why" {
	local begin
	start_server --play-within 4 --match-timeout 1
	connect W
	# neither an answer nor an error is a PLAY
	send W 'PLAY tictactoe wait=10'
	expect W 'ID *'
	begin=$(now)
	connect A
	connect B
	connect Z
	expect_nothing Z 2
	send Z LIST
	expect_later Z END
	send A GAMES
	expect_later A END
	send B FOO
	expect B 'ERROR unknown-command *'
	expect A 'ERROR not-registered no PLAY for 4 seconds'
	expect_eof A
	expect B 'ERROR not-registered no PLAY for 4 seconds'
	expect_eof B
	expect Z 'ERROR not-registered *'
	# sooner than if what they said had counted
	is_within 5900 "$begin"
	(($(now) - begin > 3900000)) || fail 'too early'
	# who waits is registered; after that it counts anew
	expect_later W 'NO_OPPONENTS 5'
	send W LOGOUT
	expect_later W 'ABORTED logout'
	expect_nothing W 1
	send W PLAY
	expect W 'ID *'
	expect_later W 'NO_OPPONENTS'
	expect W 'ERROR not-registered *'
	[[ $(grep -c 'closed reason=no-play' "$SERVER_LOG") == 1 ]]
}

# bats test_tags=slow
@test "--play-within: who comes from a table has the time anew, and 0 is for ever" {
	start_server --play-within 2
	seat_two A B
	while read_line B 2.5; do :; done
	send A RESIGN
	expect_later B 'ROUND *'
	expect_later A 'ROUND *'
	expect_nothing B 0.5
	send B GAMES
	expect_later B END
	expect B 'ERROR not-registered *'
	start_server --state other --play-within 0
	connect A
	expect_nothing A 2.5
}

@test "--answers: so many at once, then so many a second; at a table too" {
	local n
	start_server --answers 3/1
	connect A
	send_raw A 'FOO\nFOO\nFOO\nFOO\n'
	for ((n = 0; n < 3; n++)); do
		expect A 'ERROR unknown-command *'
	done
	expect A 'ERROR too-fast *'
	expect_eof A
	seat_two C D
	send_raw C 'LIST\nGAMES\nFOO\nLIST\n'
	expect_later C 'ERROR unknown-command *'
	expect C 'ERROR too-fast *'
	expect_eof C
	connect E
	send_raw E 'FOO\nFOO\nFOO\n'
	for ((n = 0; n < 3; n++)); do
		expect E 'ERROR unknown-command *'
	done
	expect_nothing E 1.1
	send E FOO
	expect E 'ERROR unknown-command *'
	wait_until grep -q 'closed reason=too-fast address=127.0.0.1:' "$SERVER_LOG"
}

# Players hear of its end before the server does.
has_no_table() {
	"$BUILD/holmgang-server" ps --json | grep -q '"tables":0'
}

@test "--max-tables: the players of a table that has just ended may have the next" {
	start_server --max-tables 1
	connect A
	connect B
	send A PLAY
	expect_later A 'NO_OPPONENTS *'
	send B PLAY
	expect_later A 'START *'
	first=A second=B
	[[ $LINE == 'START 1'* ]] || first=B second=A
	expect_later B 'START *'
	for move in '0 0' '1 0' '0 1' '1 1'; do
		send "$first" "MOVE $move"
		expect_later "$second" "STATE $move 1"
		read -r first second <<<"$second $first"
	done
	# in one piece with the last move, so that it is there before the table has ended
	send "$first" $'MOVE 0 2\nPLAY'
	expect_later "$first" 'WIN 036'
	expect "$first" 'ID *'
	expect "$first" 'NO_OPPONENTS 10'
	expect_later "$second" 'LOSE 036 0 2'
	send "$second" PLAY
	expect "$second" 'ID *'
	expect "$second" 'START *'
}

@test "--max-tables: who would have one more is told so; newcomers join what is there" {
	start_server --max-tables 1
	seat_two A B
	connect C
	send C PLAY
	expect C 'ERROR busy as many tables are being played as there may be, try again later'
	send C LIST
	expect_later C END
	send A LOGOUT
	expect_later A 'ABORTED *'
	expect_later B 'ROUND *'
	wait_until has_no_table
	seat_two D E memory
	send C PLAY
	expect C 'ERROR busy *'
	send C 'PLAY memory size=6'
	expect C 'ERROR busy *'
	send C 'PLAY memory'
	expect_later C 'START *'
	[[ $(grep -c 'play-refused reason=max-tables' "$SERVER_LOG") == 1 ]]
}

@test "players who waited when the last table was taken keep their places" {
	start_server --max-tables 1
	connect A
	connect B
	send A 'PLAY tictactoe table=x name=anna'
	expect_later A 'NO_OPPONENTS *'
	send B 'PLAY tictactoe table=y name=ben'
	expect_later B 'NO_OPPONENTS *'
	seat_two C D
	connect E
	send E 'PLAY tictactoe table=x'
	expect E 'ERROR busy *'
	send C LOGOUT
	expect_later D 'ROUND *'
	wait_until has_no_table
	send E 'PLAY tictactoe table=x'
	expect_later E 'START *'
	expect_later A 'START *'
}

has_connections() { # COUNT
	"$BUILD/holmgang-server" metrics | grep -qx "holmgang_connections $1"
}

# As seat_two, with the tokens of both, and then both hang up; until the server knows it.
sit_and_hang_up() { # TABLE CONNECTIONS
	connect "$1-anna"
	connect "$1-ben"
	send "$1-anna" "PLAY tictactoe table=$1 name=anna-$1"
	expect "$1-anna" 'ID *'
	TOKEN[$1]=${LINE##* }
	send "$1-ben" "PLAY tictactoe table=$1 name=ben-$1"
	expect_later "$1-ben" 'BOARD *'
	expect_later "$1-anna" 'BOARD *'
	hang_up "$1-anna"
	expect_later "$1-ben" 'AWAY *'
	hang_up "$1-ben"
	wait_until has_connections "$2"
}

@test "--max-tables: the table that all have been away from for longest gives way" {
	declare -A TOKEN
	start_server --max-tables 3
	seat_two A B 'tictactoe table=x'
	hang_up A
	expect_later B 'AWAY *'
	sit_and_hang_up first 1
	sit_and_hang_up second 1
	connect C
	connect D
	send C 'PLAY tictactoe name=cem table=y'
	expect C 'ID *'
	send D 'PLAY tictactoe name=dora table=y'
	expect_later C 'START *'
	expect_later D 'START *'
	grep -q 'table-gives-way table=1 ' "$SERVER_LOG"
	connect E
	send E "RESUME ${TOKEN[first]}"
	expect E 'ERROR bad-token *'
	send E "RESUME ${TOKEN[second]}"
	expect E 'ID *'
	# one of the others is there: nobody has to go
	connect F
	send F 'PLAY tictactoe name=finn'
	expect F 'ERROR busy as many tables are being played as there may be, try again later'
	wait_until has_kept 1 --player anna-first
	[[ $(kept --player anna-first) == *'"aborted left"'* ]] || fail "$(kept --player anna-first)"
	[[ $(grep -c table-gives-way "$SERVER_LOG") == 1 ]]
}

@test "--max-tables: several pairs, and tables of a server before this one" {
	local n
	declare -A TOKEN
	start_server --max-tables 3
	for n in 1 2 3; do
		sit_and_hang_up "$n" 0
	done
	kill -KILL "$SERVER_PID"
	wait_until has_no_family "$SERVER_PID"
	start_server --max-tables 3
	for n in 1 2 3; do
		connect "C$n"
		connect "D$n"
		send "C$n" "PLAY tictactoe name=cem table=y$n"
		send "D$n" "PLAY tictactoe name=dora table=y$n"
	done
	for n in 1 2 3; do
		expect_later "C$n" 'START *'
		expect_later "D$n" 'START *'
	done
	[[ $(grep -c table-gives-way "$SERVER_LOG") == 3 ]]
}

@test "900 of one address who say LIST before him do not all come before one of another; all are answered" {
	local before
	start_server
	before=$("$BUILD/tests/storm" "$PORT" turn "$SERVER_PID")
	((before < 450)) || fail "$before came before him"
}

@test "a duel that says too much is ended, its players are told, the others play on" {
	local pid
	start_server --debug # or only root could write to its pipe
	seat_two A B 'tictactoe table=a'
	find_duel
	pid=$DUEL
	seat_two C D 'tictactoe table=b'
	yes 'room 0' 2>/dev/null | head -c 2000000 >"$(up_pipe "$pid")" || true
	expect_later A 'ABORTED crashed'
	expect_later B 'ABORTED crashed'
	wait_gone "$pid"
	wait_until grep -q 'duel-killed .*reason="says what it may not"' "$SERVER_LOG"
	send C LIST
	expect_later C END
	send A 'PLAY tictactoe name=anna'
	expect_later A 'NO_OPPONENTS *'
}

@test "a duel that asks for a LIST that nobody can have asked for is ended" {
	start_server --debug # or only root could write to its pipe
	seat_two A B
	find_duel
	send_raw A 'LIST\nLIST\nLIST\n'
	expect_later A END
	expect_later A END
	expect_later A END
	echo 'list 0 5' >"$(up_pipe "$DUEL")"
	expect_later A 'ABORTED crashed'
	expect_later B 'ABORTED crashed'
}

@test "a duel that asks for one LIST after the other, for somebody who has not asked, is ended" {
	start_server --debug
	seat_two A B
	find_duel
	pause "$DUEL"
	yes 'list 0 1' 2>/dev/null | head -c 200000 >"$(up_pipe "$DUEL")" || true
	expect_later A 'ABORTED crashed'
	expect_later B 'ABORTED crashed'
}

has_lists() { # COUNT FILE
	[[ $(grep -c '^END$' "$2") == "$1" ]]
}

@test "ten players at a table may each ask for 200 LISTs at once" {
	local n lines readers=()
	start_server
	connect P0
	send P0 'PLAY memory name=p0'
	expect P0 'ID *'
	for n in {1..9}; do
		connect "P$n"
		send "P$n" "PLAY memory name=p$n"
		expect_later "P$n" 'START *'
	done
	printf -v lines 'LIST\n%.0s' {1..200}
	for n in {0..9}; do
		cat <&"${CONNECTION[P$n]}" >"heard$n" 3>&- &
		readers+=($!)
		send_raw "P$n" "$lines"
	done
	for n in {0..9}; do
		wait_until has_lists 200 "heard$n"
	done
	kill "${readers[@]}"
	wait "${readers[@]}" || true
	if grep -q 'ERROR\|ABORTED' heard?; then fail 'somebody has been told so'; fi
	if grep -q duel-killed "$SERVER_LOG"; then fail 'the duel was ended'; fi
}

@test "who may ask for many LISTs at once, and does, does not end his table" {
	local n lines readers=()
	start_server --answers 20000/20000
	connect A
	connect B
	send A 'PLAY tictactoe'
	send B 'PLAY tictactoe'
	expect_later A 'BOARD *'
	expect_later B 'BOARD *'
	printf -v lines 'LIST\n%.0s' {1..6000}
	for n in A B; do
		cat <&"${CONNECTION[$n]}" >"heard$n" 3>&- &
		readers+=($!)
		printf %s "$lines" >&"${CONNECTION[$n]}" 3>&- &
		readers+=($!)
	done
	for n in A B; do
		wait_until has_lists 6000 "heard$n"
	done
	kill "${readers[@]}" || true # those who said it all are gone
	wait "${readers[@]}" || true
	if grep -q 'ERROR\|ABORTED' heard?; then fail 'somebody has been told so'; fi
	if grep -q duel-killed "$SERVER_LOG"; then fail 'the duel was ended'; fi
}

@test "who asks for one LIST after the other keeps no other at his table from his" {
	local lines reader asked
	start_server --answers 5000/1000
	launch crowd "$BUILD/tests/crowd" "$PORT" 1000
	wait_until 30 grep -q ready "$LOG"
	connect A
	connect B
	send A 'PLAY tictactoe side=cross'
	send B 'PLAY tictactoe'
	expect_later A 'BOARD *'
	expect_later B 'BOARD *'
	printf -v lines 'LIST\n%.0s' {1..3000}
	cat <&"${CONNECTION[A]}" >heardA 3>&- &
	reader=$!
	send_raw A "$lines"
	wait_until grep -q END heardA
	send B LIST
	timeout "$DEADLINE" sed '/^END$/q' <&"${CONNECTION[B]}" >heardB # at once when it is there
	asked=$(grep -c '^END$' heardA)
	kill "$reader"
	wait "$reader" || true
	((asked < 3000)) || fail "A has had all by then"
}

@test "a duel that claims what is impossible is ended, and counts for nothing" {
	local lies n=0
	start_server --debug -b "$(free_port)"
	connect W
	for lies in 'farewell 5 9223372036854775807' 'farewell 2147483647 5' 'farewell 5 5 busy=2147483647' \
		'farewell 5 5 busy=nine' 'last-frame 2147483647 a b'; do
		seat_two "A$n" "B$n" "tictactoe table=t$n"
		find_duel
		printf 'ending\nleft 0 logout\nleft 1 logout\n%s\n' "$lies" >lie
		cat lie >"$(up_pipe "$DUEL")"
		wait_gone "$DUEL"
		wait_until has_no_table
		n=$((n + 1))
		[[ $(grep -c 'duel-killed .*reason="says what it may not"' "$SERVER_LOG") == "$n" ]] || fail "$lies"
	done
	"$BUILD/holmgang-server" metrics >told
	awk '/^holmgang_(boards|frames|sent_bytes|errors)_total/ && $2 > 100000 { print; bad = 1 } END { exit bad }' told
}

@test "tokens are in no log, title, LIST or frame, and in nobody else's lines" {
	local port token tokens=() seen n
	port=$(free_port)
	start_server --debug -b "$port"
	launch recorder "$BUILD/tests/record_frames" "$port" frames
	wait_until grep -q ready "$LOG"
	connect W
	send W 'PLAY tictactoe name=will table=w'
	expect W 'ID *'
	tokens+=("${LINE##* }")
	connect A
	connect B
	connect C
	send A 'PLAY memory name=anna'
	expect A 'ID *'
	tokens+=("${LINE##* }")
	send B 'PLAY memory name=ben'
	expect B 'ID *'
	tokens+=("${LINE##* }")
	expect_later A 'START *'
	send C 'PLAY memory name=carl'
	expect C 'ID *'
	tokens+=("${LINE##* }")
	for n in A B C; do
		send "$n" LIST
		while read_line "$n" "$DEADLINE" && [[ $LINE != END ]]; do
			echo "$LINE" >>heard
		done
	done
	hang_up C
	expect_later A 'AWAY *'
	connect D
	send D "RESUME ${tokens[3]}"
	expect D 'ID *'
	expect_later A 'BACK *'
	send D "RESUME ${tokens[0]}"
	expect_later D 'ERROR already-playing *'
	connect E
	send E "RESUME ${tokens[1]}0"
	expect E 'ERROR bad-token *'
	send E "BOGUS ${tokens[1]}"
	expect E 'ERROR unknown-command *'
	send E "PLAY ${tokens[1]}"
	expect E 'ERROR unknown-game *'
	send W LOGOUT
	expect_later W 'ABORTED *'
	find_duel
	ps --ppid "$SERVER_PID" -o args= >titles
	ps -p "$SERVER_PID" -o args= >>titles
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	wait_until grep -q ' game=memory ' frames
	grep -q ' memory: ' titles && grep -q ' 127.0.0.1:' heard
	((${#tokens[@]} == 4))
	for token in "${tokens[@]}"; do
		((${#token} == 32))
		seen=$(grep -l "$token" heard titles frames "$SERVER_LOG") || continue
		fail "a token is in $seen"
	done
}

# An address sanitizer takes terabytes of addresses, so that none of them can be denied.
is_sanitized() {
	grep -qa __asan_init "$BUILD/holmgang-server"
}

# bats test_tags=slow
@test "no memory: who comes is told so, players play on, and it is over when there is memory" {
	local n pages
	start_server
	if is_sanitized; then return; fi
	seat_two A B
	read -r pages _ <"/proc/$SERVER_PID/statm"
	prlimit --pid "$SERVER_PID" --as=$((pages * 4096)):
	for ((n = 0; n < 3000; n++)); do
		connect "X$n"
		send "X$n" "PLAY tictactoe table=t$n"
		read_line "X$n" "$DEADLINE" && [[ $LINE == 'ID '* ]] || break
	done
	[[ $LINE == 'ERROR busy '* ]] || fail "number $n heard \"$LINE\""
	wait_until grep -q 'reason=memory' "$SERVER_LOG"
	send A LIST
	expect_later A END
	send A RESIGN
	expect_later B 'ROUND *'
	prlimit --pid "$SERVER_PID" --as=unlimited:
	has_memory() {
		connect Y && send Y PLAY && expect Y 'ID *' 2>/dev/null
	}
	wait_until has_memory
}
