# A disk that is full or read-only.

load ../lib/common
load ../lib/baddays

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

# bats test_tags=slow
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
	# shellcheck disable=SC2034 # for fill_disk
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
	# shellcheck disable=SC2034 # for is_logged
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
