# The cage of the duels, closed, and whom the server becomes. The server here is the one whose duels
# try to get out when a player says ESCAPE (tests/tools/escape/escape.c); otherwise it is like any other.

load ../lib/common
load ../lib/games

# shellcheck disable=SC2034 # for start_server
PROGRAMS=$BUILD/escape

teardown() {
	local bad=0
	common_teardown || bad=1
	if [[ ${OPEN_FOLDER-} ]]; then rm -r "$OPEN_FOLDER"; fi
	return "$bad"
}

# NAMES sit down at a table, full dialect; each hears START and BOARD.
sit() { # GAME KEYS NAME...
	local game=$1 keys=$2 name
	shift 2
	for name in "$@"; do
		connect "$name"
		send "$name" "PLAY $game name=$name${keys:+ $keys}"
		expect "$name" 'ID *'
		eval "TOKEN_$name=\${LINE##* }"
		[[ $name == "${!#}" ]] || expect "$name" 'NO_OPPONENTS *'
	done
	for name in "$@"; do
		expect_later "$name" 'START *'
		[[ $LINE != 'START 1'* ]] || MOVER=$name
		expect "$name" 'BOARD *'
	done
}

# What the duel of a new table tries ends it, and it alone: A and B are told.
tries() { # WORD REASON
	local before
	before=$(grep -c 'duel-crashed' "$SERVER_LOG") || true
	sit tictactoe "table=$1" A B
	send A "ESCAPE $1"
	expect A 'ABORTED crashed'
	expect B 'ABORTED crashed'
	wait_until eval "(($before < \$(grep -c duel-crashed \"\$SERVER_LOG\")))"
	# shellcheck disable=SC2053 # it is a pattern
	[[ $(grep duel-crashed "$SERVER_LOG" | tail -n 1) == *reason=\"$2\"* ]] ||
		fail "$1:" "$(grep duel-crashed "$SERVER_LOG" | tail -n 2)"
	hang_up A
	hang_up B
}

limit_of() { # PID NAME, prints soft and hard
	awk -v name="$2" 'index($0, name) == 1 { print $(NF - 2), $(NF - 1) }' "/proc/$1/limits"
}

filters_of() { # PID
	awk '$1 == "Seccomp_filters:" { print $2 }' "/proc/$1/status"
}

power_of() { # PID
	awk '$1 == "CapPrm:" { print $2 }' "/proc/$1/status"
}

# bats test_tags=slow
@test "what a duel may not do ends it, its players are told, the other tables go on" {
	local watched mover port n words
	port=$(free_port)
	words=(open old-open openat2 stat socket unix-socket connect execve execveat
		fork clone clone3 ptrace read-memory kill tgkill sendto sendmsg setsockopt ioctl
		prlimit prctl code cut-journal stretch-journal truncate-log truncate-disguised seek-log seek-disguised
		map-log poison poison-disguised other-numbers x32)
	start_server -b "$port"
	sit tictactoe 'rounds=9' C D
	find_duel
	watched=$DUEL mover=$MOVER
	# side by side: each comes back twice, and rests before the second time
	for n in "${!words[@]}"; do
		sit tictactoe "table=${words[n]}" "A$n" "B$n"
		send "A$n" "ESCAPE ${words[n]}"
	done
	for n in "${!words[@]}"; do
		expect "A$n" 'ABORTED crashed' || fail "${words[n]}"
		expect "B$n" 'ABORTED crashed' || fail "${words[n]}"
	done
	run grep escaped "$SERVER_LOG"
	[[ $status == 1 ]] || fail "$output"
	[[ $(grep -c 'duel-crashed .*reason="a system call that its cage forbids"' "$SERVER_LOG") == $((3 * ${#words[@]})) ]]
	[[ $(grep -c duel-crashed "$SERVER_LOG") == $((3 * ${#words[@]})) ]]
	wait_until is_only_child duel none
	[[ $CHILD == "$watched" ]]
	send "$mover" 'MOVE 1 1'
	expect C 'STATE ? 1 1 ?'
	expect D 'STATE ? 1 1 ?'
	connect L
	send L LIST
	expect_later L END
}

# The first addresses of its program; nobody's are chosen by chance where the machine is told so.
addresses_of() { # PID
	head -n 1 "/proc/$1/maps"
}

@test "each fault of a duel counts for its spawner, which is started anew after the fifth, with other addresses" {
	local old addresses signal
	start_server --debug # or only root could look
	sit tictactoe '' A B
	find_duel
	old=$(spawner_pid)
	addresses=$(addresses_of "$old")
	for signal in SEGV BUS FPE ILL; do
		kill_duel "$signal"
		# so that the next one is another event
		send A LIST
		expect_later A END
	done
	[[ $(spawner_pid) == "$old" ]]
	send A 'ESCAPE open'
	wait_until is_only_child spawner "$old"
	grep -q "warn spawner-renewed pid=$old " "$SERVER_LOG"
	[[ $addresses && ($(addresses_of "$CHILD") != "$addresses" || $(</proc/sys/kernel/randomize_va_space) == 0) ]]
}

@test "a duel that gives up says so by its death, in the cage too" {
	start_server
	tries abort 'it gave up, or touched what is not its own'
}

# bats test_tags=slow
@test "a duel that never comes to an end dies of its share of the processor, and not for ever" {
	# its share is no more than what the server itself may have
	# shellcheck disable=SC2016,SC2034 # for the inner shell, for start_server
	UNDER=(bash -c 'ulimit -t 2; exec "$@"' _)
	start_server
	sit tictactoe table=spin A B
	sit tictactoe table=deaf C D
	send A 'ESCAPE spin'
	send C 'ESCAPE spin-deaf'
	expect A 'ABORTED crashed' 90
	expect B 'ABORTED crashed'
	expect C 'ABORTED crashed' 90
	expect D 'ABORTED crashed'
	[[ $(grep -c 'duel-crashed .*reason="its share of the processor is used up"' "$SERVER_LOG") == 6 ]]
}

@test "a duel gets 64 MiB and no more" {
	start_server
	tries memory 'it ended'
	# its status is the count of those that it got
	[[ $(grep -o 'duel-crashed .* status=0x[0-9a-f]*' "$SERVER_LOG" | head -n 1) =~ status=(0x[0-9a-f]*)00$ ]]
	((BASH_REMATCH[1] >= 50 && BASH_REMATCH[1] <= 64))
}

@test "a duel has nothing of the terminal: neither what is typed there, nor a way to write" {
	local typed
	mkfifo typed
	exec {typed}<>typed
	echo secret >&"$typed"
	# shellcheck disable=SC2034 # for start_server
	UNDER=(bash -c 'exec "$@" <typed' _)
	start_server
	tries terminal 'it ended'
	[[ $(grep duel-crashed "$SERVER_LOG") == *status=0x0\ * ]]
	run ! grep -q FORGED "$SERVER_LOG"
	exec {typed}>&-
}

@test "a duel can add to the journal of its table, so much and no more, and read nothing in it" {
	start_server
	# a game of others stands in it
	sit tictactoe '' C D
	send C LOGOUT
	expect C 'ABORTED logout'
	expect_later D 'ROUND *'
	wait_until has_kept 1 --player C
	tries read-journal 'it ended'
	[[ $(grep duel-crashed "$SERVER_LOG" | tail -n 1) == *status=0x0\ * ]]
	tries fill-journal 'it ended'
	# 20 MiB, less its own chapter
	grep -q 'duel-crashed .* status=0x1[34]00 ' "$SERVER_LOG"
	(($(cat "$HOLMGANG_STATE"/journals/* | wc -c) < 21 << 20))
	has_kept 1 --player C
}

@test "a game that a duel has made up, of others, is not kept" {
	start_server
	sit tictactoe '' A B
	send A 'ESCAPE forge-game'
	expect A 'ABORTED crashed'
	sit tictactoe '' C D
	send C LOGOUT
	wait_until has_kept 1 --player C
	wait_until grep -q 'record-not-playable duel=00000000-0000-4000-8000-00000000f00d' "$SERVER_LOG"
	has_kept 0 --player FAKE
}

@test "nobody gets a seat by a table that a duel has made up" {
	local port
	start_server
	port=$PORT
	sit tictactoe '' A B
	find_duel
	send A 'ESCAPE forge-table'
	wait_until grep -q FAKE "$HOLMGANG_STATE/journals/0"
	kill -KILL "$SERVER_PID"
	start_server_on "$port"
	wait_until grep -q 'warn journal-set-aside .*\.forged' "$SERVER_LOG"
	connect F
	send F 'RESUME 0123456789abcdef0123456789abcdef'
	expect F 'ERROR bad-token *'
}

@test "what a duel logs is of a known kind, printable, not too much, and has its own names" {
	local table duel
	start_server
	tries log killed
	[[ $(grep -c ' closed reason=' "$SERVER_LOG") == 20 ]]
	table=$(sed -n 's/.* duel-crashed \(table=[0-9]*\) .*/\1/p' "$SERVER_LOG")
	duel=$(sed -n 's/.* duel-crashed .* \(duel=[^ ]*\) .*/\1/p' "$SERVER_LOG")
	[[ $(grep -c " error closed reason=?\[31mforged $table pid=[0-9]* $duel$" "$SERVER_LOG") == 20 ]]
	[[ $(grep -c 'warn duel-says-too-much ' "$SERVER_LOG") == 1 ]]
	run ! grep -q no-such-event "$SERVER_LOG"
	grep -q 'warn duel-killed .*reason="says what it may not"' "$SERVER_LOG"
}

@test "limits and locks of a duel: inherited from the spawner, but for the processor's" {
	local spawner duel pid own=0 filters
	start_server
	sit tictactoe '' A B
	find_duel
	spawner=$(spawner_pid)
	duel=$DUEL
	[[ $(limit_of "$duel" 'Max core file size') == '0 0' ]]
	[[ $(limit_of "$duel" 'Max open files') == '105 105' ]]
	[[ $(limit_of "$duel" 'Max cpu time') == '300 301' ]]
	[[ $(limit_of "$duel" 'Max address space') == "$(limit_of "$spawner" 'Max address space')" ]]
	[[ $(limit_of "$duel" 'Max address space') =~ ^[0-9]+\ [0-9]+$ ]]
	[[ $(limit_of "$spawner" 'Max cpu time') == "$(limit_of $$ 'Max cpu time')" ]]
	grep -q '^NoNewPrivs:[[:space:]]*1$' "/proc/$SERVER_PID/status"
	# beside those that a container has on all that runs in it: the spawner's, and one of each duel's own
	filters=$(filters_of $$)
	[[ $(filters_of "$spawner") == $((filters + 1)) && $(filters_of "$duel") == $((filters + 2)) ]]
	# of root's powers, where they have any, one is left
	((EUID != 0)) || own=$((0x$(power_of $$) & 1 << 1)) # CAP_DAC_OVERRIDE
	for pid in "$spawner" "$duel"; do
		((0x$(power_of "$pid") == own)) || fail "$pid has $(power_of "$pid")"
	done
	# what is not dumpable belongs to root, whoever runs it
	[[ $(stat -c %u "/proc/$duel/environ") == 0 ]]
}

@test "--debug leaves a duel readable, and the cage closed" {
	local duel
	start_server --debug
	sit tictactoe '' A B
	find_duel
	duel=$DUEL
	[[ $(limit_of "$duel" 'Max core file size') == "$(limit_of $$ 'Max core file size')" ]]
	[[ $(stat -c %u "/proc/$duel/environ") == "$EUID" ]]
	[[ $(filters_of "$duel") == $(($(filters_of $$) + 2)) ]]
	hang_up A
	hang_up B
	tries open 'a system call that its cage forbids'
}

@test "all games are played to the end in the cage, on the air" {
	local game name port
	port=$(free_port "$(game_count)")
	start_server -b "$port-$((port + $(game_count) - 1))" --show-board
	for game in $(all_games); do
		for name in one two; do
			player_args "$game" "$name"
			if game_has_turns "$game"; then ARGS+=(--key rounds=2); fi
			launch "$game-$name" "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot easy -g "$game" -n "$name" \
				--games 1 "${ARGS[@]}"
		done
	done
	for game in "${LAUNCHED[@]:1}"; do
		exit_status "$game" 60
		[[ $STATUS == 0 ]]
	done
	for game in $(all_games); do
		grep -Eq "round-ended .* game=$game round=1 why=" "$SERVER_LOG" || fail "$game did not end"
	done
	run grep -E 'crashed|killed|spawner-replaced' "$SERVER_LOG"
	[[ $status == 1 ]] || fail "$output"
}

@test "what comes to a duel in its cage: a newcomer, a player who returns, LIST, a pause" {
	local duel
	start_server -b "$(free_port)"
	sit memory '' A B
	connect C
	send C 'PLAY memory name=C'
	expect C 'ID *'
	expect C 'START 1 SEAT 2 *'
	hang_up A
	expect_later C 'AWAY 0 *'
	connect A
	send A "RESUME $TOKEN_A"
	expect A 'ID *'
	expect A 'START *'
	expect_later C 'BACK 0'
	send C LIST
	expect_later C END
	# waiting is interrupted, and goes on
	find_duel
	duel=$DUEL
	pause "$duel"
	kill -CONT "$duel"
	send C 'MOVE 0 0'
	expect_later C 'STATE 2 first 0 0 *'
	expect_later A 'STATE 2 first 0 0 *'
	[[ $(duel_pids) == "$duel" ]]
}

@test "a spawner that takes the place of another has a cage as well" {
	start_server
	sit tictactoe '' C D
	find_duel # until then it looks like the spawner
	kill -KILL "$(spawner_pid)"
	wait_until grep -q spawner-replaced "$SERVER_LOG"
	tries clone 'a system call that its cage forbids'
}

# --- --user ------------------------------------------------------------------------------------

is_root() {
	((EUID == 0))
}

# A field of their status, once for all processes of the server that have the same.
ids_of() { # FIELD
	local pid
	for pid in "$SERVER_PID" $(ps --ppid "$SERVER_PID" -o pid=); do
		awk -v field="$1:" '$1 == field { $1 = ""; print }' "/proc/$pid/status"
	done | sort -u | sed 's/^ //;s/ $//'
}

@test "--user: root is given up for good, on a low port too; the state folder is the user's" {
	local port user group
	user=$(id -u nobody) group=$(id -g nobody)
	if ! is_root; then
		# who is not root can only stay who he is
		start_server --user "$(id -un)"
		sit tictactoe '' A B
		return
	fi
	# bats' own folders are root's alone
	OPEN_FOLDER=$(mktemp -d /tmp/holmgang-user.XXXXXX)
	chmod 711 "$OPEN_FOLDER"
	for port in $(shuf -i 600-1013 -n 5); do
		try_server_on "$port" --state "$OPEN_FOLDER/state" --user nobody && break
		grep -q 'in use' "$LOG"
	done
	sit tictactoe '' A B
	[[ $(ids_of Uid) == "$user $user $user $user" ]]
	[[ $(ids_of Gid) == "$group $group $group $group" ]]
	[[ $(ids_of Groups) == "$(id -G nobody)" ]]
	[[ $(ids_of CapPrm) == 0000000000000000 && $(ids_of CapEff) == 0000000000000000 ]]
	[[ $(stat -c %U "$OPEN_FOLDER"/state{,/server.pid}) == $'nobody\nnobody' ]]
	[[ $(<"$SERVER_LOG") != *runs-as-root* ]]
	# the children still end with the server, however it ends
	kill -KILL "$SERVER_PID"
	wait_until has_no_family "$SERVER_PID"
}

# Where root has stayed root his spawner has one of his powers left, for this.
@test "a server of root's takes up the tables that were --user's" {
	local duel
	is_root || return 0
	OPEN_FOLDER=$(mktemp -d /tmp/holmgang-user.XXXXXX)
	chmod 711 "$OPEN_FOLDER"
	start_server --state "$OPEN_FOLDER/state" --user nobody
	sit tictactoe '' A B
	kill -KILL "$SERVER_PID"
	wait_gone "$SERVER_PID"
	hang_up A
	hang_up B
	start_server_on "$PORT" --state "$OPEN_FOLDER/state"
	find_duel
	duel=$DUEL
	connect A
	send A "RESUME $TOKEN_A"
	expect_later A 'START *'
	[[ $(duel_pids) == "$duel" ]]
	[[ $(stat -c %U "$OPEN_FOLDER"/state/journals/0) == nobody ]]
}

try_server_on() { # PORT ARGUMENT...
	PORT=$1
	try_server "${@:2}"
}

@test "root without --user is told so once; nobody else is" {
	start_server
	if is_root; then
		[[ $(grep -c runs-as-root "$SERVER_LOG") == 1 ]]
	else
		[[ $(grep -c runs-as-root "$SERVER_LOG") == 0 ]]
	fi
}

refuses() { # PATTERN ARGUMENT...
	run "$BUILD/escape/holmgang-server" "$PORT" --listen 127.0.0.1 "${@:2}"
	# shellcheck disable=SC2053 # it is a pattern
	[[ $status == 1 && ${lines[-1]} == $1 ]] || fail "status $status: $output"
}

@test "--user: a name that is none, a folder of somebody else's, a server that is not root's" {
	PORT=$(free_port)
	if ! is_root; then
		refuses '*only root can become root: *' --user root
		return
	fi
	refuses '*there is no user "no-such-user": *' --user no-such-user
	chmod 755 "$HOLMGANG_STATE"
	refuses "*nobody may not write in the state folder *: give it away (chown -R nobody *" --user nobody
}
