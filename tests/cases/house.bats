# Computers on demand: bot=, the house that supplies them, and what becomes of a table when they or it are killed.

load ../lib/common
load ../lib/games

# NAME asks for computers, and sits down with them. Sets TOKEN, and START to that line.
play_bots() { # NAME GAME KEY=VALUE...
	connect "$1"
	send "$1" "PLAY $2 name=$1 ${*:3}"
	expect "$1" 'ID *'
	TOKEN=${LINE##* }
	expect "$1" 'START *'
	START=$LINE
}

refuses() { # NAME ANSWER WORDS...
	send "$1" "${@:3}"
	expect "$1" "$2"
}

# Gives up; what comes of it.
give_up() { # NAME
	send "$1" RESIGN
	expect_later "$1" 'LOSE resigned'
	expect_later "$1" 'ROUND 1 1 *'
	hang_up "$1"
}

# By the server's own count.
expects_bots() { # COUNT
	[[ $("$BUILD/holmgang-server" metrics 2>/dev/null | grep '^holmgang_bots ') == "holmgang_bots $1" ]]
}

# A server with another program for its bots; what that does its clock= says (stray.c).
start_server_with_strays() { # ARGUMENT...
	local program
	mkdir -p strays
	for program in server duels recorder house; do cp "$BUILD/holmgang-$program" strays; done
	cp "$BUILD/tests/stray" strays/holmgang-player
	# shellcheck disable=SC2034 # for start_server
	PROGRAMS=$PWD/strays
	start_server "$@"
}

is_new_house() { # OLD
	is_only_child house "$1"
}

# --- what is asked for is there -------------------------------------------------------------------

@test "each game against the computer: it is there at once, on the terms that were asked for" {
	local game shape
	start_server --match-timeout 1
	for game in $(all_games); do
		shape='rounds=3'
		if game_has "$game" strict; then shape+=' strict=off clock=77'; fi
		# shellcheck disable=SC2086 # words
		play_bots anna "$game" bot=easy $shape
		[[ $START == *' seats=2 round=1/3 names='*easy* ]] || fail "$START"
		send anna LOGOUT
		expect_later anna 'ABORTED logout'
		hang_up anna
	done
	wait_until has_bots 0
	wait_until expects_bots 0
	run ! grep -E 'bot-died|bot-killed|crashed' "$SERVER_LOG"
}

@test "it moves for people to follow, thinks within a short clock, and its games are kept and rated" {
	local level began took best=10000
	start_server
	for level in random easy strong; do
		play_bots "vs-$level" tictactoe "bot=$level" clock=1
		began=$(now)
		if [[ $START == 'START 1 '* ]]; then
			send "vs-$level" 'MOVE 1 1'
			expect_later "vs-$level" 'STATE ? 1 1 0'
		fi
		expect_later "vs-$level" 'STATE ? * 1'
		took=$((($(now) - began) / 1000))
		((took >= best)) || best=$took
		give_up "vs-$level"
	done
	# at most a quarter of the clock, and what a busy machine needs
	((best < 390)) || fail "$best ms"
	play_bots anna tictactoe bot=easy
	began=$(now)
	if [[ $START == 'START 1 '* ]]; then send anna 'MOVE 1 1'; fi
	expect_later anna 'STATE ? * 1'
	took=$((($(now) - began) / 1000))
	((took >= 400)) || fail "$took ms"
	give_up anna
	wait_until has_kept 1 --player anna
	[[ $(kept --player anna) == *'"'*easy*'"'*,\"resigned\",* ]] || fail "$(kept --player anna)"
	run "$BUILD/holmgang-viewer" --ratings tictactoe
	[[ $output == *easy* && $output == *anna* ]]
}

@test "memory: one computer, which picks; later newcomers may join that table; it does not stay alone" {
	local name
	start_server --match-timeout 2
	play_bots anna memory bot=strong size=4
	[[ $START == *' seats=2 '*names=*strong* ]] || fail "$START"
	expect_later anna 'STATE 1 first *'
	connect ben
	send ben 'PLAY memory name=ben size=4'
	expect ben 'ID *'
	expect ben 'START *names=anna,strong,ben*'
	expect_later anna 'STATE 2 join *'
	# one who asks for a computer gets a table of their own
	play_bots cem memory bot=strong size=4
	[[ $START == *names=cem,strong ]] || fail "$START"
	# what anybody has asked for does not keep it there for longer than the server's own time
	play_bots dora memory bot=random size=2 wait=3600
	for name in anna ben cem dora; do
		send "$name" LOGOUT
		expect_later "$name" 'ABORTED logout'
	done
	wait_until has_bots 0
	wait_until expects_bots 0
}

# bats test_tags=slow
@test "computers do not play on among themselves when the people have left: the round ends, and they go" {
	start_server
	play_bots anna qwirkle bot=random seats=3 rounds=9 clock=1
	send anna LOGOUT
	expect_later anna 'ABORTED logout'
	wait_until 60 grep -q 'round-ended .* round=1 ' "$SERVER_LOG"
	wait_until has_bots 0
	run ! grep -q 'round-ended .* round=3 ' "$SERVER_LOG"
}

@test "qwirkle for four: three computers, each with a name of its own" {
	start_server
	play_bots anna qwirkle bot=easy seats=4 rounds=9
	[[ $START == *' seats=4 '* ]]
	[[ $(tr ',' '\n' <<<"${START##*names=}" | sort | paste -sd ' ') == 'anna easy easy-2 easy-3' ]] || fail "$START"
	wait_until has_bots 3
	connect ben
	send ben 'PLAY tictactoe name=ben' # so that it hears names
	expect ben 'ID *'
	expect ben 'NO_OPPONENTS *'
	send ben LIST
	for _ in 1 2 3 4; do
		expect_met ben '* * * qwirkle playing'
		echo "$LINE" >>list
	done
	expect ben END
	[[ $(awk '{ print $3 }' list | sort | paste -sd ' ') == 'anna easy easy-2 easy-3' ]]
	"$BUILD/holmgang-server" ps >tree
	grep -qE '^ \\_ house +[0-9]+ running .*  3 bots$' tree
	[[ $(ps -o args= -p "$(house_pid)") == 'holmgang-house: house, 3 bots'* ]]
	"$BUILD/holmgang-server" ps --json | jq -e '.[] | select(.kind == "house") | .bots == 3'
	"$BUILD/holmgang-server" metrics | grep -qxF 'holmgang_bots_asked_total 3'
}

@test "who asks for computers meets nobody else, and nobody else meets them" {
	local house
	start_server
	house=$(house_pid)
	pause "$house"
	connect ben
	send ben 'PLAY tictactoe name=ben'
	expect ben 'ID *'
	expect ben 'NO_OPPONENTS 10'
	connect anna
	send anna 'PLAY tictactoe name=anna bot=easy'
	expect anna 'ID *'
	connect cem
	send cem 'PLAY tictactoe name=cem bot=easy'
	expect cem 'ID *'
	kill -CONT "$house"
	expect anna 'START *names=*'
	[[ $LINE == *names=*easy* && $LINE == *anna* ]]
	expect cem 'START *names=*'
	[[ $LINE == *names=*easy* && $LINE == *cem* ]]
	expect ben 'NO_OPPONENTS *'
}

# --- what is refused ------------------------------------------------------------------------------

@test "bot= with vs= or table= is refused; so are the computers' names, as long as there is a house" {
	local name
	start_server
	connect anna
	refuses anna 'ERROR bad-argument *' PLAY tictactoe bot=easy vs=ben
	refuses anna 'ERROR bad-argument *' PLAY tictactoe bot=easy table=ours
	refuses anna 'ERROR bad-argument *' PLAY tictactoe bot=clever
	for name in random easy strong easy-2 strong-3; do
		refuses anna "ERROR bad-argument name=$name is a name of the computers here" "PLAY tictactoe name=$name"
	done
	refuses anna 'ID *' PLAY tictactoe name=easy-1 wait=1
	hang_up anna
	kill -TERM "$SERVER_PID"
	start_server --house off
	connect anna
	refuses anna 'ERROR busy there are no computers here' PLAY tictactoe bot=easy
	refuses anna 'ID *' PLAY tictactoe name=easy
	[[ ! $(children house) ]]
	run ! grep -q no-house "$SERVER_LOG"
}

@test "a server whose house is missing plays without; one that was said must be there, and be its own" {
	local program folder=$PWD/alone
	mkdir "$folder"
	for program in server duels recorder; do cp "$BUILD/holmgang-$program" "$folder"; done
	# shellcheck disable=SC2034 # for start_server
	PROGRAMS=$folder
	start_server
	grep -q 'warn no-house reason="holmgang-house is missing: .* so="bot= is answered busy"' "$SERVER_LOG"
	connect anna
	refuses anna 'ERROR busy there are no computers here' PLAY tictactoe bot=easy
	refuses anna 'ID *' PLAY tictactoe name=easy
	hang_up anna
	run -1 "$folder/holmgang-server" "$(free_port)" --state other --listen 127.0.0.1 --house nowhere/house
	[[ ${#lines[@]} == 1 && $output == 'holmgang-server: holmgang-house is missing: nowhere/house: '* ]] || fail "$output"
	run -1 "$folder/holmgang-server" "$(free_port)" --state other --listen 127.0.0.1 --house /bin/echo
	[[ ${#lines[@]} == 1 && $output == *'this server needs "holmgang-house '* ]] || fail "$output"
	# elsewhere will do
	kill -TERM "$SERVER_PID"
	wait_gone "$SERVER_PID"
	start_server --house "$BUILD/holmgang-house"
	play_bots anna tictactoe bot=easy
	give_up anna
}

@test "a house without the players' program says so; who asks is told after three seconds" {
	local program folder=$PWD/alone
	mkdir "$folder"
	for program in server duels recorder house; do cp "$BUILD/holmgang-$program" "$folder"; done
	# shellcheck disable=SC2034 # for start_server
	PROGRAMS=$folder
	start_server
	connect anna
	send anna 'PLAY tictactoe bot=easy'
	expect anna 'ID *'
	expect anna 'ERROR busy the computers do not come, try again later' 6
	expect anna 'ABORTED busy'
	[[ $(grep -c 'error no-bots reason="holmgang-player is missing"' "$SERVER_LOG") == 1 ]]
	# and may ask for something else
	refuses anna 'ID *' PLAY tictactoe
}

@test "no more computers than --house-max: the next one is refused, until a table has ended" {
	start_server --house-max 2
	play_bots anna qwirkle bot=easy seats=3
	connect ben
	refuses ben 'ERROR busy as many computers are playing *' PLAY tictactoe bot=easy
	"$BUILD/holmgang-server" metrics | grep -qxF 'holmgang_refused_total{reason="no-bot"} 1'
	grep -q 'warn play-refused reason=no-bot address=127.0.0.1:' "$SERVER_LOG"
	hang_up ben
	kill -TERM "$SERVER_PID"
	wait_gone "$SERVER_PID"
	start_server --house-max 1
	play_bots anna tictactoe bot=easy
	connect ben
	refuses ben 'ERROR busy as many computers are playing *' PLAY tictactoe bot=easy
	refuses ben 'ERROR busy as many computers are playing *' PLAY qwirkle seats=3 bot=easy
	give_up anna
	wait_until expects_bots 0
	refuses ben 'ID *' PLAY tictactoe bot=easy
	expect ben 'START *'
}

# --- what is killed, stopped, or leaves -----------------------------------------------------------

@test "a bot that dies before it comes, or hangs: who asked hears ERROR busy, and nothing is left over" {
	local clock
	start_server_with_strays
	for clock in 1 2; do # hangs, dies
		connect "asks$clock"
		send "asks$clock" "PLAY tictactoe bot=easy clock=$clock"
		expect "asks$clock" 'ID *'
	done
	for clock in 1 2; do
		expect "asks$clock" 'ERROR busy the computers do not come, try again later' 6
		expect "asks$clock" 'ABORTED busy'
		expect_nothing "asks$clock" 0.1
	done
	wait_until grep -q 'warn bot-killed number=1 name=easy .* reason="it has no seat and does not end"' "$SERVER_LOG"
	wait_until has_bots 0
	grep -q 'warn bot-died number=2 ' "$SERVER_LOG"
	wait_until expects_bots 0
	# what nobody wants any more still counts for two seconds
	connect anna
	refuses anna 'ID *' PLAY tictactoe wait=1
}

@test "a bot that neither plays nor ends loses on time, and is killed" {
	start_server_with_strays
	play_bots anna tictactoe bot=easy clock=3 side=nought
	if [[ $START == 'START 1 '* ]]; then
		expect_later anna 'BOARD *'
		send anna 'MOVE 1 1'
	fi
	expect_later anna 'WIN timeout' 10
	expect_later anna 'ROUND 1 1 *'
	wait_until grep -q 'warn bot-killed number=1 ' "$SERVER_LOG"
	wait_until has_bots 0
}

@test "a bot is killed at the table: that goes on as with any player who has lost the connection" {
	start_server --grace 1
	play_bots anna hnefatafl bot=easy
	wait_until has_bots 1
	kill -KILL "$(bot_pids)"
	expect_later anna 'AWAY ? 1'
	expect_later anna 'WIN left'
	expect_later anna 'ROUND *'
	wait_until grep -q 'warn bot-died number=1 name=easy ' "$SERVER_LOG"
	wait_until expects_bots 0
}

@test "a house that is stopped: ERROR busy after three seconds; it goes on, and nothing is left over" {
	local house began took
	start_server
	house=$(house_pid)
	pause "$house"
	connect anna
	send anna 'PLAY tictactoe bot=easy'
	expect anna 'ID *'
	began=$(now)
	expect_nothing anna 1
	expect anna 'ERROR busy *' 6
	took=$((($(now) - began) / 1000))
	((took >= 2800 && took < 4000)) || fail "$took ms"
	expect anna 'ABORTED busy'
	kill -CONT "$house"
	wait_until has_bots 0
	send anna 'PLAY tictactoe bot=easy'
	expect anna 'ID *'
	expect anna 'START *'
}

@test "a house is killed: who waits is told at once, tables go on, the next house is there a second later" {
	local house began took
	start_server --grace 1
	play_bots anna hnefatafl bot=easy
	house=$(house_pid)
	pause "$house"
	connect ben
	send ben 'PLAY tictactoe bot=easy'
	expect ben 'ID *'
	began=$(now)
	kill -KILL "$house"
	expect ben 'ERROR busy *'
	took=$((($(now) - began) / 1000))
	((took < 1500)) || fail "$took ms"
	expect ben 'ABORTED busy'
	# its bots die with it
	expect_later anna 'AWAY ? 1'
	expect_later anna 'WIN left'
	grep -q "warn house-died pid=$house " "$SERVER_LOG"
	wait_until is_new_house "$house"
	send ben 'PLAY tictactoe bot=easy'
	expect ben 'ID *'
	expect ben 'START *'
}

@test "a house that does not read is killed, and another takes its place" {
	local house n
	start_server --house-max 10000
	house=$(house_pid)
	pause "$house"
	connect anna
	for ((n = 0; n < 2000; n++)); do printf 'PLAY qwirkle seats=4 bot=random\nLOGOUT\n'; done >many
	(cat many >&"${CONNECTION[anna]}")
	wait_until grep -q "warn house-killed pid=$house reason=\"it does not read\"" "$SERVER_LOG"
	wait_until is_new_house "$house"
	hang_up anna
	wait_until has_bots 0
	connect ben
	send ben 'PLAY tictactoe bot=easy'
	expect_later ben 'START *'
}

@test "who asked leaves before the computers come: they are not wanted any more" {
	local house
	start_server
	house=$(house_pid)
	pause "$house"
	connect anna
	send anna 'PLAY qwirkle seats=4 bot=easy'
	expect anna 'ID *'
	wait_until expects_bots 3
	send anna LOGOUT
	expect anna 'ABORTED logout'
	wait_until expects_bots 0
	connect ben
	send ben 'PLAY tictactoe bot=easy'
	expect ben 'ID *'
	hang_up ben
	wait_until expects_bots 0
	kill -CONT "$house"
	wait_until has_bots 0
	run ! grep -q bot-killed "$SERVER_LOG"
}

@test "who asked comes back on another connection before the computers do, and plays there" {
	local house
	start_server
	house=$(house_pid)
	pause "$house"
	connect anna
	send anna 'PLAY tictactoe name=anna bot=easy'
	expect anna 'ID *'
	TOKEN=${LINE##* }
	connect again
	send again "RESUME $TOKEN"
	expect again 'ID *'
	expect_eof anna
	kill -CONT "$house"
	expect again 'START *names=*'
}

@test "a bot that comes too late, or with a token of nobody's, is refused" {
	local house
	start_server
	house=$(house_pid)
	pause "$house"
	connect anna
	send anna 'PLAY tictactoe bot=easy'
	expect anna 'ID *'
	send anna LOGOUT
	expect anna 'ABORTED logout'
	kill -CONT "$house"
	wait_until has_bots 0
	exec {token}< <(printf '%032d' 0)
	run -1 "$BUILD/holmgang-player" --bot easy -g tictactoe --resume-fd "$token" 127.0.0.1 "$PORT"
	run -2 "$BUILD/holmgang-player" --bot easy -g tictactoe --resume-fd 99 127.0.0.1 "$PORT"
	run -2 "$BUILD/holmgang-player" --bot easy --resume-fd 0 127.0.0.1 "$PORT" </dev/null
}

@test "a server that drains lets tables with computers end; who waits for one hears that it stops" {
	local house
	start_server
	play_bots anna tictactoe bot=easy
	house=$(house_pid)
	pause "$house"
	connect ben
	send ben 'PLAY qwirkle bot=easy'
	expect ben 'ID *'
	launch drain "$BUILD/holmgang-server" drain
	expect ben 'ABORTED shutdown'
	kill -CONT "$house"
	connect cem
	refuses cem 'ERROR busy *' PLAY tictactoe bot=easy
	give_up anna
	wait_gone "$SERVER_PID"
	wait_until has_no_family "$SERVER_PID"
}

@test "the server ends with computers at its tables: all are told, and nothing is left over" {
	start_server
	play_bots anna hnefatafl bot=easy
	play_bots ben qwirkle bot=strong seats=4
	wait_until has_bots 4
	kill -TERM "$SERVER_PID"
	expect_later anna 'ABORTED shutdown'
	expect_later ben 'ABORTED shutdown'
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	wait_until has_no_family "$SERVER_PID"
	run ! grep -E 'bot-died|bot-killed' "$SERVER_LOG"
}

@test "the server is killed: house and bots die with it; the next one calls them back to their seats" {
	local port=
	start_server
	port=$PORT
	play_bots anna hnefatafl bot=easy clock=off
	expect_later anna 'BOARD *'
	kill -KILL "$SERVER_PID"
	start_server_on "$port" --grace 3
	hang_up anna
	wait_until has_bots 1
	connect anna
	send anna "RESUME $TOKEN"
	expect anna 'ID *'
	expect anna 'START *'
	# it plays on
	send anna LIST
	expect_later anna END
	wait_until expects_bots 1
	connect ben
	send ben 'PLAY tictactoe name=ben'
	send ben LIST
	expect_later ben '* easy hnefatafl playing'
	send anna RESIGN
	expect_later anna 'LOSE resigned'
	wait_until has_bots 0
	wait_until has_kept 1 --player easy
	# without a house their seats are those of people who do not come back
	play_bots cem hnefatafl bot=easy clock=off
	kill -KILL "$SERVER_PID"
	start_server_on "$port" --house off
	connect dora
	send dora "RESUME $TOKEN"
	expect_later dora 'WIN left'
}

# --- what a bot may do ----------------------------------------------------------------------------

# That a bot with this clock= has ended so.
ended_with() { # CLOCK STATUS
	wait_until grep -q "bot-died number=$1 .* status=$2 " "$SERVER_LOG" ||
		fail "clock=$1 is not $2:" "$(grep "number=$1 " "$SERVER_LOG")"
}

@test "a bot is locked in: no file, no program, no process, no network but its server" {
	local n files=0xd00 # EACCES
	if grep -qa __asan_init "$BUILD/holmgang-house"; then return; fi # its cage is open
	start_server_with_strays --house-max 100
	if grep -q house-sees-files "$SERVER_LOG"; then files='0x[0-9a-f]*'; fi
	# clock=1 to 3 are of other tests; the number of each bot is its clock
	for ((n = 1; n <= 17; n++)); do
		connect "asks$n"
		send "asks$n" "PLAY tictactoe bot=easy clock=$n"
		expect "asks$n" 'ID *'
	done
	for n in 4 5 6 7 11; do ended_with "$n" "$files"; done
	for n in 8 9 10 14 16; do ended_with "$n" '0x1\?f'; done # SIGSYS
	for n in 12 13; do ended_with "$n" 0x6100; done        # EAFNOSUPPORT
	ended_with 15 0xc00                                    # ENOMEM
	ended_with 17 0x6600                                   # nothing was found
	[[ ! -e /tmp/holmgang-escaped ]]
	# the house lives
	run ! grep -q house-died "$SERVER_LOG"
}

@test "limits and locks of the house and of a bot; what they have open" {
	local house bot
	if grep -qa __asan_init "$BUILD/holmgang-house"; then return; fi # its cage is open
	start_server
	play_bots anna hnefatafl bot=strong
	house=$(house_pid)
	wait_until has_bots 1
	bot=$(bot_pids)
	[[ $(awk '/^Max address space/ { print $4, $5 }' "/proc/$bot/limits") == '268435456 268435456' ]]
	[[ $(awk '/^Max file size/ { print $4, $5 }' "/proc/$bot/limits") == '0 0' ]]
	[[ $(awk '/^Max core file size/ { print $5, $6 }' "/proc/$bot/limits") == '0 0' ]]
	[[ $(ps -o ni= -p "$bot" | tr -d ' ') == 5 && $(ps -o ppid= -p "$bot" | tr -d ' ') == "$house" ]]
	[[ $(awk '$1 == "NoNewPrivs:" { print $2 }' "/proc/$bot/status") == 1 ]]
	[[ ! $(tr -d '\0' <"/proc/$bot/environ") ]]
	# no token on the command line
	[[ $(tr '\0' ' ' <"/proc/$bot/cmdline") == "holmgang-player --bot strong -g hnefatafl -n strong --resume-fd "* ]]
	[[ $(readlink "/proc/$bot/fd/0" "/proc/$bot/fd/1" "/proc/$bot/fd/2" | sort -u) == /dev/null ]]
	give_up anna
}

@test "timeline: a track for the house and its bots, an arrow for each word to it" {
	start_server --trace trace.json
	play_bots anna tictactoe bot=easy
	give_up anna
	wait_until has_bots 0
	wait_until expects_bots 0
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	run -0 python3 "$ROOT/tests/tools/timeline.py" trace.json 'tell house>=1' 'killed=0'
	[[ $output == *'arrows '* ]]
	grep -q '"name":"process_name","args":{"name":"house"}' trace.json
	grep -q '"name":"process_name","args":{"name":"bot easy"}' trace.json
	[[ $(grep -c '"ph":"s","name":"invite"' trace.json) == 3 ]] # begin, bot, gone
	[[ $(grep -c '"ph":"f","bp":"e","name":"invite"' trace.json) == 3 ]]
}

@test "kill_all takes the house and its bots along, also when all of them are stopped" {
	local house
	start_server
	play_bots anna hnefatafl bot=easy
	house=$(house_pid)
	wait_until has_bots 1
	pause "$house" "$(bot_pids)"
	run -0 "$ROOT/kill_all" --only "$HOLMGANG_STATE"
	[[ $output == *"pid $house (holmgang-house: house, 1 bot)"* ]] || fail "$output"
	[[ $output == *'(holmgang-player --bot easy -g hnefatafl '* ]] || fail "$output"
	has_no_family "$SERVER_PID"
}
