#!/usr/bin/env bats
#
# Boards as files and in the browser, and programs that hear what holmgang-web hears: what is
# served, to whom, at what cost, and what happens with those who do not read. The page in a real
# browser is in browser.bats.

load ../lib/common

X_ID=11111111-1111-4111-8111-111111111111
O_ID=22222222-2222-4222-8222-222222222222

frame() { # GAME DUEL N MODEL VERDICT TURN [MORE...]
	printf '%s %s %s %s game=%s duel=%08x-0000-4000-8000-000000000000 n=%s turn=%s names=anna,ben %s\n' \
		"$X_ID" "$O_ID" "$4" "$5" "$1" "$2" "$3" "$6" "${7:-round=1/1}"
}

tell() { # PORT GAME DUEL N MODEL VERDICT TURN [MORE...]
	frame "${@:2}" | "$BUILD/tests/send_frame" 127.255.255.255 "$1"
}

# A page for COUNT ports from BOARDS on: sets WEB (its port), WEB_PID and BOARDS.
start_web() { # COUNT [ARGUMENT...]
	BOARDS=$(free_port "$1")
	start web web 0 "${@:2}" "$BOARDS-$((BOARDS + $1 - 1))"
	WEB_PID=$PID
	WEB=$(sed -n 's|^http://.*:\([0-9]*\)/$|\1|p' "$LOG")
}

get() { # PATH [CURL_ARGUMENT...]
	curl -sS --max-time 30 "${@:2}" "http://127.0.0.1:$WEB$1"
}

follow() { # NAME PATH
	launch "$1" curl -sSN "http://127.0.0.1:$WEB$2"
}

has() { # FILE TEXT
	grep -qF -- "$2" "$1"
}

# A round of tic-tac-toe with one move, given up; MORE is for both PLAYs.
play_round() { # MORE
	connect anna
	send anna PLAY tictactoe name=anna ${1:+"$1"}
	expect_later anna 'NO_OPPONENTS *'
	connect ben
	send ben PLAY tictactoe name=ben ${1:+"$1"}
	expect_later anna 'BOARD *'
	send anna RESIGN
	expect_later anna 'ROUND *'
	hang_up anna
	hang_up ben
}

tells_of_games() { # COUNT
	[[ $(get /kept | jq '.games | length') == "$1" ]]
}

# How often an event of a port has been told.
events_of() { # FILE PORT
	grep -cF "data: {\"port\":$2," "$1" || true
}

has_events() { # FILE PORT COUNT
	(($(events_of "$1" "$2") >= $3))
}

# The board in the newest event of a port.
board_of() { # FILE PORT
	sed -n "s/^data: \({\"port\":$2,.*\)/\1/p" "$1" | tail -n 1
}

sockets_of() { # PID
	find "/proc/$1/fd" -lname 'socket:*' 2>/dev/null | wc -l
}

has_sockets() { # PID COUNT
	(($(sockets_of "$1") == $2))
}

