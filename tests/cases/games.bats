# Kept games as the viewer shows them: the list, one again, as text and back, ratings; bad input.

load ../lib/common
load ../lib/games
load ../lib/terminal

viewer() {
	"$BUILD/holmgang-viewer" "$@"
}

# Bots play one game of each kind, Qwirkle with what is hidden and a third.
play_all_games() {
	local game name pids=() keys
	start_server
	for game in $(all_games); do
		for name in one two three; do
			player_args "$game" "$name"
			keys=(clock=off)
			if ! game_has_turns "$game"; then keys=(rounds=1); fi
			if game_has "$game" seats; then
				keys+=(seats=3 rounds=2)
			elif [[ $name == three ]]; then
				continue
			fi
			launch "$game-$name" "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot random -g "$game" -n "$name" \
				--games 1 --seed 7 "${ARGS[@]}" "${keys[@]/#/--key=}"
			pids+=("$PID")
		done
	done
	for PID in "${pids[@]}"; do exit_status "$PID" 60; done
	wait_until has_kept "$(game_count)"
}

id_of() { # FILTER...
	local line
	line=$(kept "$@" | head -n 1)
	line=${line#\"}
	echo "${line%%\"*}"
}

# export, import into an empty folder, export: not a byte is different
goes_round() { # ID
	local other=$BATS_TEST_TMPDIR/other
	viewer --export "$1" >first.txt
	run viewer --state "$other" --import first.txt
	[[ $status == 1 && $output == *"cannot write $other/games.db"* ]]
	mkdir "$other"
	run viewer --state "$other" --import first.txt
	[[ $status == 0 && $output == "imported $1" ]] || fail "$output"
	viewer --state "$other" --export "${1:0:9}" >second.txt
	cmp first.txt second.txt
	run viewer --state "$other" --import first.txt
	[[ $status == 0 && $output == "$1 is there already, nothing is changed" ]]
	rm -r "$other"
}

# bats test_tags=slow
@test "each game goes out as text and comes back, to the byte; it can be played again" {
	play_all_games
	local game id steps
	for game in $(all_games); do
		id=$(id_of --game "$game")
		goes_round "$id"
		grep -qx "\[Game \"$game\"\]" first.txt
		grep -qx '\[Termination "normal"\]' first.txt
		grep -Eqx '1\. [0-9-] (!tick )?.*\{[0-9]+\.[0-9]{3}\}' first.txt
		viewer --ascii --replay "$id" </dev/null >replay.txt
		steps=$(grep -cE '^[0-9]+ of [0-9]+  [0-9]+:[0-9]{2}\.[0-9]{3}' replay.txt)
		(($(grep -c '^[0-9]*\. [0-9] [^!]' first.txt) <= steps)) || fail "$game: $steps steps"
		grep -q "^$((steps - 1)) of $((steps - 1)) " replay.txt
		[[ $(tail -n 3 replay.txt) =~ win|draw|point|nobody|row|share ]] || fail "$(tail -n 3 replay.txt)"
	done
}

@test "memory with a newcomer, one who leaves and cards that turn back: kept, and comes back" {
	start_server
	local name
	for name in A B; do
		connect "$name"
		send "$name" "PLAY memory name=$name size=4"
	done
	expect_later A 'BOARD *'
	send A 'MOVE 0 0'
	expect_later A 'STATE 0 first 0 0 *'
	connect C
	send C 'PLAY memory name=C size=4'
	expect_later C 'START *'
	send C 'MOVE 1 1'
	expect_later C 'STATE 2 first *'
	send B LOGOUT
	expect_later B ABORTED*
	expect_later C 'STATE 1 leave *'
	send A 'MOVE 3 3'
	expect_later C 'STATE 0 [rw][ir]* *'
	send A LOGOUT
	send C LOGOUT
	wait_until has_kept 1
	local id
	id=$(id_of)
	viewer --export "$id" >text
	grep -Eq '^[0-9]+\. 2 !join \{' text
	grep -Eq '^[0-9]+\. 1 !logout \{' text
	goes_round "$id"
	viewer --ascii --replay "$id" </dev/null | grep -q 'C: first 1 1'
}

# Turns up two cards; is it a pair?
find_pair() { # NAME SEAT X Y X Y
	send "$1" "MOVE $3 $4"
	expect_later "$1" "STATE $2 first $3 $4 *"
	send "$1" "MOVE $5 $6"
	expect_later "$1" "STATE $2 [rw][ir][go][hn][tg]* *"
	if [[ $LINE == *" right "* ]]; then return; fi
	expect_later "$1" "STATE $2 hide *" # nobody waits for him meanwhile
	return 1
}

# All of the four cards that there are with size=2.
find_all_pairs() { # NAME SEAT
	if find_pair "$1" "$2" 0 0 0 1; then
		find_pair "$1" "$2" 1 0 1 1
	elif find_pair "$1" "$2" 0 0 1 0; then
		find_pair "$1" "$2" 0 1 1 1
	else
		find_pair "$1" "$2" 0 0 1 1
		find_pair "$1" "$2" 0 1 1 0
	fi
}

@test "memory: who comes has the place of one who has left in this round; each has his own standing" {
	start_server
	local name
	for name in anna ben; do
		connect "$name"
		send "$name" "PLAY memory name=$name size=2"
		expect "$name" 'ID *'
	done
	expect_later anna 'BOARD *'
	expect_later ben 'BOARD *'
	send ben LOGOUT
	expect_later ben 'ABORTED logout'
	# an answer of the server: it has taken him, and his place, back
	send ben GAMES
	expect_later ben END
	connect cem
	send cem 'PLAY memory name=cem size=2'
	expect_later cem 'START ? SEAT 2 *'
	find_all_pairs anna 0
	expect_later cem 'ROUND 1 * 1 0 0'
	send anna LOGOUT
	send cem LOGOUT
	wait_until has_kept 1
	python3 - "$HOLMGANG_STATE/games.db" <<-'END' >standings
		import sqlite3, sys
		db = sqlite3.connect(sys.argv[1])
		for row in db.execute("SELECT name, points, rank, won FROM standing NATURAL JOIN player ORDER BY player"):
		    print(*row)
	END
	[[ $(<standings) == $'anna 4 1 1\nben 0 3 0\ncem 0 2 0' ]] || fail "$(<standings)"
	goes_round "$(id_of)"
}

# What all games that are made by hand here have in common.
COMMON_TAGS='[Private "no"]
[Judged "yes"]
[Idle "600"]
[Grace "30"]
[Seed "0123456789abcdef"]
[First "0"]
[Seats "2"]'

# Three games that are known to the second: hand-made, imported.
make_games() {
	local n names=('anna ben' 'ben anna' 'anna cem') date=('11.16' '11.17' '11.18')
	for n in 0 1 2; do
		cat >"$n.txt" <<-END
			[Game "tictactoe"]
			[Id "0000000$n-0000-4000-8000-000000000000"]
			[Date "2026.${date[n]}"]
			[Time "15:04:05"]
			[Options "rounds=1 clock=120 strict=off"]
			$COMMON_TAGS
			[Seat0 "${names[n]% *}"]
			[Seat0Id "11111111-1111-4111-8111-111111111111 full 0 10"]
			[Seat1 "${names[n]#* }"]
			[Seat1Id "22222222-2222-4222-8222-222222222222 full 1 10"]
			[Result "1-0"]
			[Termination "normal"]

			1. 0 0 0 {1.530}
			2. 1 1 0 {2.000}
			3. 0 0 1 {3.000}
			4. 1 1 1 {4.000}
			5. 0 0 2 {5.250}
		END
		if ((n == 2)); then
			sed -i 's/"normal"/"resigned"/; s/^5\. 0 0 2/5. 1 !resign/' 2.txt
		fi
		viewer --import "$n.txt" >>imported
	done
}

@test "what an earlier version was late with, second by second, can still be played" {
	cat >late.txt <<-END
		[Game "memory"]
		[Id "00000000-0000-4000-8000-000000000000"]
		[Date "2026.11.16"]
		[Time "15:04:05"]
		[Options "rounds=0 size=4"]
		$COMMON_TAGS
		[Seat0 "anna"]
		[Seat0Id "11111111-1111-4111-8111-111111111111 full 0 2"]
		[Seat1 "ben"]
		[Seat1Id "22222222-2222-4222-8222-222222222222 full 1 2"]
		[Result "*"]
		[Termination "aborted left"]

		1. 1 !logout {1.000}
		2. - !tick {9.000}
		3. - !tick {9.000}
	END
	viewer --import late.txt
	viewer --ascii --replay 00000000 </dev/null >replay
	grep -q aborted replay || fail "$(<replay)"
}

@test "the list: filters, text, JSON, CSV" {
	local word
	make_games
	[[ $(viewer --games) == "\
id        began (UTC)       game       moves  players           result   how it ended
00000002  2026-11-18 15:04  tictactoe      4  anna,cem          1-0      resigned
00000001  2026-11-17 15:04  tictactoe      5  ben,anna          1-0      normal
00000000  2026-11-16 15:04  tictactoe      5  anna,ben          1-0      normal" ]] || fail "$(viewer --games)"
	[[ $(viewer --games --csv --limit 1) == "\
id,game,started,ms,players,won,result,outcome,termination,rounds,moves,private
\"00000002-0000-4000-8000-000000000000\",\"tictactoe\",2026-11-18T15:04:05Z,5250,\"anna,cem\",\"1,0\",\"1-0\",\"won\",\"resigned\",1,4,0" ]]
	[[ $(viewer --games --json --result resigned) == '[
{"id":"00000002-0000-4000-8000-000000000000","game":"tictactoe","started":"2026-11-18T15:04:05Z","ms":5250,"players":["anna","cem"],"won":[1,0],"result":"1-0","outcome":"won","termination":"resigned","rounds":1,"moves":4,"private":false}
]' ]]
	has_kept 3 --player anna
	has_kept 2 --player ben
	has_kept 0 --player nobody
	has_kept 3 --game tictactoe
	has_kept 0 --game quantik
	has_kept 3 --result won
	has_kept 2 --result normal
	has_kept 1 --result resigned
	for word in drawn unfinished 'time forfeit' 'illegal move' left claimed aborted 'aborted left'; do
		[[ $(viewer --games --csv --result "$word" | wc -l) == 1 ]]
	done
	has_kept 2 --since 2026-11-17
	has_kept 1 --until 2026-11-17
	has_kept 1 --since 2026-11-17T15:04:05 --until 2026-11-17T15:05
	has_kept 2 --limit 2
	[[ $(viewer --games --json --player nobody) == $'[\n]' ]]
}

@test "the list of a database that somebody has changed is JSON and CSV all the same" {
	make_games
	python3 - "$HOLMGANG_STATE/games.db" <<-'END'
		import sqlite3, sys
		db = sqlite3.connect(sys.argv[1])
		db.execute("UPDATE player SET won = '\"x,' WHERE game = 1 AND player = 0")
		db.execute("UPDATE player SET won = '' WHERE game = 2 AND player = 0")
		db.execute("UPDATE player SET name = char(34, 10, 92) WHERE game = 3")
		db.commit()
	END
	viewer --games --json >list
	[[ $(python3 -c 'import json; print([game["won"] for game in json.load(open("list"))])') == '[[1, 0], [0, 0], [0, 0]]' ]] ||
		fail "$(<list)"
	[[ $(viewer --games --csv | wc -l) == 4 ]]
}

@test "a time that no clock has ever told is shown as one of the calendar; its game is played all the same" {
	make_games
	python3 - "$HOLMGANG_STATE/games.db" <<-'END'
		import sqlite3, sys
		db = sqlite3.connect(sys.argv[1])
		db.execute("UPDATE game SET started = 9223372036854775807, ended = -9223372036854775808 WHERE game = 3")
		db.commit()
	END
	[[ $(viewer --games --csv --limit 1 | tail -n 1) == *,\"tictactoe\",9999-12-31T23:59:59Z,-253402300799999,* ]] ||
		fail "$(viewer --games --csv)"
	viewer --export 00000002 | grep -qx '\[Date "9999.12.31"\]'
	viewer --ascii --replay 00000002 </dev/null >/dev/null
	# ben has not played for 292 million years
	viewer --ratings tictactoe --json >list
	[[ $(python3 -c 'import json; print([one["deviation"] for one in json.load(open("list")) if one["name"] == "ben"])') == '[350.0]' ]] ||
		fail "$(<list)"
}

@test "ratings: the same every time, as text, JSON, CSV" {
	make_games
	[[ $(viewer --ratings tictactoe --csv | cut -d, -f 1,5) == $'name,rounds\n"ben",2\n"anna",3\n"cem",1' ]] ||
		fail "$(viewer --ratings tictactoe)"
	[[ $(viewer --ratings tictactoe | awk 'NR > 1 { print $1, $2, $NF }') == $'1 ben 2\n2 anna 3\n3 cem 1' ]]
	viewer --ratings tictactoe --json | grep -q '^{"name":"anna","rating":1[5-9][0-9][0-9]\.'
	[[ $(viewer --ratings quantik --csv | wc -l) == 1 ]]
}

# Import of 0.txt changed by sed; what is said.
refuses() { # SED LINE COLUMN WORDS
	sed "$1" 0.txt >bad.txt
	run viewer --import bad.txt
	[[ $status == 1 && $output == "holmgang-viewer: bad.txt, line $2, column $3: "*"$4"* ]] ||
		fail "$1: $output"
}

@test "a text that cannot be so is refused, with its line and column; nothing is changed" {
	make_games
	sed -i 's/^\[Id "0/[Id "9/' 0.txt
	refuses 's/"tictactoe"/"chess"/' 1 8 'a game that we have'
	refuses '1d' 23 1 'there is no tag [Game'
	refuses 's/^\[Id .*/[Id "x"]/' 2 6 'a UUID'
	refuses 's/2026/26-/' 3 8 'a date like'
	refuses 's/2026\.11\.16/2026.02.30/' 3 8 'a date like'
	refuses 's/15:04:05/15:04:60/' 3 8 'a date like'
	refuses 's/2026\.11\.16/1969.12.31/' 3 8 'from 1970 on'
	refuses 's/rounds=1/rounds=100/' 5 11 'keys of PLAY'
	refuses 's/"0123456789abcdef"/"0"/' 10 8 '16 of 0-9 a-f'
	refuses 's/"ben"/"b n"/' 15 9 'a name is 1 to 24'
	refuses 's/^\[Seat1Id.*/[Seat1Id "y"]/' 16 11 'behind each SeatN'
	refuses 's/Seat0 /Seat4 /' 13 1 'in their order'
	refuses 's/"1-0"/"0-1"/' 17 10 'wants 1-0'
	refuses 's/"normal"/"left"/' 18 15 'wants normal'
	refuses 's/^3\. 0 0 1/3. 0 1 0/' 22 1 'do not allow this move'
	refuses 's/^2\. 1/2. 0/' 21 1 'do not allow this move'
	refuses 's/^2\. 1/2. 7/' 21 1 'no such player'
	refuses 's/{2.000}/{1.000}/' 21 1 'earlier than the one before'
	refuses 's/ {3.000}//' 22 1 'ends with its time'
	refuses 's/{2.000}/{2.5}/' 21 10 'three digits'
	refuses 's/{2.000}/{2.0005}/' 21 10 'three digits'
	refuses 's/{2.000}/{2}/' 21 10 'three digits'
	refuses 's/{2.000}/{2. 50}/' 21 10 'three digits'
	refuses 's/{2.000}/{-2.000}/' 21 10 'three digits'
	refuses 's/{2.000}/{1234567890123.000}/' 21 10 'three digits'
	refuses 's/^3\./4./' 22 1 'begins with its number'
	refuses 's/^3\. 0 0 1/3. 0 !dance/' 22 6 'no such word'
	refuses 24d 23 1 'it has no end'
	refuses '24a [Late "tag"]' 25 1 'tags come before the moves'
	refuses 's/^\[Game .*/[Game/' 1 1 'looks like [Name'
	printf '' >empty.txt
	run viewer --import empty.txt
	[[ $status == 1 && $output == *'empty.txt, line 1, column 1: there is no tag [Game'* ]] || fail "$output"
	run viewer --import missing.txt
	[[ $status == 1 && $output == *'cannot read missing.txt: No such file'* ]]
	has_kept 3
}

@test "an id of somebody else may be in capital letters: its game is found all the same, and is there once" {
	make_games
	sed 's/^\[Id "0.*/[Id "ABCDEF00-0000-4000-8000-000000000000"]/' 0.txt >capital.txt
	viewer --import capital.txt
	viewer --export ABCDEF >same.txt
	grep -qx '\[Id "abcdef00-0000-4000-8000-000000000000"\]' same.txt
	run viewer --import capital.txt
	[[ $status == 0 && $output == *'is there already, nothing is changed' ]] || fail "$output"
	viewer --export abcdef00 | cmp same.txt
}

@test "no database, an id that is none or not enough, options that mean nothing" {
	run viewer --games
	[[ $status == 1 && $output == "holmgang-viewer: there are no games in $HOLMGANG_STATE: No such file"*'--state)' ]]
	# the recorder is just making it
	mkdir -p "$HOLMGANG_STATE"
	: >"$HOLMGANG_STATE/games.db"
	run viewer --games
	[[ $status == 1 && $output == "holmgang-viewer: no game has been kept in $HOLMGANG_STATE yet" ]] || fail "$output"
	make_games
	run viewer --replay 4
	[[ $status == 1 && $output == *'there is no game 4 (--games lists them)' ]]
	run viewer --export 0000
	[[ $status == 1 && $output == *'several games begin with 0000: say more of the id' ]]
	run viewer --export "' OR 1 --"
	[[ $status == 1 && $output == *'there is no game'* ]]
	local bad
	for bad in '--games 9001' '--games --replay 0' '--replay 0 --json' '--csv' '--limit 3 9001' \
		'--games --limit -1' '--games --since yesterday' '--games --since 2026-02-30' \
		'--games --until 2026-11-18T24:00' '--games --result bogus' '--games --result abortedly' '--games --result=' \
		'--games --game chess' '--ratings chess' \
		'--ratings tictactoe --player anna'; do
		# shellcheck disable=SC2086 # words
		run viewer $bad
		[[ $status == 2 && $output == 'holmgang-viewer: '* ]] || fail "$bad: $output"
	done
	run viewer --games --state "$HOLMGANG_STATE/games.db"
	[[ $status == 1 && $output == *'there are no games in'* ]]
}

@test "listing, replaying and rating change nothing in the folder" {
	make_games
	local before
	before=$(cd "$HOLMGANG_STATE" && sha256sum games.db)
	chmod 400 "$HOLMGANG_STATE/games.db"
	viewer --games >/dev/null
	viewer --ratings tictactoe >/dev/null
	viewer --replay 00000000 </dev/null >/dev/null
	[[ $(cd "$HOLMGANG_STATE" && sha256sum games.db) == "$before" ]]
	! viewer --games --json >/dev/full || fail 'the output has gone, and it did not mind'
}

# --- the terminal ------------------------------------------------------------------------------

teardown() {
	terminal_teardown
}

# Is every line of the list a whole one? (What is too wide goes on in the next.)
lists() { # FIRST WORDS...
	screen | grep -q "^$1" && [[ $(screen | grep -c '^0000000[0-2]  ') == 3 ]] &&
		! screen | grep -qvE '^(id|0000000[0-2]|above|status=0)|^$'
}

@test "lists on a terminal are as wide as that" {
	make_games
	sed 's/^\[Seat0 "anna"/[Seat0 "anna-with-a-name-so-long"/; s/^\[Id "00000000/[Id "00000009/' 0.txt >long.txt
	open_terminal 100 24 "LC_ALL=C.UTF-8 '$BUILD/holmgang-viewer' --games"
	wait_until lists 'id        began (UTC)       game       moves  players *result *how it ended'
	close_terminal
	viewer --import long.txt
	open_terminal 80 24 "LC_ALL=C.UTF-8 '$BUILD/holmgang-viewer' --games --limit 3 --until 2026-11-17"
	wait_until shows 'anna-with-a-na…'
	shows_not moves
	close_terminal
	open_terminal 60 20 "LC_ALL=C '$BUILD/holmgang-viewer' --games --limit 3 --until 2026-11-17"
	wait_until shows 'anna-with-a~'
	shows_not 'how it ended'
	close_terminal
	open_terminal 40 20 "LC_ALL=C '$BUILD/holmgang-viewer' --ratings tictactoe; '$BUILD/holmgang-viewer' --games"
	wait_until shows 'anna-with-a-na'
	wait_until shows 'ben,anna'
	shows_not volatility
	shows_not began
	close_terminal
}

@test "a replay on the terminal: it runs, stops, goes step by step, to its ends; q ends it" {
	make_games
	# its second move comes late, so that there is time to see what came before it
	sed 's/^\[Id "0/[Id "8/; s/{2.000}/{8.000}/; s/{3.000}/{8.500}/; s/{4.000}/{9.000}/; s/{5.250}/{9.250}/' 0.txt >slow.txt
	viewer --import slow.txt
	open_terminal 80 24 "LC_ALL=C '$BUILD/holmgang-viewer' --ascii --replay 8"
	wait_until shows 'playing 1x'
	wait_until shows '1 of 5  0:01.530   anna: 0 0' # by itself
	in_tmux send-keys Space
	wait_until shows paused
	# the help is whole, or not there
	wait_until shows ' q quits   1 of 5  0:01.530   anna: 0 0   paused 1x   space, arrows, + -'
	shows_not Home
	in_tmux resize-window -x 100 -y 24
	wait_until shows 'space, arrows, + -   Home, End'
	in_tmux resize-window -x 30 -y 24
	wait_until shows_not 'anna: 0 0'
	wait_until shows ' q quits   1 of 5  0:01.530'
	in_tmux resize-window -x 80 -y 24
	in_tmux send-keys End
	wait_until shows '5 of 5  0:09.250   anna: 0 2'
	wait_until shows 'anna wins'
	in_tmux send-keys Left
	wait_until shows '4 of 5  0:09.000   ben: 1 1'
	in_tmux send-keys Home
	wait_until shows '0 of 5  0:00.000'
	in_tmux send-keys Right
	wait_until shows '1 of 5  0:01.530'
	in_tmux send-keys - -
	wait_until shows '1/4x'
	in_tmux send-keys + + + +
	wait_until shows '4x'
	in_tmux send-keys End Space # from its end it begins again, and runs to it
	wait_until shows '5 of 5'
	wait_until shows 'paused 4x'
	in_tmux resize-window -x 60 -y 20
	wait_until shows 'anna wins'
	in_tmux send-keys q
	wait_until shows 'status=0'
}
