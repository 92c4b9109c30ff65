# --sync: the disk has what is told.

load ../lib/common
load ../lib/baddays

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
	# shellcheck disable=SC2034 # for goes_on
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
	# shellcheck disable=SC2034 # for is_logged
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
