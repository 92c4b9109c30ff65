# The set-up of all tests. A file of tests begins with
#
#	load ../lib/common
#
# and has nothing else to do: before each test this gives it a folder and a state folder of its own
# and the loopback to broadcast on, and after it ends every process that the test started through
# these helpers. A test fails if one of them, or a child of one, cannot be ended, if a server ends with
# another status than 0, if a sanitizer has spoken in a log, or if a duel whose game was over died of
# itself. A file with a setup or teardown of its own calls common_setup or common_teardown in it.
#
#	start_server [ARGUMENT...]	a server on a free port: sets PORT, SERVER_PID, SERVER_LOG
#	start_server_on PORT [ARG...]	the same, again, on a port from free_port, when the last one has
#					gone with its family
#	start NAME PROGRAM ARGUMENT...	a player or viewer, until it is up: sets PID, LOG
#	launch NAME COMMAND...		any command, in the background: sets PID, LOG
#	family_of PID...		prints the pids of it and its descendants, a launched one's;
#					has_no_family PID...
#	wait_gone PID [SECONDS]		until it is no more
#	exit_status PID [SECONDS]	the same for one that was launched; sets STATUS
#	pause PID...			stops them, until they stand; kill -CONT lets them go on
#	duel_pids			prints the pids of the duels there are now; has_duels COUNT
#	spawner_pid, recorder_pid, house_pid	print that of the server's one spawner, recorder, house, when it
#					is there
#	bot_pids			prints the pids of the computers there are now; has_bots COUNT
#	use_bad_day, set_day LETTERS	servers from now on have what is bad of preload/bad_day.c
#	is_only_child KIND OLD		is there one of this KIND, and not OLD? Sets CHILD
#	ms_to_stop			prints how long the server took to stop, by its own log
#	server_comes_round		until what the server has begun is done: a turn of its loop
#	kept [FILTER...]		prints the games in the database as CSV; has_kept COUNT [FILTER...]
#	up_pipe DUEL			prints the pipe on which a duel speaks, to be written to
#	warranted [FILE...]		gives chapters, those on standard input, the server's warrant
#	find_duel, kill_duel [SIGNAL]	the one duel there is: set DUEL; kill it, find its successor
#	children KIND			prints the pids of the server's children with such a title
#	unfinished [FOLDER]		prints the books of tables that are being played, or were when the
#					server died; has_unfinished COUNT [FOLDER]
#
#	connect NAME [PORT [ADDRESS]]	a raw connection to the server
#	send NAME LINE			says a line; send_raw NAME FORMAT ... does what printf does
#	expect NAME PATTERN [SECONDS]	the next line must match this glob pattern; sets LINE
#	expect_met NAME PATTERN [S]	the same of who waits for opponents, after his countdown
#	expect_later NAME PATTERN [S]	the same, after any number of other lines
#	expect_eof NAME [SECONDS]	nothing more comes, the connection is closed
#	expect_nothing NAME [SECONDS]	no line comes meanwhile (0.3); only where that must be shown
#	hang_up NAME			closes it
#	rename NAME OTHER		the connection has another name from now on
#
#	needs POWER...			leaves the test out, by name, where this machine refuses one of them
#	has_power POWER			does it not? For what a test can do in two ways. See powers.bash
#
#	free_port [COUNT]		prints a port (the first of COUNT in a row) that nobody has
#	wait_until [SECONDS] COMMAND	repeats it until it succeeds; fails after SECONDS
#	now				prints the time in microseconds
#	fail WORDS...			says them; status 1
#
# All wait for conditions, with deadlines; 20 s where none is given. That is only there so that nobody
# waits for ever: long for a slow machine, and less than the 30 s of a grace, which so is told from a
# shorter one. Nothing here needs a test to be alone: files of tests run side by side, and so may
# several runs.
#
# What is said on one connection may be heard before or after what is said on another. A test that
# wants an order waits for what shows that the first has been heard: an answer, a line that the other
# player gets.

bats_require_minimum_version 1.8.0

# shellcheck source=tests/lib/powers.bash
source "${BASH_SOURCE[0]%/*}/powers.bash"

DEADLINE=20
ROOT=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd -P)
BUILD=$(cd "$ROOT" && cd "${HOLMGANG_BUILD:-build}" && pwd -P)

