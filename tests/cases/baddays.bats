# Bad days: a disk that is full or read-only, a clock that runs backwards, no descriptors, no
# processes, duels that are stopped, rubbish among the journals, sockets that are used oddly.

load ../lib/common

# FOLDER is that of a server which is not root's.
teardown() {
	local status=0
	common_teardown || status=$?
	if [[ ${FOLDER-} ]]; then rm -rf "$FOLDER"; fi
	return "$status"
}

is_empty() { # FOLDER
	[[ ! $(ls "$1") ]]
}

# Lines of the server's log, or of LOG, that match.
logged() { # PATTERN [LOG]
	grep -c "$1" "${2:-$SERVER_LOG}" || true
}

is_logged() { # PATTERN [TIMES]
	(($(logged "$1") >= ${2:-1}))
}

# Two full players, A the attacker who begins, B the defender, at a board of Hnefatafl.
seat_two() { # [KEY=VALUE...]
	ROUND=0
	connect A
	connect B
	send A "PLAY hnefatafl name=anna side=attacker${1:+ $*}"
	expect A 'ID *'
	TOKEN_A=${LINE##* }
	expect A 'NO_OPPONENTS *'
	send B "PLAY hnefatafl name=ben${1:+ $*}"
	expect B 'ID *'
	TOKEN_B=${LINE##* }
	expect_met A 'START 1 *'
	expect B 'START 0 *'
	expect A 'BOARD *'
	expect B 'BOARD *'
}

# Each moves once; it takes a while until a position comes back.
goes_on() {
	local -a a=('3 0' '3 1' '2 1' '2 0') b=('4 3' '3 3')
	move A B 0 "${a[ROUND % 4]} ${a[(ROUND + 1) % 4]}"
	move B A 1 "${b[ROUND % 2]} ${b[(ROUND + 1) % 2]}"
	ROUND=$((ROUND + 1))
}

move() { # MOVER OTHER SEAT MOVE
	send "$1" "MOVE $4"
	expect "$1" "STATE $3 $4 0"
	expect "$1" 'BOARD *'
	expect "$2" "STATE $3 $4 1"
	expect "$2" 'BOARD *'
}

# --- a folder on a disk of its own ---------------------------------------------------------------

# The state folder, for the servers from now on, is on a disk of SIZE that DISK leads to. Where none may
# be mounted, a bad day does as if.
use_disk() { # SIZE
	local enter=()
	if ! has_power disk; then
		DISK=$HOLMGANG_STATE
		use_bad_day
		return
	fi
	own_namespace --mount
	if [[ ${NAMESPACE[1]} == --map-root-user ]]; then enter=(-U --preserve-credentials); fi
	# shellcheck disable=SC2016 # for the inner shell
	launch holder "${NAMESPACE[@]}" bash -c \
		'mount -t tmpfs -o size=$1 none "$2" && echo mounted && exec sleep 1000' _ "$1" "$HOLMGANG_STATE"
	wait_until grep -q mounted "$LOG" || fail "no disk can be mounted here:" "$(<"$LOG")"
	DISK=/proc/$PID/root$HOLMGANG_STATE
	UNDER=(nsenter -t "$PID" "${enter[@]}" -m -r -w --)
}

fill_disk() {
	if ! has_power disk; then
		set_day "${FULL:-F}"
		return
	fi
	cat /dev/zero >"$DISK/fill" 2>/dev/null || true
	[[ $(stat -f -c %f "$DISK") == 0 ]]
}

free_disk() {
	if has_power disk; then rm "$DISK/fill"; else set_day .; fi
}

# Says moves that are none, of 250 bytes in the journal each, until the log has this.
chatter_until_logged() { # NAME PATTERN [TIMES]
	local n text
	printf -v text '%0240d' 0
	for ((n = 0; n < 400; n++)); do
		send "$1" "MOVE $text"
		expect "$1" 'ERROR *'
		if is_logged "$2" "${3:-1}"; then return; fi
	done
	wait_until is_logged "$2" "${3:-1}"
}

@test "the disk is full: the game goes on, and is said to be unsafe until there is room again" {
	use_disk 128k
	start_server
	seat_two
	find_duel
	fill_disk
	chatter_until_logged A 'warn journal-behind table=0 duel=.* so="a crash ends this table"'
	goes_on
	goes_on
	[[ $(logged journal-behind) == 1 ]]
	free_disk
	wait_until is_logged 'info journal-whole table=0 duel='
	kill_duel
	goes_on
	kill_duel
	goes_on
	# and once more; now it is killed while its journal is behind
	fill_disk
	chatter_until_logged B 'warn journal-behind' 2
	goes_on
	kill -KILL "$DUEL"
	expect A 'ABORTED crashed'
	expect B 'ABORTED crashed'
	wait_until is_logged 'warn journal-set-aside .*crashed'
	send A "RESUME $TOKEN_A"
	expect A 'ERROR bad-token *'
}

@test "the disk is full: new tables play; killed they end, and new ones are safe when there is room" {
	use_disk 128k
	start_server
	fill_disk
	seat_two
	goes_on
	find_duel
	wait_until is_logged 'warn journal-behind table=0'
	kill -KILL "$DUEL"
	expect A 'ABORTED crashed'
	expect B 'ABORTED crashed'
	wait_until has_duels 0
	seat_two
	goes_on
	find_duel
	wait_until is_logged 'warn journal-behind' 2
	free_disk
	wait_until is_logged 'info journal-whole'
	kill_duel
	goes_on
	send A RESIGN
	expect A 'LOSE resigned'
	expect B 'WIN resigned'
	wait_until has_unfinished 0 "$DISK/journals"
}

@test "the disk is full for too long: the journal is given up, the table plays to its end" {
	use_disk 128k
	start_server --answers 1000/1000
	seat_two
	fill_disk
	chatter_until_logged A 'warn journal-none table=0'
	wait_until has_unfinished 0 "$DISK/journals"
	free_disk
	goes_on
	find_duel
	send B RESIGN
	expect B 'LOSE resigned'
	expect A 'WIN resigned'
	wait_until has_duels 0
	seat_two
	find_duel
	kill_duel
	goes_on
}

@test "the server started again on a full disk: the games go on, and are safe when there is room" {
	use_disk 128k
	start_server
	seat_two
	goes_on
	fill_disk
	kill -KILL "$SERVER_PID"
	expect_eof A
	start_server_on "$PORT"
	wait_until is_logged 'info recovered table=0'
	connect A
	send A "RESUME $TOKEN_A"
	expect A 'ID *'
	expect A 'START 1 *'
	expect A 'BOARD *'
	connect B
	send B "RESUME $TOKEN_B"
	expect B 'ID *'
	expect B 'START 0 *'
	expect B 'BOARD *'
	expect_later A 'BACK 1'
	goes_on
	chatter_until_logged A 'warn journal-behind'
	free_disk
	wait_until is_logged 'info journal-whole'
	find_duel
	kill_duel
	goes_on
}

@test "the server killed while a journal is behind: that game is not played on from a past that nobody knows" {
	use_disk 128k
	start_server
	seat_two
	fill_disk
	chatter_until_logged A 'warn journal-behind'
	goes_on
	kill -KILL "$SERVER_PID"
	expect_eof A
	free_disk
	start_server_on "$PORT"
	wait_until is_logged 'warn journal-set-aside .*\.behind'
	ls "$DISK"/aside/*.behind
	connect A
	send A "RESUME $TOKEN_A"
	expect A 'ERROR bad-token *'
}

# Both hear it, and come back to the server that is started next.
server_dies_and_comes_back() {
	kill -KILL "$SERVER_PID"
	expect_eof A
	expect_eof B
	start_server_on "$PORT"
}

both_are_back() {
	connect A
	send A "RESUME $TOKEN_A"
	expect A 'ID *'
	expect A 'START 1 *'
	expect A 'BOARD *'
	connect B
	send B "RESUME $TOKEN_B"
	expect B 'ID *'
	expect B 'START 0 *'
	expect B 'BOARD *'
	expect_later A 'BACK 1'
	goes_on
}

@test "a table is killed while its journal is behind: the next one at its place outlives the server" {
	use_disk 128k
	start_server
	fill_disk
	seat_two
	find_duel
	wait_until is_logged 'warn journal-behind table=0'
	kill -KILL "$DUEL"
	expect A 'ABORTED crashed'
	expect B 'ABORTED crashed'
	wait_until has_duels 0
	free_disk
	seat_two
	server_dies_and_comes_back
	both_are_back
}

@test "the server is killed with a journal that had no room for a byte: the next one there outlives a server" {
	use_disk 128k
	start_server
	fill_disk
	seat_two
	wait_until is_logged 'warn journal-behind table=0'
	kill -KILL "$SERVER_PID"
	expect_eof A
	expect_eof B
	free_disk
	start_server_on "$PORT"
	seat_two
	server_dies_and_comes_back
	both_are_back
}

@test "a server that cannot write its pid ends at once and says so" {
	use_disk 128k
	fill_disk
	run timeout 20 "${UNDER[@]}" "$PROGRAMS/holmgang-server" "$(free_port)" --listen 127.0.0.1 --state "$HOLMGANG_STATE"
	[[ $status == 1 && ${#lines[@]} == 1 && $output == *"cannot write $HOLMGANG_STATE/server.pid"*'No space left'* ]]
}

@test "the log is on the full disk: lines are lost, nothing waits, nothing ends" {
	local FULL=f # of a bad day: the log is on that disk too
	use_disk 128k
	# shellcheck disable=SC2016 # for the inner shell
	UNDER+=(bash -c 'exec "$@" 2>"$HOLMGANG_STATE/server.log"' _)
	start_server --debug
	SERVER_LOG=$DISK/server.log
	fill_disk
	local n
	for ((n = 0; n < 40; n++)); do # 4 KiB of it are there already
		connect C
		hang_up C
	done
	seat_two
	goes_on
	free_disk
	connect C
	wait_until is_logged 'info journal-whole'
	find_duel
	kill_duel
	goes_on
}

@test "files may not grow (ulimit -f): as if the disk were full" {
	# shellcheck disable=SC2016 # for the inner shell
	UNDER=(bash -c 'mkfifo log; cat log >all.log & exec 2>log; ulimit -f 2; exec "$@"' _)
	start_server
	SERVER_LOG=$BATS_TEST_TMPDIR/all.log
	seat_two
	chatter_until_logged A 'warn journal-behind'
	goes_on
}

@test "a state folder that is read-only, or holds something else: a clear line, status 1" {
	local port
	port=$(free_port)
	use_disk 128k
	if has_power disk; then
		"${UNDER[@]}" mount -o remount,ro none "$HOLMGANG_STATE"
	else
		set_day R
	fi
	run timeout 20 "${UNDER[@]}" "$PROGRAMS/holmgang-server" "$port" --listen 127.0.0.1
	[[ $status == 1 && ${#lines[@]} == 1 && $output == *"cannot write in the state folder $HOLMGANG_STATE"*Read-only* ]]
	mkdir other
	touch other/journals
	run timeout 20 "$BUILD/holmgang-server" "$port" --listen 127.0.0.1 --state other
	[[ $status == 1 && ${#lines[@]} == 1 && $output == *'cannot read the folder other/journals'* ]]
}

# --- what a preloaded library makes bad ----------------------------------------------------------

@test "the disk becomes read-only: games go on, also one that is killed; when it is mended, all is well" {
	use_bad_day
	start_server
	seat_two
	find_duel
	set_day R
	# nothing is missing in its journal yet
	kill_duel
	goes_on
	wait_until is_logged 'warn journal-behind table=0'
	wait_until is_logged 'warn journal-not-marked .*Read-only'
	send A RESIGN
	expect A 'LOSE resigned'
	expect B 'WIN resigned'
	wait_until is_logged 'warn journal-not-set-aside .*Read-only'
	wait_until has_duels 0
	seat_two
	goes_on
	wait_until is_logged 'warn journal-not-opened .*Read-only'
	find_duel
	kill -KILL "$DUEL"
	expect A 'ABORTED crashed'
	expect B 'ABORTED crashed'
	wait_until has_duels 0
	set_day .
	seat_two
	find_duel
	kill_duel
	goes_on
}

@test "the disk becomes read-only for a while: what was not written is written then" {
	use_bad_day
	start_server
	seat_two
	find_duel
	set_day R
	goes_on
	wait_until is_logged 'warn journal-behind table=0'
	set_day .
	wait_until is_logged 'info journal-whole table=0'
	kill_duel
	goes_on
}

@test "a chapter that could not be finished: a server that starts again is soon rid of it" {
	use_bad_day
	start_server --grace 1
	seat_two
	goes_on
	set_day R
	send A RESIGN
	expect A 'LOSE resigned'
	expect B 'WIN resigned'
	wait_until is_logged 'warn journal-not-set-aside'
	has_unfinished 1
	kill -KILL "$SERVER_PID"
	wait_gone "$SERVER_PID"
	set_day .
	start_server_on "$PORT" --grace 1
	wait_until has_unfinished 0
	wait_until has_duels 0
	is_empty "$HOLMGANG_STATE/aside"
}

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

# --- --sync --------------------------------------------------------------------------------------

DATA_SYNC_FAILS=....E SYNC_FAILS=.....E ALL_IS_WELL=......

@test "--sync move, a disk with errors: nobody hears what it has not kept, and nobody's time runs; then it goes on" {
	local begin
	use_bad_day
	start_server --sync move
	seat_two clock=4
	set_day "$DATA_SYNC_FAILS"
	send B 'no move'
	wait_until is_logged 'warn journal-behind table=0 duel=.* so="its players wait until the disk has it"'
	begin=$(now)
	send A 'MOVE 3 0 3 1'
	send B RESIGN
	expect_nothing A 5
	expect_nothing B
	(($(now) - begin > 4500000)) # A would have lost on time
	[[ $(logged round-ended) == 0 && $(logged journal-behind) == 1 && $(logged journal-whole) == 0 ]]
	set_day "$ALL_IS_WELL"
	expect B 'ERROR unknown-command *'
	expect_later A 'STATE 0 3 0 3 1 0'
	expect_later B 'LOSE resigned'
	wait_until is_logged 'info round-ended .* why=resigned'
	[[ $(logged journal-whole) == 1 ]]
}

@test "--sync move, a duel killed while it waits for its disk: its table goes on when the disk does" {
	use_bad_day
	start_server --sync move
	seat_two
	find_duel
	set_day "$DATA_SYNC_FAILS"
	send A 'MOVE 3 0 3 1'
	wait_until is_logged 'warn journal-behind'
	kill -KILL "$DUEL"
	wait_until is_logged 'info duel-reborn'
	# what it finds in its journal is on no disk yet
	wait_until is_logged 'warn journal-behind' 2
	expect_nothing A 1.5
	set_day "$ALL_IS_WELL"
	expect A 'STATE 0 3 0 3 1 0'
	expect A 'BOARD *'
	expect B 'STATE 0 3 0 3 1 1'
	expect B 'BOARD *'
	wait_until is_logged 'info journal-whole'
	ROUND=0
	move B A 1 '4 3 3 3'
}

@test "--sync move, the server stops while a table waits for its disk: its players are told, nothing else hangs" {
	use_bad_day
	start_server --sync move
	seat_two
	set_day "$DATA_SYNC_FAILS"
	send A 'MOVE 3 0 3 1'
	wait_until is_logged 'warn journal-behind'
	kill -TERM "$SERVER_PID"
	expect A 'ABORTED shutdown'
	expect B 'ABORTED shutdown'
	wait_gone "$SERVER_PID"
	(($(ms_to_stop) < 2000)) || fail "$(ms_to_stop) ms"
}

@test "--sync move, the disk is full: the table waits, and all is said when there is room" {
	local n text
	printf -v text '%0240d' 0
	use_disk 128k
	start_server --sync move
	seat_two
	fill_disk
	for ((n = 0; n < 30; n++)); do
		send A "MOVE $text"
	done
	wait_until is_logged 'warn journal-behind table=0 duel=.* so="its players wait until the disk has it"'
	send B 'no move'
	expect_nothing B 2
	free_disk
	for ((n = 0; n < 30; n++)); do
		expect A 'ERROR *'
	done
	expect B 'ERROR *'
	goes_on
	[[ $(logged journal-behind) == 1 && $(logged journal-whole) == 1 ]]
}

@test "--sync move, the server killed while a table waits for its disk: that game goes on" {
	local n text
	printf -v text '%0240d' 0
	use_disk 128k
	start_server --sync move
	seat_two
	goes_on
	fill_disk
	for ((n = 0; n < 30; n++)); do
		send B "MOVE $text"
	done
	wait_until is_logged 'warn journal-behind'
	send A 'MOVE 3 1 2 1'
	kill -KILL "$SERVER_PID"
	free_disk
	start_server_on "$PORT" --sync move
	wait_until is_logged 'info recovered table=0'
	connect A
	send A "RESUME $TOKEN_A"
	expect A 'ID *'
	expect A 'START 1 *'
	connect B
	send B "RESUME $TOKEN_B"
	expect_later B 'BOARD *'
	expect_later A 'BACK 1'
	goes_on
}

@test "--sync move, the disk is read-only when a duel is killed: its table goes on when it can be written again" {
	use_bad_day
	start_server --sync move
	seat_two
	goes_on
	find_duel
	set_day R
	kill -KILL "$DUEL"
	wait_until is_logged 'warn duel-not-reborn .*reason="Read-only file system"'
	expect_nothing A
	set_day .
	wait_until is_logged 'info duel-reborn'
	goes_on
}

@test "--sync move, files may not grow (ulimit -f): the table does not wait for ever, and says why it ends" {
	# shellcheck disable=SC2016,SC2034 # for the inner shell, for start_server
	UNDER=(bash -c 'mkfifo log; cat log >all.log & exec 2>log; ulimit -f 2; exec "$@"' _)
	local n text
	printf -v text '%0240d' 0
	start_server --sync move
	SERVER_LOG=$BATS_TEST_TMPDIR/all.log
	seat_two
	for ((n = 0; n < 12; n++)); do
		send A "MOVE $text"
	done
	expect_later A 'ABORTED crashed'
	expect_later B 'ABORTED crashed'
	is_logged 'error journal-full .*table=0 '
}

@test "--sync end, a disk with errors when a game ends: it is said, the game is over and is kept" {
	use_bad_day
	start_server --sync end
	seat_two
	goes_on
	set_day "$DATA_SYNC_FAILS"
	send A RESIGN
	expect A 'LOSE resigned'
	expect B 'WIN resigned'
	wait_until is_logged 'warn journal-behind table=0 duel=.* so="a power cut may lose this game"'
	wait_until has_duels 0
	set_day "$ALL_IS_WELL" # the database is on the same disk
	wait_until has_kept 1
	[[ $(logged journal-behind) == 1 ]]
	is_empty "$HOLMGANG_STATE/aside"
}

@test "--sync move: a table whose journal's name the disk does not keep is not played before it does" {
	use_bad_day
	start_server --sync move
	set_day "$SYNC_FAILS"
	connect A
	connect B
	send A 'PLAY hnefatafl name=anna side=attacker wait=60'
	expect A 'ID *'
	send B 'PLAY hnefatafl name=ben wait=60'
	wait_until is_logged 'warn table-not-made .*reason="Input/output error"'
	set_day "$ALL_IS_WELL"
	expect_later A 'START 1 *'
	expect_later B 'START 0 *'
}

@test "--sync end: the same is said, and the table plays; so it is when a journal is set aside; --sync never asks no disk" {
	use_bad_day
	start_server --sync end
	set_day "$SYNC_FAILS"
	seat_two
	is_logged 'warn folder-not-synced folder=journals reason="Input/output error"'
	find_duel
	kill_duel ABRT
	kill_duel ABRT
	kill -ABRT "$DUEL"
	expect A 'ABORTED crashed'
	wait_until is_logged 'warn folder-not-synced folder=aside '
	compgen -G "$HOLMGANG_STATE/aside/*.crashed"
	hang_up A
	hang_up B
	start_server --state "$BATS_TEST_TMPDIR/other"
	seat_two
	goes_on
	[[ $(logged not-synced) == 0 ]]
}

@test "--sync: a server whose new state folder the disk does not keep ends at once and says so" {
	use_bad_day
	set_day "$SYNC_FAILS"
	run timeout 20 "${UNDER[@]}" "$PROGRAMS/holmgang-server" "$(free_port)" --listen 127.0.0.1 --sync end
	[[ $status == 1 && ${#lines[@]} == 1 && $output == *"cannot force the folder $HOLMGANG_STATE to the disk"*'Input/output error'* ]] || fail "$output"
	set_day "$ALL_IS_WELL"
	start_server --sync end
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
