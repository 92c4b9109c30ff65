# Every game kept: what the recorder puts into the database, whatever dies or is full meanwhile.

load ../lib/common

# Two full players at a table of tic-tac-toe: X at seat 0, who may or may not begin.
seat_two() { # NAME NAME [GAME [KEY=VALUE...]]
	connect X
	connect O
	send X "PLAY ${3:-tictactoe} name=$1${4:+ ${*:4}}"
	expect X 'ID *'
	TOKEN_X=${LINE##* }
	expect X 'NO_OPPONENTS *'
	send O "PLAY ${3:-tictactoe} name=$2${4:+ ${*:4}}"
	expect_later X 'BOARD *'
	expect_later O 'BOARD *'
}

# COUNT tables at which one resigns at once.
play_short_games() { # COUNT
	local n
	for ((n = 0; n < $1; n++)); do
		seat_two "a$n" "b$n"
		send X RESIGN
		expect_later O 'ROUND *'
		expect_later X 'ROUND *'
		hang_up X
		hang_up O
	done
}

# Chapters of games that are over, in all journals.
has_over() { # COUNT
	[[ $(cat "$HOLMGANG_STATE"/journals/* | grep -c ' over$') == "$1" ]]
}

has_new_recorder() { # PID
	is_only_child recorder "$1"
}

kill_recorder() {
	OLD=$(recorder_pid)
	kill -KILL "$OLD"
}

ended_as() { # PLAYER TERMINATION
	wait_until has_kept 1 --player "$1"
	[[ $(kept --player "$1") == *",\"$2\","* ]] || fail "$(kept --player "$1")"
}

@test "a game that has ended is in the database, without anybody's token" {
	start_server
	seat_two anna ben tictactoe clock=off
	local first=X second=O
	send X 'MOVE 0 0'
	expect X '*'
	if [[ $LINE == 'ERROR not-your-turn'* ]]; then
		first=O second=X
		send O 'MOVE 0 0'
	fi
	expect_later "$second" 'STATE ? 0 0 1'
	send "$second" 'MOVE 1 0'
	expect_later "$first" 'STATE ? 1 0 1'
	send "$first" 'MOVE 0 1'
	expect_later "$second" 'STATE ? 0 1 1'
	send "$second" 'MOVE 1 1'
	expect_later "$first" 'STATE ? 1 1 1'
	send "$first" 'MOVE 0 2'
	expect_later "$first" 'WIN 036'
	ended_as anna normal
	[[ $(kept) =~ \"tictactoe\",20..-..-..T..:..:..Z,[0-9]+,\"(anna,ben|ben,anna)\",\"(1,0|0,1)\",\"(1-0|0-1)\",\"won\",\"normal\",1,5,0$ ]] ||
		fail "$(kept)"
	# no token leaves the journal
	run ! grep -aq "$TOKEN_X" "$HOLMGANG_STATE"/games.db*
	[[ $(stat -c %a "$HOLMGANG_STATE/games.db") == 600 ]]
}

# bats test_tags=slow
@test "how a game ended is kept: resigned, time forfeit, illegal move, left, claimed, aborted, private" {
	start_server --grace 0
	seat_two resigns other
	send X RESIGN
	ended_as resigns resigned
	seat_two slow other2 tictactoe clock=1
	ended_as slow 'time forfeit'
	seat_two breaker other3 hnefatafl strict=on side=attacker
	send X 'MOVE 0 0 0 0'
	ended_as breaker 'illegal move'
	seat_two leaver other4
	send X LOGOUT
	ended_as leaver left
	seat_two hidden other5 tictactoe table=secretword
	send X RESIGN
	ended_as hidden resigned
	[[ $(kept --player hidden) == *,1 ]] # private
	run ! grep -aq secretword "$HOLMGANG_STATE"/games.db*
	seat_two stays other6
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	ended_as stays 'aborted shutdown'
	start_server --no-valid
	seat_two claims other7 hnefatafl side=attacker
	send X 'MOVE 3 0 3 1 claim=win'
	ended_as claims claimed
	[[ $(kept --player claims) == *'"1-0"'* ]]
}

@test "a game that has crashed is kept as far as it went; its journal stays aside" {
	start_server
	seat_two anna ben hnefatafl side=attacker
	send X 'MOVE 3 0 3 1'
	expect_later O 'STATE 0 3 0 3 1 1'
	find_duel
	kill_duel ABRT
	kill_duel ABRT
	kill -ABRT "$DUEL"
	expect_later X 'ABORTED crashed'
	ended_as anna 'aborted crashed'
	[[ $(kept) == *'"*","unfinished","aborted crashed",0,1,0' ]] || fail "$(kept)"
	is_aside() {
		compgen -G "$HOLMGANG_STATE/aside/*.crashed"
	}
	wait_until is_aside
	# and it is there once, also after another look at the folder
	kill_recorder
	wait_until has_new_recorder "$OLD"
	play_short_games 1
	wait_until has_kept 2
}

# bats test_tags=slow
@test "the recorder is killed again and again: every game is there, none twice" {
	start_server

	for _ in 1 2 3 4; do
		play_short_games 6
		kill_recorder
		play_short_games 2 # games end while there is none
		wait_until has_new_recorder "$OLD"
	done
	wait_until has_kept 32
	[[ $(kept | cut -d, -f 1 | sort -u | wc -l) == 32 ]]
	grep -q 'warn recorder-died' "$SERVER_LOG"
}

@test "the recorder is stopped: the games go on, and are kept when it goes on" {
	local recorder
	start_server
	recorder=$(recorder_pid)
	pause "$recorder"
	play_short_games 10
	wait_until has_over 10
	has_kept 0
	kill -CONT "$recorder"
	wait_until has_kept 10
}

@test "the server dies with games that are over: the next one keeps them, and plays the others on" {
	start_server
	local port=$PORT
	pause "$(recorder_pid)"
	play_short_games 3
	seat_two anna ben hnefatafl side=attacker
	wait_until has_unfinished 1
	kill -KILL "$SERVER_PID"
	wait_gone "$SERVER_PID"
	start_server_on "$port"
	wait_until has_kept 3
	connect Y
	send Y "RESUME $TOKEN_X"
	expect_later Y 'BOARD *'
	send Y RESIGN
	wait_until has_kept 4
}

@test "the server stops in order: what has just ended is kept before it goes" {
	start_server
	play_short_games 5
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	has_kept 5
}

@test "a database that cannot be written: said once, the games wait and are kept later" {
	mkdir "$HOLMGANG_STATE/games.db" # also root cannot write that
	start_server
	play_short_games 3
	wait_until grep -q "warn games-not-kept database=$HOLMGANG_STATE/games.db reason=" "$SERVER_LOG"
	play_short_games 2
	wait_until has_over 5
	rmdir "$HOLMGANG_STATE/games.db"
	wait_until has_kept 5
	[[ $(grep -c games-not-kept "$SERVER_LOG") == 1 ]]
	wait_until grep -q 'info games-kept-again' "$SERVER_LOG"
}

@test "a database that takes no more: what had been read but not kept is read again" {
	start_server
	play_short_games 1
	wait_until has_kept 1
	local recorder
	recorder=$(recorder_pid)
	prlimit --pid "$recorder" --fsize=30000:unlimited
	play_short_games 3
	wait_until grep -q 'warn games-not-kept' "$SERVER_LOG"
	has_kept 1
	prlimit --pid "$recorder" --fsize=unlimited:unlimited
	wait_until has_kept 4
	[[ $(recorder_pid) == "$recorder" ]]
}

@test "a damaged or foreign database is left alone; the games wait until it is moved away" {
	head -c 20000 /dev/urandom >"$HOLMGANG_STATE/games.db"
	local sum
	sum=$(sha256sum <"$HOLMGANG_STATE/games.db")
	start_server
	play_short_games 2
	wait_until grep -q 'warn games-not-kept .*reason="file is not a database"' "$SERVER_LOG"
	[[ $(sha256sum <"$HOLMGANG_STATE/games.db") == "$sum" ]]
	run "$BUILD/holmgang-viewer" --games
	[[ $status == 1 && $output == "holmgang-viewer: cannot read $HOLMGANG_STATE/games.db: file is not a database" ]]
	mv "$HOLMGANG_STATE/games.db" "$BATS_TEST_TMPDIR/bad.db"
	wait_until has_kept 2
}

@test "a chapter that is over and makes no sense is set aside; the others are kept" {
	local id=00000000-0000-4000-8000-000000000000
	mkdir -p "$HOLMGANG_STATE/journals"
	{
		printf '\nholmgang 1 2026-11-18T15:04:05Z\n'
		printf 'table 0 %s open 0123456789abcdef 1 tictactoe table= rounds=1 clock=120 strict=off\n' "$id"
		printf 'seat 11111111-1111-4111-8111-111111111111 - anna full off 200 10\n'
		printf 'seat 22222222-2222-4222-8222-222222222222 - ben full off 200 10\n'
		printf 'rules 600 30 off 200 50\nat 0 0 0 0\nat 1 1 0 0\nopen\n10 dance 0\n20 over\n'
	} | warranted >"$HOLMGANG_STATE/journals/0"
	start_server
	play_short_games 1
	wait_until has_kept 1
	wait_until test -e "$HOLMGANG_STATE/aside/$id.unplayable"
	has_kept 1
}

@test "who says the word that ends a chapter does not end it" {
	start_server
	seat_two anna ben
	send X 'GAME over'
	expect_later X 'ERROR unknown-command *'
	# one that is new looks at all journals
	kill_recorder
	wait_until has_new_recorder "$OLD"
	rename X A
	rename O B
	play_short_games 1
	wait_until has_kept 1 --player a0
	has_kept 0 --player anna
	send A RESIGN
	expect_later A 'LOSE resigned'
	ended_as anna resigned
}

@test "a few hundred games at once, the recorder killed meanwhile: none lost, none twice" {
	local load
	launch load "$BUILD/bench/load" duels at=16 count=600 -- "$BUILD/holmgang-server" %P \
		--listen 127.0.0.1 --interface lo --state "$HOLMGANG_STATE" --ready-fd 3
	load=$PID
	has_server() {
		SERVER_PID=$(pgrep -P "$load" -x holmgang-server) && is_only_child recorder none
	}
	wait_until has_server
	OLD=$CHILD
	kill -KILL "$OLD"
	is_over_or_has_new_recorder() {
		is_gone "$load" || has_new_recorder "$OLD"
	}
	for _ in 1 2 3; do
		wait_until is_over_or_has_new_recorder
		if is_gone "$load"; then break; fi
		OLD=$CHILD
		kill -KILL "$OLD" || break # all is over in this very moment
	done
	exit_status "$load" 60
	[[ $STATUS == 0 ]]
	# what was left when the server ended is taken by the next one
	start_server
	wait_until has_kept 600
	[[ $(kept | cut -d, -f 1 | sort -u | wc -l) == 600 ]]
}

# A journal with one game in it that is as long as many.
make_long_journal() { # FILE
	local n junk
	printf -v junk '%090d' 0
	{
		printf '\nholmgang 1 2026-11-18T15:04:05Z\n'
		printf 'table 0 00000000-0000-4000-8000-000000000000 open 0123456789abcdef 0 tictactoe table= rounds=1 clock=off strict=off\n'
		printf 'seat 11111111-1111-4111-8111-111111111111 - long full off 200 10\n'
		printf 'seat 22222222-2222-4222-8222-222222222222 - short full off 200 10\n'
		printf 'rules 86400 30 off 200 50\nat 0 0 0 0\nat 1 1 0 0\nopen\n'
		for ((n = 1; n <= 700; n++)); do printf '%d said 0 %d MOVE %s\n' $((n * 100)) $((n * 96)) "$junk"; done
		printf '90000 said 0 70000 RESIGN\n90000 over\n'
	} | warranted >"$1"
}

@test "a long journal is begun anew when all that is in it is kept, and not before" {
	mkdir -p "$HOLMGANG_STATE/journals" "$HOLMGANG_STATE/games.db"
	local journal=$HOLMGANG_STATE/journals/0
	make_long_journal "$journal"
	start_server
	play_short_games 2
	wait_until has_over 3
	(($(stat -c %s "$journal") > 70000))
	rmdir "$HOLMGANG_STATE/games.db"
	wait_until has_kept 3
	ended_as long resigned
	play_short_games 1
	wait_until has_kept 4
	(($(stat -c %s "$journal") < 2000)) || fail "$(stat -c %s "$journal")"
	# and what is written into it now is found as well
	play_short_games 2
	wait_until has_kept 6
}