# Processor time that a process has used, in hundredths of a second.
spent() { # PID
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# --- modules -----------------------------------------------------------------------------------

@test "messages, streams and boards of the page" {
	run "$BUILD/tests/web_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

@test "what the page is told of kept games when not all goes well" {
	run "$BUILD/tests/kept_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

# --- SVG ---------------------------------------------------------------------------------------

hnefatafl_start=...AAA.......A........D....A...D...AAADDKDDAAA...D...A....D........A.......AAA...
memory_board=abAcd0...cd0......abB...ef1ef1..................

picture() { # FILE GAME MODEL VERDICT TURN [MORE...]
	local port
	port=$(free_port)
	start "svg-$2" viewer --svg "$1" "$port"
	tell "$port" "$2" 7 3 "$3" "$4" "$5" "${@:6}"
	exit_status "$PID"
	[[ $STATUS == 0 ]] || fail "$(<"$LOG")"
	xmllint --noout --nonet "$1"
}

count_in() { # FILE XPATH
	xmllint --nonet --xpath "count($2)" "$1"
}

@test "--svg writes the board of each game, and all its pieces can be told by shape" {
	picture t.svg tictactoe XXXOO.... 012 -
	[[ $(count_in t.svg '//*[@class="l s0"]') == 4 && $(count_in t.svg '//*[@class="frame"]') == 3 ]]
	[[ $(count_in t.svg '//*[@class="line"]') == 1 ]]
	[[ $(xmllint --xpath 'string(/*/*[local-name()="desc"])' t.svg) == *'anna: cross at 0 0, 1 0, 2 0. ben: nought'* ]]

	picture h.svg hnefatafl "$hnefatafl_start" false 0
	# a piece each on the board, and one in the panel
	[[ $(count_in h.svg '//*[@class="f s0"]') == 17 && $(count_in h.svg '//*[@class="o s1"]') == 9 ]]
	[[ $(count_in h.svg '//*[@class="f s1"]') == 1 && $(count_in h.svg '//*[@class="knot"]') == 5 ]]

	picture q.svg quantik CPSTcpst........ false 0
	[[ $(xmllint --xpath '//*[contains(@transform, "translate(") and starts-with(@class, "o s0")]/@d' q.svg |
		sort -u | wc -l) == 4 ]]

	picture w.svg qwirkle 96/a1,0,0/b1,1,0/c1,2,0/d1,3,0/e1,4,0/f1,5,0/a2,0,1/a3,0,2 false 0 scores=9,0
	[[ $(count_in w.svg '//*[@class="slab"]') == 8 ]]
	[[ $(xmllint --xpath '//*[contains(@class, " c0")]/@d' w.svg | sort -u | wc -l) == 6 ]]
	[[ $(xmllint --xpath 'string((//*[@class="hint"])[7])' w.svg) == a2 ]]

	picture m.svg memory "$memory_board" false - scores=2,2
	[[ $(count_in m.svg '//*[@class="card down"]') == 10 ]]
	[[ $(count_in m.svg '//*[starts-with(@class, "card won")]') == 4 ]]
	[[ $(xmllint --xpath 'string((//*[@class="big"])[1])' m.svg) == ab ]]
}

@test "an SVG file is of its own: words for who does not see it, both themes, nothing from elsewhere" {
	picture board.svg tictactoe X........ false 1 round=2/3
	[[ $(xmllint --xpath 'string(/*/*[local-name()="title"])' board.svg) == 'Tic-tac-toe  round 2 of 3: anna against ben' ]]
	[[ $(xmllint --xpath 'string(//*[@class="caption"])' board.svg) == 'ben to move' ]]
	has board.svg 'prefers-color-scheme: dark'
	[[ $(count_in board.svg '//@href | //@*[contains(., "url(")] | //@style') == 0 ]]
	run grep -oE 'https?:[^"'\'' ]*' board.svg
	[[ $output == http://www.w3.org/2000/svg ]]
}

@test "--svg says what it waits for, and stops waiting" {
	local port
	port=$(free_port)
	run timeout 30 "$BUILD/holmgang-viewer" --svg board.svg --seconds 1 "$port"
	[[ $status == 1 && ${#lines[@]} == 2 && ${lines[0]} == *"waiting for a frame on port $port" ]]
	[[ ${lines[1]} == *"nothing was heard on port $port in 1 s"* && ! -e board.svg ]]
	start svg viewer --svg board.svg "$port"
	kill -TERM "$PID"
	exit_status "$PID"
	[[ $STATUS == 1 && ! -e board.svg ]] && has "$LOG" 'nothing is written'
}

@test "an SVG file that cannot be written is one line, and leaves nothing behind" {
	local port
	port=$(free_port)
	mkdir place
	start svg viewer --svg place "$port"
	tell "$port" tictactoe 1 0 ......... false 0
	exit_status "$PID"
	[[ $STATUS == 1 ]] && has "$LOG" 'cannot write place: Is a directory'
	[[ ! $(compgen -G 'place.*') ]]
	start svg viewer --svg nowhere/board.svg "$port"
	tell "$port" tictactoe 2 0 ......... false 0
	exit_status "$PID"
	[[ $STATUS == 1 ]] && has "$LOG" 'cannot write nowhere/board.svg: No such file'
}

@test "--svg writes to what a link leads to, and to a pipe, and leaves them what they are" {
	mkdir far
	echo old >far/board.svg
	ln -s far/board.svg link.svg
	ln -s far/new.svg loose.svg
	picture link.svg tictactoe X........ false 1
	[[ -L link.svg && -f far/board.svg && ! -L far/board.svg ]]
	has far/board.svg 'ben to move'
	picture loose.svg tictactoe X........ false 1
	[[ -L loose.svg && -f far/new.svg && ! -L far/new.svg ]]
	has far/new.svg 'ben to move'
	[[ $(echo far/* ./*.svg*) == 'far/board.svg far/new.svg ./link.svg ./loose.svg' ]] || fail "$(echo far/* ./*.svg*)"

	mkfifo pipe
	launch reader cat pipe
	local reader=$PID read=$LOG port
	port=$(free_port)
	start svg viewer --svg pipe "$port"
	tell "$port" tictactoe 7 3 X........ false 1
	exit_status "$PID"
	[[ $STATUS == 0 && -p pipe ]] || fail "$(<"$LOG")"
	exit_status "$reader"
	xmllint --noout --nonet "$read"
	has "$read" 'ben to move'
}

@test "--svg into a pipe that nobody reads can be ended" {
	local port
	port=$(free_port)
	mkfifo pipe
	start svg viewer --svg pipe "$port"
	tell "$port" tictactoe 1 0 ......... false 0
	# it waits for a reader, and lets the signals through that it has caught until then
	is_opening() {
		grep -q '^SigBlk:[[:space:]]*0*$' "/proc/$PID/status"
	}
	wait_until is_opening
	kill -TERM "$PID"
	exit_status "$PID"
	[[ $STATUS != 0 && -p pipe ]]
}

# Requests to other hosts, and what the headers would forbid. (A namespace is no request.)
words_that_reach_out() { # FILE
	sed 's/xmlns="[^"]*"//' "$1" | grep -E 'https?://|url\(|@import| on[a-z]+="|style="|<style|<script>'
}

# --- the page ----------------------------------------------------------------------------------

@test "the page and its files come with headers that keep others out" {
	local path type file
	start_web 1
	while read -r path type file; do
		get "$path" -o body -D head
		grep -qi "^HTTP/1.1 200" head
		grep -qi "^Content-Type: $type" head
		grep -qi "^Content-Security-Policy: default-src 'none'; script-src 'self';.*frame-ancestors 'none'" head
		grep -qi '^X-Content-Type-Options: nosniff' head
		grep -qi '^Referrer-Policy: no-referrer' head
		run ! grep -qi '^Access-Control-Allow' head
		[[ ! $(words_that_reach_out body) ]]
		cmp body "$ROOT/viewer/$file"
	done <<-END
		/ text/html web/page/index.html
		/page.js text/javascript web/page/page.js
		/again.js text/javascript web/page/again.js
		/player.js text/javascript web/page/player.js
		/kept.js text/javascript web/page/kept.js
		/rules.js text/javascript web/page/rules.js
		/page.css text/css web/page/page.css
		/board.css text/css svg/board.css
		/icon.svg image/svg+xml web/page/icon.svg
	END
}

@test "what is not there, or not to be done, is said" {
	local sockets
	start_web 1
	sockets=$(sockets_of "$WEB_PID")
	[[ $(get /../etc/passwd --path-as-is -o body -w '%{http_code}') == 404 ]]
	[[ $(get /nothing -o body -w '%{http_code}') == 404 ]] && has body 'The page is at /'
	[[ $(get / -X POST -d x=y -D head -o body -w '%{http_code}') == 405 ]]
	grep -qi '^Allow: GET, HEAD' head
	[[ $(get / --head -o body -w '%{http_code}') == 200 ]]
	[[ $(get / -H 'Host: localhost:1' -o body -w '%{http_code}') == 200 ]]
	[[ $(get / -H 'Host: [::1]:1' -o body -w '%{http_code}') == 200 ]]
	[[ $(get /events -H 'Host: evil.example' -o body -w '%{http_code}') == 403 ]]
	[[ $(get /frames -H 'Host: 127.0.0.1.evil.example' -o body -w '%{http_code}') == 403 ]]
	[[ $(get / -X GET -d x=y -o body -w '%{http_code}') == 200 ]]
	wait_until has_sockets "$WEB_PID" "$sockets"
}

@test "with --listen it serves another address, under any name" {
	start_web 1 --listen 0.0.0.0
	# what is printed can be typed: an address that this machine has
	grep -qwF "$(sed -n 's|^http://\([0-9.]*\):.*|\1|p' "$LOG")" /proc/net/fib_trie
	run ! grep -F 0.0.0.0 "$LOG"
	[[ $(curl -sS -H 'Host: teacher' -o body -w '%{http_code}' "http://127.0.0.2:$WEB/") == 200 ]]
	start_web 1
	run curl -sS --max-time 5 "http://127.0.0.2:$WEB/"
	[[ $status == 7 ]] # refused: the default is one address
}

@test "a page that is opened late is told all boards at once, then each change" {
	start_web 3
	tell "$BOARDS" tictactoe 1 0 X........ false 1
	tell $((BOARDS + 2)) hnefatafl 2 0 "$hnefatafl_start" false 0
	follow first /events
	wait_until has_events first.log "$BOARDS" 1
	wait_until has_events first.log $((BOARDS + 2)) 1
	tell "$BOARDS" tictactoe 1 1 XO....... false 0
	wait_until has_events first.log "$BOARDS" 2
	[[ $(board_of first.log "$BOARDS" | jq -r '.n, .caption, .players[0].name, .players[0].turn, .players[1].turn') == \
		$'1\nanna to move\nanna\ntrue\nfalse' ]]
	board_of first.log "$BOARDS" | jq -r .svg | xmllint --noout -
	follow second /events
	wait_until has second.log 'event: all'
	[[ $(board_of second.log "$BOARDS") == "$(board_of first.log "$BOARDS")" ]]
	[[ $(events_of second.log "$BOARDS") == 1 ]]
}

@test "a page is told who has won, and that a duel falls silent" {
	start_web 1
	follow page /events
	tell "$BOARDS" tictactoe 1 4 XXXOO.... 012 -
	tell "$BOARDS" tictactoe 2 0 ......... false 0
	wait_until has page.log 'event: results'
	[[ $(sed -n '/^event: results/{n;s/^data: //p}' page.log | jq -r '.[0].text, .[0].game') == \
		$'anna wins: three in a row\ntictactoe' ]]
	[[ $(board_of page.log "$BOARDS" | jq -r '.over, .players[0].winner') == $'true\ntrue' ]]
	# the next duel appears when the end has been seen, and is not heard any more
	wait_until 20 has page.log '"silent":true'
	[[ $(board_of page.log "$BOARDS" | jq -r .over) == false ]]
}

@test "bad options, ports and addresses are one line" {
	local arguments
	for arguments in '' 'x 9001' '65536 9001' 0 9001-9016 '-1 9001' '8080 x' '8080 9002-9001' '--listen' \
		'--from 127.0.0.1:80 --source 127.0.0.1' '--svg a 0 9001' '--seconds 0 8080 9001' \
		'--ready-fd 987 8080 9001'; do
		# shellcheck disable=SC2086 # they are words
		run timeout 30 "$BUILD/holmgang-web" $arguments
		[[ $status == 2 && ${#lines[@]} == 1 && $output == holmgang-web:* ]] ||
			fail "with \"$arguments\": status $status, $output"
	done
	start_web 1
	run timeout 30 "$BUILD/holmgang-web" "$WEB" "$(free_port)"
	[[ $status == 1 && $output == "holmgang-web: TCP port $WEB is in use by another program"* ]]
	get / -o body
	run timeout 30 "$BUILD/holmgang-web" 0 --listen somewhere "$(free_port)"
	[[ $status == 1 && $output == *'--listen needs an IPv4 or IPv6 address'*'"somewhere"' ]]
	run timeout 30 "$BUILD/holmgang-web" 0 --listen 192.0.2.1 "$(free_port)"
	[[ $status == 1 && $output == *'has not the address 192.0.2.1'* ]]
}

@test "a port that is missing is told how to say it" {
	run "$BUILD/holmgang-web" 9001-9016
	[[ $output == *"the page's own port comes first"*': holmgang-web 8080 9001-9016 ('* ]]
	run "$BUILD/holmgang-web" 8001
	[[ $output == *'say which broadcast ports to show'*': holmgang-web 8001 9001-9016 ('* ]]
	run "$BUILD/holmgang-web" --help
	[[ $status == 0 && $output == usage:* ]]
	run "$BUILD/holmgang-web" --version
	[[ $status == 0 && $output == 'holmgang-web '[0-9]* ]]
}

@test "holmgang-web ends with its seconds, and well at a signal" {
	run timeout 10 "$BUILD/holmgang-web" --seconds 1 0 "$(free_port)"
	[[ $status == 0 && $output == http://127.0.0.1:*/ && ${#lines[@]} == 1 ]]
	start_web 1
	kill -TERM "$WEB_PID"
	exit_status "$WEB_PID"
	[[ $STATUS == 0 ]]
}

@test "the viewer, asked for a page, says the command that serves it" {
	moves_to() { # WORDS COMMAND
		# shellcheck disable=SC2086 # they are words
		run "$BUILD/holmgang-viewer" $1
		[[ $status == 2 && $output == "holmgang-viewer: the page is a program of its own: $2" ]] ||
			fail "with \"$1\": status $status, $output"
	}
	moves_to '--web 8080 9001-9016' 'holmgang-web 8080 9001-9016'
	moves_to '--web=0 --state there 9001 9002' 'holmgang-web 0 --state there 9001 9002'
	moves_to '--web 8080 --web-address 0.0.0.0 9001' 'holmgang-web 8080 --listen 0.0.0.0 9001'
	moves_to '--from 127.0.0.1:80 --web-address=:: --web 1' 'holmgang-web 1 --from 127.0.0.1:80 --listen=::'
	run ! grep -q libmicrohttpd < <(readelf --dynamic "$BUILD/holmgang-viewer")
	grep -q libmicrohttpd < <(readelf --dynamic "$BUILD/holmgang-web")
}

@test "each program is installed, and has a manual" {
	local program
	make -s -C "$ROOT" install BUILD="$BUILD" DESTDIR="$BATS_TEST_TMPDIR/root" >/dev/null
	for program in server player viewer web arena; do
		[[ -x root/usr/local/bin/holmgang-$program ]]
		compgen -G "root/usr/local/share/man/man?/holmgang-$program.?" >/dev/null
	done
}

@test "200 open pages on 16 boards cost less than half a core" {
	local before after share=25 # per cent: half of what is allowed, as machines differ
	# a sanitizer takes its own share
	if [[ $BUILD == */asan ]]; then share=100; fi
	start_web 16
	launch boards "$BUILD/tests/boards" "$BOARDS" 16 5 20
	follow one /events
	wait_until has_events one.log $((BOARDS + 15)) 1
	before=$(spent "$WEB_PID")
	run "$BUILD/tests/readers" "$WEB" /events 200 0 5
	after=$(spent "$WEB_PID")
	echo "$output; $((after - before)) of 500 hundredths of a second"
	[[ ${lines[1]} =~ ^200\ read\ ([0-9]+)\ to\ ([0-9]+),\ 0\ closed ]]
	((BASH_REMATCH[1] > 60 && BASH_REMATCH[2] < BASH_REMATCH[1] + 60))
	((after - before < 5 * share))
}

# bats test_tags=slow
@test "200 pages that do not read hold up nobody, and are closed" {
	local sockets
	start_web 16
	launch boards "$BUILD/tests/boards" "$BOARDS" 16 10 40
	follow one /events
	wait_until has_events one.log $((BOARDS + 15)) 1
	sockets=$(sockets_of "$WEB_PID")
	launch stopped "$BUILD/tests/readers" "$WEB" /events 0 200 60
	wait_until has_sockets "$WEB_PID" $((sockets + 200))
	run "$BUILD/tests/readers" "$WEB" /events 20 0 3
	echo "$output"
	[[ ${lines[1]} =~ ^20\ read\ ([0-9]+)\ to\ ([0-9]+),\ 0\ closed ]]
	((BASH_REMATCH[1] > 60))
	wait_until 30 has_sockets "$WEB_PID" "$sockets"
	(($(awk '/^VmHWM/ { print $2 }' "/proc/$WEB_PID/status") < 100000)) || [[ $BUILD == */asan ]]
}

@test "1,000 readers that never read, from two addresses, keep nobody out" {
	local sockets address
	start_web 1
	tell "$BOARDS" tictactoe 1 0 ......... false 0
	launch early curl -sSN --interface 127.0.0.9 "http://127.0.0.1:$WEB/events"
	wait_until has early.log 'event: all'
	EARLY=$PID
	sockets=$(sockets_of "$WEB_PID")
	launch deaf "$BUILD/tests/readers" "$WEB" /events 0 1000 60 127.0.0.1 127.0.0.2
	wait_until has deaf.log open
	wait_until has_sockets "$WEB_PID" $((sockets + 999))
	for address in 127.0.0.3 127.0.0.1 127.0.0.2; do
		launch "from-$address" curl -sSN --interface "$address" "http://127.0.0.1:$WEB/events"
	done
	for address in 127.0.0.3 127.0.0.1 127.0.0.2; do
		wait_until 10 has "from-$address.log" 'event: all'
	done
	# who came first, from an address of its own, is still told
	tell "$BOARDS" tictactoe 1 1 X........ false 1
	wait_until has_events early.log "$BOARDS" 2
	wait_until has_events from-127.0.0.3.log "$BOARDS" 2
	[[ -d /proc/$EARLY ]]
}

# PORT BYTES: reads 2 KB a second, as over a poor connection, until it has so many, or is closed.
READ_SLOWLY='
import socket, sys, time
page = socket.socket()
page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
page.connect(("127.0.0.1", int(sys.argv[1])))
page.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
left = int(sys.argv[2])
while left > 0:
    got = len(page.recv(200))
    if got == 0:
        sys.exit(f"closed, {left} bytes before the end")
    left -= got
    time.sleep(0.1)
'

# bats test_tags=slow
@test "who reads slowly stays, and who takes nothing goes within 10 s" {
	local begun sockets slow
	start_web 16
	launch boards "$BUILD/tests/boards" "$BOARDS" 16 10 60
	follow one /events
	wait_until has_events one.log $((BOARDS + 15)) 1
	sockets=$(sockets_of "$WEB_PID")
	launch slow python3 -c "$READ_SLOWLY" "$WEB" 36000
	slow=$PID
	begun=$(now)
	launch deaf "$BUILD/tests/readers" "$WEB" /events 0 20 60
	wait_until has_sockets "$WEB_PID" $((sockets + 21))
	wait_until has_sockets "$WEB_PID" $((sockets + 1))
	echo "gone after $((($(now) - begun) / 1000)) ms"
	# a second more for a machine that is busy
	(($(now) - begun < 11000000))
	exit_status "$slow" 40
	[[ $STATUS == 0 ]]
}

# bats test_tags=slow
@test "one address has only so many connections: one of them gives way, and no other" {
	local sockets
	start_web 1
	launch one curl -sSN --interface 127.0.0.9 "http://127.0.0.1:$WEB/events"
	wait_until has one.log 'event: all'
	sockets=$(sockets_of "$WEB_PID")
	launch many "$BUILD/tests/readers" "$WEB" /events 600 0 10
	wait_until has_sockets "$WEB_PID" $((sockets + 500))
	[[ $(get / -o body -w '%{http_code}') == 200 ]]
	tell "$BOARDS" tictactoe 1 0 ......... false 0
	wait_until has_events one.log "$BOARDS" 1
	wait_until has many.log closed
	[[ $(tail -n 1 many.log) =~ ^600\ read\ .*,\ 10[0-2]\ closed$ ]]
}

# --- kept games --------------------------------------------------------------------------------

@test "what cannot be had of kept games is said, and private tables are not told of" {
	local id
	start_web 1
	[[ $(get /kept | jq -r .why) == 'no games are kept here' ]]
	[[ $(get '/kept/game?id=x' | jq -r .why) == 'no games are kept here' ]]
	start_server
	play_round 'table=secret'
	play_round ''
	wait_until tells_of_games 1
	[[ $(get '/kept?player=nobody' | jq '.games | length') == 0 ]]
	[[ $(get "/kept?player=x'%20or%201=1--" | jq '.games | length') == 0 ]]
	[[ $(get '/kept/game?id=0' | jq -r .why) == 'there is no such game, or'* ]]
	[[ $(get '/kept/ratings?game=chess' | jq -r .why) == 'there is no such kind of game' ]]
	id=$(get /kept | jq -r '.games[0].id')
	[[ $(get "/kept/game?id=$id&step=-1" | jq -r .why) == 'a step is a number from 0' ]]
	[[ $(get "/kept/game?id=$id&step=99" | jq -r '.step, .steps') == $'1\n2' ]]
	id=$("$BUILD/holmgang-viewer" --games --json | jq -r --arg id "$id" '.[] | select(.id != $id) | .id')
	[[ ${#id} == 36 && $(get "/kept/game?id=$id" | jq -r .why) == 'there is no such game, or'* ]]
}

@test "a kept game is downloaded as text and as drawings, and a private one is not" {
	local id secret
	start_web 1
	start_server
	play_round 'table=secret'
	play_round ''
	wait_until tells_of_games 1
	id=$(get /kept | jq -r '.games[0].id')
	get "/kept/text?id=$id" -o game.txt -D head
	grep -qi "^Content-Disposition: attachment; filename=\"holmgang-${id:0:8}.txt\"" head
	grep -qi '^Content-Type: text/plain' head
	"$BUILD/holmgang-viewer" --export "$id" | cmp - game.txt
	"$BUILD/holmgang-viewer" --replay "$id" --svg drawn.svg
	get "/kept/drawing?id=$id&step=1" -o step.svg -D head
	grep -qi "^Content-Disposition: attachment; filename=\"holmgang-${id:0:8}-001.svg\"" head
	grep -qi "^Content-Security-Policy: default-src 'none'" head
	cmp drawn-001.svg step.svg
	secret=$("$BUILD/holmgang-viewer" --games --json | jq -r --arg id "$id" '.[] | select(.id != $id) | .id')
	[[ ${#secret} == 36 && $(get "/kept/text?id=$secret" -o body -w '%{http_code}') == 404 ]]
	[[ $(get "/kept/drawing?id=$secret" -o body -w '%{http_code}') == 404 ]]
	[[ $(get '/kept/text' -o body -w '%{http_code}') == 404 ]]
	[[ $(get "/kept/moves?id=$secret" | jq -r .why) == 'there is no such game, or'* ]]
	[[ $(get "/kept/moves?id=$id" | jq -c '[(.names | sort), .steps, [.moves[].words], .moves[1].ends]') == \
		'[["anna","ben"],2,[null,null],"ended: a player gave up"]' ]]
}

@test "a kept game becomes numbered drawings" {
	local id
	start_server
	play_round ''
	look_again() {
		id=$("$BUILD/holmgang-viewer" --games --json 2>/dev/null | jq -r '.[0].id') && [[ ${#id} == 36 ]]
	}
	wait_until look_again
	"$BUILD/holmgang-viewer" --replay "$id" --svg game.svg
	[[ $(echo game*) == 'game-000.svg game-001.svg' ]]
	xmllint --noout game-000.svg game-001.svg
	[[ $(xmllint --xpath 'string(//*[@class="caption"])' game-001.svg) == *'a player gave up'* ]]
	run "$BUILD/holmgang-viewer" --replay "$id" --svg nowhere/game
	[[ $status == 1 && $output == *'cannot write nowhere/game-000.svg: No such file or directory' ]]
	run "$BUILD/holmgang-viewer" --export "$id" --svg game
	[[ $status == 2 && ${#lines[@]} == 1 ]]
	run "$BUILD/holmgang-viewer" --replay "$id" --from 127.0.0.1:8080
	[[ $status == 2 && ${#lines[@]} == 1 ]]
}

# --- what another program hears ----------------------------------------------------------------

@test "--from shows every state that holmgang-web hears" {
	local n
	start_web 2
	tell "$BOARDS" tictactoe 1 0 ......... false 0
	start text viewer --ascii --from "127.0.0.1:$WEB"
	wait_until has text.log 'anna to move'
	for n in 1 2 3 4 5 6 7 8; do
		tell $((BOARDS + 1)) tictactoe 2 "$n" "$(printf 'XOXOXOXOX' | head -c "$n")$(printf '.........' | tail -c $((9 - n)))" false $((n % 2))
	done
	wait_until has text.log 'n=8'
	for n in 1 2 3 4 5 6 7; do has text.log "port $((BOARDS + 1)) duel 00000002-0000-4000-8000-000000000000 n=$n"; done
	run ! has text.log connected
	start some viewer --ascii --from "127.0.0.1:$WEB" "$BOARDS"
	wait_until has some.log "port $BOARDS"
	run ! has some.log "port $((BOARDS + 1))"
}

has_beats() { # FILE COUNT
	(($(grep -c '^event: beat' "$1") >= $2))
}

# bats test_tags=slow
@test "--from feeds pages and files, in a chain, and does not call them silent" {
	local first
	start_web 1
	first=$WEB
	frame tictactoe 1 0 X........ false 1 >frame.txt
	# shellcheck disable=SC2016 # for the shell that is started
	launch again bash -c 'while "$1" 127.255.255.255 "$2" <frame.txt; do sleep 0.5; done' - \
		"$BUILD/tests/send_frame" "$BOARDS"
	start second web 0 --from "127.0.0.1:$first"
	WEB=$(sed -n 's|^http://.*:\([0-9]*\)/$|\1|p' "$LOG")
	follow page /events
	wait_until has_events page.log "$BOARDS" 1
	wait_until 20 has_beats page.log 3
	[[ $(events_of page.log "$BOARDS") == 1 ]]
	timeout 60 "$BUILD/holmgang-viewer" --svg board.svg --from "127.0.0.1:$WEB"
	xmllint --noout board.svg
}

@test "--from tries again until holmgang-web is there, and when it has gone" {
	local board web
	web=$(free_port)
	board=$(free_port)
	start text viewer --ascii --from "127.0.0.1:$web"
	wait_until has text.log "127.0.0.1:$web: Connection refused; trying again"
	start one web "$web" "$board"
	tell "$board" tictactoe 1 0 ......... false 0
	wait_until has text.log 'n=0'
	wait_until has text.log "127.0.0.1:$web: connected"
	kill -KILL "$PID"
	wait_until has text.log "127.0.0.1:$web: it closed the connection; trying again"
	start two web "$web" "$board"
	tell "$board" tictactoe 1 1 X........ false 1
	wait_until has text.log 'n=1'
	(($(grep -c 'trying again' text.log) <= 4)) # not once a try
}

@test "--from tells what is no holmgang-web, and names that are none" {
	local arguments
	start_server
	start text viewer --ascii --from "127.0.0.1:$PORT"
	wait_until has text.log "127.0.0.1:$PORT: this is no holmgang-web; trying again"
	PORT=$(free_port)
	# shellcheck disable=SC2016 # for the shell that is started
	launch other bash -c 'printf "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" | nc -l 127.0.0.1 "$1"' - "$PORT"
	start other-text viewer --ascii --from "127.0.0.1:$PORT"
	wait_until has other-text.log "127.0.0.1:$PORT: this is no holmgang-web; trying again"
	for arguments in nowhere :80 127.0.0.1: 127.0.0.1:x ::1:80 127.0.0.1:70000; do
		run timeout 30 "$BUILD/holmgang-viewer" --from "$arguments"
		[[ $status == 1 && ${#lines[@]} == 1 && $output == *'--from needs HOST:PORT'* ]] ||
			fail "with \"$arguments\": status $status, $output"
	done
	run "$BUILD/holmgang-viewer" --from no.such.host.invalid:80
	[[ $status == 1 && ${#lines[@]} == 1 && $output == *'there is no host "no.such.host.invalid"'* ]]
}