# Below those that the kernel gives to outgoing connections.
LOWEST_PORT=11000
HIGHEST_PORT=19999
CLAIMS=${HOLMGANG_CLAIMS:-/tmp/holmgang-test-ports-$UID}

# (-g: this file is read inside a function.) By name: the descriptor; the begin of a late line.
declare -gA CONNECTION=() PARTIAL=()
PROGRAMS=$BUILD                     # where they are
UNDER=()                            # the words before a program of ours: nsenter, env, …
LAUNCHED=()                         # pids, each the leader of a session of its own
SERVERS=()                          # those of them that must end well

setup() {
	common_setup
}

teardown() {
	common_teardown
}

# Before each command bats notes where it stands, for its reports. That takes a quarter of a millisecond,
# longer than most commands: so it notes the lines of the tests, and none of this folder.
common_setup() {
	bats_add_debug_exclude_path "${BASH_SOURCE[0]%/*}"
	export HOLMGANG_INTERFACE=lo
	export HOLMGANG_STATE=$BATS_TEST_TMPDIR/state
	mkdir -p "$HOLMGANG_STATE"
	cd "$BATS_TEST_TMPDIR" || return
}

common_teardown() {
	local bad=0
	quickly end_launched || bad=1
	check_logs || bad=1
	release_ports
	return "$bad"
}

# What is called by what is called so, bats does not look at either: for loops.
quickly() { # COMMAND...
	local -
	set +T
	"$@"
}

fail() {
	printf '%s\n' "$*" >&2
	return 1
}

# --- powers of the machine -----------------------------------------------------------------------

# Prints "POWER: why" when it is refused.
lack_of() { # POWER
	[[ " ${POWERS[*]} " == *" $1 "* ]] || fail "\"$1\" is no power that powers.bash knows" || return
	grep "^$1: " <<<"$HOLMGANG_LACKS" || true
}

has_power() { # POWER
	local lack
	lack=$(lack_of "$1") && [[ ! $lack ]]
}

needs() { # POWER...
	local power lack
	for power; do
		lack=$(lack_of "$power") || return
		if [[ $lack && ${HOLMGANG_NO_SKIP-} ]]; then
			fail "this test needs $lack (with HOLMGANG_NO_SKIP no test is left out)" || return
		fi
		[[ ! $lack ]] || skip "needs $lack"
	done
}

# --- waiting -----------------------------------------------------------------------------------

# In microseconds; the decimal point is the locale's.
now() {
	echo "${EPOCHREALTIME//[.,]/}"
}

# Sets END to when that will be.
in_seconds() { # SECONDS
	local whole=${1%.*} part=''
	if [[ $1 == *.* ]]; then part=${1#*.}; fi
	part=${part}000000
	END=$((${EPOCHREALTIME//[.,]/} + 10#${whole:-0} * 1000000 + 10#${part:0:6}))
}

# As sleep, without a process: nothing is ever said in a pipe of our own.
nap() { # SECONDS
	[[ ${SILENT_PIPE-} ]] || exec {SILENT_PIPE}<> <(:)
	read -r -t "$1" -u "$SILENT_PIPE" || true
}

wait_until() { # [SECONDS] COMMAND...
	local seconds=$DEADLINE
	if [[ $1 =~ ^[0-9.]+$ ]]; then
		seconds=$1
		shift
	fi
	quickly repeat_for "$seconds" "$@" || fail "not within $seconds s: $*"
}

# Less and less often: what takes long may be seen a little later.
repeat_for() { # SECONDS COMMAND...
	local END hundredths=0
	in_seconds "$1"
	shift
	until "$@"; do
		((${EPOCHREALTIME//[.,]/} < END)) || return
		nap "0.0$((hundredths < 3 ? ++hundredths : 3))"
	done
}

# Gone, or a zombie that only waits for this shell.
is_gone() {
	local stat
	{ IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
	[[ ${stat##*) } == "Z $$ "* ]]
}

wait_gone() { # PID [SECONDS]
	wait_until "${2:-$DEADLINE}" is_gone "$1"
}

exit_status() { # PID [SECONDS]
	wait_gone "$@" || return
	STATUS=0
	# shellcheck disable=SC2034 # for the test
	wait "$1" || STATUS=$?
}

# --- processes ---------------------------------------------------------------------------------

# Sets FOUND to the pids of those whose line in /proc, from the state on, matches: state, parent, group,
# session, ... In the shell: ps looks up twice as much.
find_processes() { # REGEX
	local stat file LC_ALL=C
	FOUND=()
	for file in /proc/[0-9]*/stat; do
		{ IFS= read -r stat <"$file"; } 2>/dev/null || continue
		if [[ ${stat##*) } =~ $1 ]]; then FOUND+=("${stat%% *}"); fi
	done
}

# Children keep the session they were born into, so it tells them even when their parent is dead.
find_family() { # PID...
	local IFS='|'
	quickly find_processes "^[^ZX] [0-9]+ [0-9]+ ($*) "
}

family_of() { # PID...
	local FOUND
	find_family "$@"
	((${#FOUND[@]} == 0)) || printf '%s\n' "${FOUND[@]}"
}

has_no_family() { # PID...
	local FOUND
	find_family "$@"
	((${#FOUND[@]} == 0))
}

# Nothing that the test has open may stay open in a process that it starts: not bats' own
# descriptors (it would wait), not connections (they would not be closed by hang_up).
close_inherited_except() { # DESCRIPTOR
	local fd
	for fd in /proc/self/fd/*; do
		fd=${fd##*/}
		if ((fd > 2 && fd != $1)); then exec {fd}>&-; fi
	done
}

# What it says goes to NAME.log in the test's folder. Descriptor 3 is for --ready-fd.
launch() { # NAME COMMAND...
	LOG=$BATS_TEST_TMPDIR/$1.log
	shift
	(
		close_inherited_except 3
		# also where the tests themselves run in the background of a script
		exec env --default-signal=INT,QUIT setsid "$@"
	) </dev/null >"$LOG" 2>&1 3>"${READY:-/dev/null}" &
	PID=$!
	LAUNCHED+=("$PID")
}

# Launches a program of ours; fails when it ends, or the deadline comes, before it is ready.
launch_until_ready() { # NAME PROGRAM ARGUMENT...
	local READY both ready said=''
	exec {both}<> <(:)
	READY=/proc/self/fd/$both
	launch "$1" "${UNDER[@]}" "$PROGRAMS/holmgang-$2" --ready-fd 3 "${@:3}"
	# of this pipe nobody here may have the end to write to, or it would have no end of file
	exec {ready}<"$READY" {both}>&-
	read -r -t "$DEADLINE" -u "$ready" said || true
	exec {ready}<&-
	[[ $said == ready ]]
}

start() { # NAME PROGRAM ARGUMENT...
	launch_until_ready "$@" || fail "$1 ($2) did not get ready:" "$(<"$LOG")"
}

start_server() { # ARGUMENT...
	local tries
	for tries in 1 2 3 4 5; do
		PORT=$(free_port 1)
		if try_server "$@"; then return; fi
		grep -q 'in use' "$LOG" || break
	done
	fail "the server did not start (try $tries):" "$(<"$LOG")"
}

start_server_on() { # PORT ARGUMENT...
	if [[ ${SERVER_PID-} ]]; then
		wait_gone "$SERVER_PID" && wait_until has_no_family "$SERVER_PID" || return
	fi
	PORT=$1
	try_server "${@:2}" || fail 'the server did not start:' "$(<"$LOG")"
}

try_server() { # ARGUMENT...
	local listen=(--listen 127.0.0.1)
	if [[ " $* " == *' --listen'* ]]; then listen=(); fi
	launch_until_ready "server-$PORT" "${SERVER_PROGRAM:-server}" "$PORT" "${listen[@]}" "$@" || return
	# shellcheck disable=SC2034 # for the test
	SERVER_PID=$PID SERVER_LOG=$LOG
	SERVERS+=("$PID")
}

is_running_child() { # PID
	local stat
	{ IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null && [[ ${stat##*) } == [!ZX]" $$ "* ]]
}

is_stopped() { # PID
	local stat
	{ IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null && [[ ${stat##*) } == T* ]]
}

# A signal is on its way for a moment.
pause() { # PID...
	local pid
	kill -STOP "$@" || return
	for pid; do wait_until is_stopped "$pid" || return; done
}

# Each must end at SIGTERM, and its family with it; a server that runs must end well. It waits a moment for
# connections that stay open, so those of the test are closed.
end_launched() {
	local pid name bad=0 status running=' '
	for pid in "${LAUNCHED[@]}"; do
		is_running_child "$pid" || continue
		running+="$pid "
		kill -CONT "$pid" && kill -TERM "$pid"
	done
	for name in "${!CONNECTION[@]}"; do hang_up "$name"; done
	for pid in "${LAUNCHED[@]}"; do
		if ! wait_until is_gone "$pid"; then
			kill -KILL "$pid"
			bad=1
		fi
		status=0
		wait "$pid" || status=$?
		if [[ $running == *" $pid "* && " ${SERVERS[*]} " == *" $pid "* && $status != 0 ]]; then
			fail "the server ended with status $status at SIGTERM" || bad=1
		fi
	done
	if ((${#LAUNCHED[@]} > 0)) && ! wait_until has_no_family "${LAUNCHED[@]}"; then
		fail "left behind by ${LAUNCHED[*]}:" "$(ps -s "${LAUNCHED[*]}" -o sid=,pid=,ppid=,stat=,args=)" || bad=1
		family_of "${LAUNCHED[@]}" | xargs -r kill -KILL
	fi
	LAUNCHED=()
	return "$bad"
}

# What a sanitizer said fails the test; of a test that has failed, the logs are shown.
check_logs() {
	local log spoke
	spoke=$(grep -lsE '(ERROR|WARNING): [A-Za-z]+Sanitizer|runtime error:|duel-died-late .*reason="[^k]' \
		"$BATS_TEST_TMPDIR"/*.log "$HOLMGANG_STATE"/*.log) || true
	for log in "$BATS_TEST_TMPDIR"/*.log; do
		if [[ -s $log && (! ${BATS_TEST_COMPLETED-} || $spoke) ]]; then
			printf -- '--- %s\n' "${log##*/}"
			tail -n 40 "$log"
		fi
	done
	[[ ! $spoke ]]
}

# --- what a preloaded library makes bad ----------------------------------------------------------

# For the servers from now on; set_day says what is bad.
use_bad_day() {
	head -c 4096 /dev/zero >"$BATS_TEST_TMPDIR/day"
	export PROGRAMS=$BUILD/shared
	UNDER=(env "LD_PRELOAD=$BUILD/tests/bad_day.so" "BAD_DAY=$BATS_TEST_TMPDIR/day"
		"ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0")
}

# A letter or a dot for each of the bytes that tests/tools/preload/bad_day.c tells of.
set_day() { # LETTERS
	printf '%s' "$1" 1<>"$BATS_TEST_TMPDIR/day"
}

# --- the server's children ---------------------------------------------------------------------

# The journals whose last chapter is one that is not over: of tables that are being played, or were when
# the server died.
unfinished() { # [FOLDER]
	local journal
	for journal in "${1:-$HOLMGANG_STATE/journals}"/*; do
		[[ ! -s $journal || $(tail -n 1 "$journal") == *' over' ]] || echo "$journal"
	done
}

has_unfinished() { # COUNT [FOLDER]
	[[ $(unfinished "${@:2}" | wc -l) == "$1" ]]
}

# Sets CHILDREN, by their titles. A duel has that of the spawner until it has told its players of START.
find_children() { # KIND
	local FOUND pid title
	CHILDREN=()
	find_processes "^[^ZX] $SERVER_PID "
	for pid in "${FOUND[@]}"; do
		title=''
		{ IFS= read -r -d '' title <"/proc/$pid/cmdline"; } 2>/dev/null || true
		if [[ $title == *": $1"* ]]; then CHILDREN+=("$pid"); fi
	done
}

children() { # KIND
	local CHILDREN
	quickly find_children "$1"
	((${#CHILDREN[@]} == 0)) || printf '%s\n' "${CHILDREN[@]}"
}

is_only_child() { # KIND OLD
	local CHILDREN
	quickly find_children "$1"
	CHILD=${CHILDREN[0]-}
	((${#CHILDREN[@]} == 1)) && [[ $CHILD != "$2" ]]
}

duel_pids() {
	children duel
}

spawner_pid() {
	wait_until is_only_child spawner none && echo "$CHILD"
}

recorder_pid() {
	wait_until is_only_child recorder none && echo "$CHILD"
}

house_pid() {
	wait_until is_only_child house none && echo "$CHILD"
}

# Sets BOTS: the children of the server's houses, once they are the program that they are to be.
find_bots() {
	local FOUND CHILDREN house pid title
	BOTS=()
	find_children house
	for house in "${CHILDREN[@]}"; do
		find_processes "^[^ZX] $house "
		for pid in "${FOUND[@]}"; do
			title=''
			{ IFS= read -r -d '' title <"/proc/$pid/cmdline"; } 2>/dev/null || true
			if [[ $title == holmgang-player ]]; then BOTS+=("$pid"); fi
		done
	done
}

bot_pids() {
	local BOTS
	quickly find_bots
	((${#BOTS[@]} == 0)) || printf '%s\n' "${BOTS[@]}"
}

has_bots() { # COUNT
	local BOTS
	quickly find_bots
	((${#BOTS[@]} == $1))
}

# However late the test looks.
ms_to_stop() {
	local begin end
	begin=$(sed -n 's/ .* info stopping .*//p' "$SERVER_LOG") && end=$(sed -n 's/ .* info stopped$//p' "$SERVER_LOG")
	[[ $begin && $end ]] || fail 'the server has not stopped:' "$(tail -n 5 "$SERVER_LOG")" || return
	echo $(($(date -d "$end" +%s%3N) - $(date -d "$begin" +%s%3N)))
}

# It answers between two turns, also while it stops. When it has gone, all that it began is done too.
server_comes_round() {
	"$BUILD/holmgang-server" ps >/dev/null 2>&1 || true
}

kept() { # [FILTER...]
	"$BUILD/holmgang-viewer" --games --csv --limit 0 "$@" 2>/dev/null | tail -n +2
}

has_kept() { # COUNT [FILTER...]
	[[ $(kept "${@:2}" | wc -l) == "$1" ]]
}

# The pipe on which a duel speaks, to be written to from outside, as if it had gone mad: the one of
# its pipes that it writes and the server reads.
up_pipe() { # PID
	local fd pipe
	for fd in "/proc/$1/fd"/*; do
		pipe=$(readlink "$fd")
		if [[ $pipe == pipe:* && $(awk '/^flags/ { print $2 }' "/proc/$1/fdinfo/${fd##*/}") == *1 ]] &&
			readlink "/proc/$SERVER_PID/fd"/* | grep -qxF "$pipe"; then
			echo "$fd"
		fi
	done
}

# Chapters that a test has written itself, as if the server had started their duels.
warranted() { # [FILE...]
	python3 "$ROOT/tests/tools/warrant.py" "$HOLMGANG_STATE" "$@"
}

has_duels() { # COUNT
	local CHILDREN
	quickly find_children duel
	((${#CHILDREN[@]} == $1))
}

# The duel of the one table there is: sets DUEL.
find_duel() {
	wait_until is_only_child duel none && DUEL=$CHILD
}

# Kills it and waits for the one that takes its place. By ABRT it is as if it had died of itself; a
# sanitizer has no word in that.
kill_duel() { # [SIGNAL]
	kill -"${1:-KILL}" "$DUEL"
	wait_until is_only_child duel "$DUEL" && DUEL=$CHILD
}

# --- connections -------------------------------------------------------------------------------

connect() { # NAME [PORT [ADDRESS]]
	local fd
	exec {fd}<>"/dev/tcp/${3:-127.0.0.1}/${2:-$PORT}" || fail "$1 cannot connect" || return
	CONNECTION[$1]=$fd
	PARTIAL[$1]=''
}

# In a subshell: writing to a closed connection is a SIGPIPE.
send_raw() { # NAME FORMAT ARGUMENT...
	# shellcheck disable=SC2059 # it is a format
	(printf "${@:2}" >&"${CONNECTION[$1]}") 2>/dev/null || fail "$1 cannot send: the connection is closed"
}

send() { # NAME LINE
	send_raw "$1" '%s\n' "${*:2}"
}

# Sets LINE. Status 1: the end; 2: nothing, or no whole line, within the time.
read_line() { # NAME SECONDS
	local part='' status=0
	IFS= read -r -t "$2" -u "${CONNECTION[$1]}" part 2>/dev/null || status=$?
	LINE=${PARTIAL[$1]}$part
	PARTIAL[$1]=''
	((status != 0)) || return 0
	PARTIAL[$1]=$LINE
	((status <= 128)) || return 2
	return 1
}

expect() { # NAME PATTERN [SECONDS]
	local status=0
	read_line "$1" "${3:-$DEADLINE}" || status=$?
	# shellcheck disable=SC2053 # it is a pattern
	case $status in
	0) [[ $LINE == $2 ]] || fail "$1 expected \"$2\" and got \"$LINE\"" ;;
	1) fail "$1 expected \"$2\" and the connection was closed${LINE:+ after \"$LINE\"}" ;;
	*) fail "$1 expected \"$2\" and got nothing in ${3:-$DEADLINE} s${LINE:+ but \"$LINE\"}" ;;
	esac
}

# Each second that passes before somebody comes is a line of the countdown.
expect_met() { # NAME PATTERN [SECONDS]
	expect "$1" '*' "${@:3}" || return
	while [[ $LINE == 'NO_OPPONENTS '[1-9]* ]]; do
		expect "$1" '*' "${@:3}" || return
	done
	# shellcheck disable=SC2053 # it is a pattern
	[[ $LINE == $2 ]] || fail "$1 expected \"$2\" and got \"$LINE\""
}

expect_later() { # NAME PATTERN [SECONDS]
	local END heard=() first
	in_seconds "${3:-$DEADLINE}"
	# shellcheck disable=SC2053 # it is a pattern
	while read_line "$1" "${3:-$DEADLINE}"; do
		if [[ $LINE == $2 ]]; then return; fi
		heard+=("$LINE")
		if ((${EPOCHREALTIME//[.,]/} > END)); then break; fi
	done
	first=$((${#heard[@]} > 20 ? ${#heard[@]} - 20 : 0))
	fail "$1 expected \"$2\" sooner or later and got ${#heard[@]} lines, at last:" "${heard[@]:first}"
}

# A reset connection counts as closed.
expect_eof() { # NAME [SECONDS]
	local status=0
	read_line "$1" "${2:-$DEADLINE}" || status=$?
	[[ $status == 1 && ! $LINE ]] || fail "$1 expected to be closed and got \"$LINE\""
}

expect_nothing() { # NAME [SECONDS]
	local status=0
	read_line "$1" "${2:-0.3}" || status=$?
	[[ $status == 2 && ! $LINE ]] || fail "$1 expected nothing and got \"$LINE\" (or its end)"
}

hang_up() { # NAME
	local fd=${CONNECTION[$1]}
	exec {fd}>&-
	unset "CONNECTION[$1]"
}

rename() { # NAME OTHER
	CONNECTION[$2]=${CONNECTION[$1]}
	PARTIAL[$2]=${PARTIAL[$1]}
	unset "CONNECTION[$1]"
}

# --- ports -------------------------------------------------------------------------------------

# A claim is a file with the pid of the test that holds it. Claims are made one at a time; what takes
# long, a look at all sockets there are, is done before.
free_port() { # [COUNT]
	local port count=${1:-1}
	[[ -d $CLAIMS ]] || mkdir -p "$CLAIMS"
	port=$((LOWEST_PORT + (RANDOM * 32768 + RANDOM) % (HIGHEST_PORT - LOWEST_PORT)))
	((port + count <= HIGHEST_PORT)) || port=$LOWEST_PORT
	until are_unused "$port" "$count" && claim "$port" "$count"; do
		port=$((port + count))
		if ((port + count > HIGHEST_PORT)); then port=$LOWEST_PORT; fi
	done
	echo "$port"
}

are_unused() { # PORT COUNT
	local sockets
	sockets=$(ss -Hntua "sport >= $1 and sport < $(($1 + $2))") || fail 'ss finds no sockets' || exit
	[[ ! $sockets ]]
}

claim() { # PORT COUNT
	local port lock status=0
	exec {lock}>"$CLAIMS/lock"
	flock -w 60 "$lock" || fail "cannot have $CLAIMS/lock" || exit
	if are_unclaimed "$@"; then
		for ((port = $1; port < $1 + $2; port++)); do
			echo $$ >"$CLAIMS/$port"
			echo "$port" >>"${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}/ports"
		done
	else
		status=1
	fi
	exec {lock}>&-
	return "$status"
}

are_unclaimed() { # PORT COUNT
	local port pid
	for ((port = $1; port < $1 + $2; port++)); do
		if { read -r pid <"$CLAIMS/$port"; } 2>/dev/null && [[ -e /proc/$pid ]]; then return 1; fi
	done
}

release_ports() {
	local ports
	[[ -e $BATS_TEST_TMPDIR/ports ]] || return 0
	mapfile -t ports <"$BATS_TEST_TMPDIR/ports"
	rm -f "${ports[@]/#/$CLAIMS/}"
}
