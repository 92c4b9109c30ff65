#!/usr/bin/env bats
#
# The viewer: what it prints where there is no terminal, what it draws where there is one, what it
# refuses; and the modules under it. Frames are sent by send_frame, as a duel would.

load ../lib/common
load ../lib/terminal

teardown() {
	terminal_teardown holmgang-viewer
}

# --- frames ------------------------------------------------------------------------------------

X_ID=11111111-1111-4111-8111-111111111111
O_ID=22222222-2222-4222-8222-222222222222

duel_id() { # NUMBER
	printf '%08x-0000-4000-8000-000000000000' "$1"
}

frame() { # DUEL N MODEL VERDICT TURN [NAMES]
	printf '%s %s %s %s game=tictactoe duel=%s n=%s turn=%s names=%s round=1/1\n' \
		"$X_ID" "$O_ID" "$3" "$4" "$(duel_id "$1")" "$2" "$5" "${6:-anna,ben}"
}

# A frame of any game.
frame_of() { # GAME DUEL N MODEL VERDICT TURN NAMES MORE...
	printf '%s %s %s %s game=%s duel=%s n=%s turn=%s names=%s %s\n' \
		"$X_ID" "$O_ID" "$4" "$5" "$1" "$(duel_id "$2")" "$3" "$6" "$7" "${*:8}"
}

tell_of() { # PORT GAME DUEL N MODEL VERDICT TURN NAMES MORE...
	frame_of "${@:2}" | broadcast "$1"
}

broadcast() { # PORT
	"$BUILD/tests/send_frame" 127.255.255.255 "$1"
}

tell() { # PORT DUEL N MODEL VERDICT TURN [NAMES]
	frame "${@:2}" | broadcast "$1"
}

# --- text --------------------------------------------------------------------------------------

has_line() { # FILE TEXT
	grep -qxF -- "$2" "$1"
}

count_lines() { # FILE TEXT
	grep -cF -- "$2" "$1" || true
}

# --- terminal ----------------------------------------------------------------------------------

# It hears its ports when there is something to be seen.
open_viewer() { # WIDTH HEIGHT VARIABLES ARGUMENT...
	open_terminal "$1" "$2" "$3 '$BUILD/holmgang-viewer' ${*:4}"
}

open_wall() { # WIDTH HEIGHT LOCALE ARGUMENT...
	open_viewer "$1" "$2" "LC_ALL=$3" "${@:4}"
	wait_until shows 'nothing heard yet'
}

viewer_pid() {
	program_pid holmgang-viewer
}

# How many characters of the widest line of the board.
board_width() {
	screen | grep -oE '\+[-+]+\+' | awk '{ if (length > widest) widest = length } END { print widest + 0 }'
}

board_is_wider_than() { # COLUMNS
	(($(board_width) > $1))
}

# --- modules -----------------------------------------------------------------------------------

@test "frames are printed, read and refused as the protocol says" {
	run "$BUILD/tests/frame_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

@test "a port shows one duel at a time, and boards share the screen" {
	run "$BUILD/tests/wall_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

# --- command line ------------------------------------------------------------------------------

@test "a wrong command line is one line and exit 2" {
	local arguments
	for arguments in '--seconds 1 --ready-fd 987 9001' '' 0 65536 x 9001- 9002-9001 1-65535 -1 '--wrong 9001' '--seconds 9001' \
		'--seconds 0 9001' '9001 --seconds'; do
		# shellcheck disable=SC2086 # they are words
		run "$BUILD/holmgang-viewer" $arguments
		[[ $status == 2 && ${#lines[@]} == 1 && $output == holmgang-viewer:* ]] ||
			fail "with \"$arguments\": status $status, $output"
	done
}

@test "--help and --version" {
	run "$BUILD/holmgang-viewer" --help
	[[ $status == 0 && $output == usage:* ]]
	run "$BUILD/holmgang-viewer" --version
	[[ $status == 0 && $output == 'holmgang-viewer '[0-9]* ]]
}

@test "a port that another program has for itself is one line and exit 1" {
	local port
	port=$(free_port)
	launch holder "$BUILD/tests/hold_port" "$port"
	wait_until has_line "$LOG" held
	run "$BUILD/holmgang-viewer" "$port"
	[[ $status == 1 && ${#lines[@]} == 1 && $output == "holmgang-viewer: port $port is in use"* ]] ||
		fail "status $status: $output"
}

@test "--seconds ends it" {
	run timeout 10 "$BUILD/holmgang-viewer" --seconds 1 "$(free_port)"
	[[ $status == 0 && ! $output ]]
}

# --- text --------------------------------------------------------------------------------------

@test "each new state is printed once, however often it is sent" {
	local port
	port=$(free_port)
	start viewer viewer --ascii "$port"
	tell "$port" 7 0 ......... false 0
	tell "$port" 7 0 ......... false 0
	tell "$port" 7 1 ....X.... false 1
	tell "$port" 7 0 ......... false 0
	tell "$port" 7 1 ....X.... false 1
	tell "$port" 7 4 XXX.OO... 012 -
	wait_until has_line "$LOG" "port $port duel $(duel_id 7) n=4"
	wait_until has_line "$LOG" 'anna wins: three in a row'
	diff - "$LOG" <<-END
		port $port duel $(duel_id 7) n=0
		Tic-tac-toe
		     0  1  2
		  0  .  .  .
		  1  .  .  .
		  2  .  .  .
		> X anna    O ben
		anna to move

		port $port duel $(duel_id 7) n=1
		Tic-tac-toe
		     0  1  2
		  0  .  .  .
		  1  . (X) .
		  2  .  .  .
		  X anna  > O ben
		ben to move

		port $port duel $(duel_id 7) n=4
		Tic-tac-toe
		     0  1  2
		  0 *X**X**X*
		  1  . (O)(O)
		  2  .  .  .
		* X anna    O ben
		anna wins: three in a row

	END
}

@test "every end of a round has its words" {
	local port
	port=$(free_port)
	start viewer viewer --ascii "$port"
	tell "$port" 1 0 XXOOOXXOX unresolved -
	tell "$port" 2 0 X........ aborted -
	tell "$port" 3 0 X........ timeout -
	tell "$port" 4 0 XX.OOO..X 345 -
	tell "$port" 5 0 X........ false 1 anon,anon
	tell "$port" 6 0 X........ left - -,mb
	tell "$port" 7 0 X........ left - carl,-
	tell "$port" 8 0 X........ left - -,-
	wait_until has_line "$LOG" 'draw: board full'
	wait_until has_line "$LOG" aborted
	wait_until has_line "$LOG" 'ended: time ran out'
	wait_until has_line "$LOG" 'ben wins: three in a row'
	wait_until has_line "$LOG" 'anon (O) to move'
	wait_until has_line "$LOG" 'mb wins: a player left'
	wait_until has_line "$LOG" '  X (gone)  * O mb'
	wait_until has_line "$LOG" 'carl wins: a player left'
	wait_until has_line "$LOG" 'ended: a player left'
}

@test "all games: names, points, round, whose turn it is, and who has won" {
	local port
	port=$(free_port)
	start viewer viewer --ascii "$port"
	tell_of "$port" qwirkle 1 4 90/a1,0,0/b1,0,1 false 2 anna,ben,carl,dora scores=3,0,12,5 round=1/1
	wait_until has_line "$LOG" '  anna 3    ben 0  > carl 12    dora 5'
	wait_until has_line "$LOG" 'carl to move'
	wait_until has_line "$LOG" '  0  .   a1  .'
	tell_of "$port" qwirkle 1 5 90/a1,0,0/b1,0,1/c1,0,2 false 2 anna,ben,carl,dora scores=3,0,12,5 round=1/1
	wait_until has_line "$LOG" '  2  .  (c1) .'
	tell_of "$port" qwirkle 1 6 0/a1,0,0/b1,0,1/c1,0,2 points - anna,ben,carl,dora scores=3,15,15,5 round=1/1
	wait_until has_line "$LOG" 'ben and carl share the win: most points'
	tell_of "$port" qwirkle 1 7 96 points - anna,ben scores=0,0 round=1/1
	wait_until has_line "$LOG" 'draw: nobody has points'
	tell_of "$port" qwirkle 1 8 9/a1,0,0 false 2 anna,ben,carl scores=9,0,2 round=1/1 out=0
	wait_until has_line "$LOG" '- anna 9    ben 0  > carl 2'
	tell_of "$port" qwirkle 1 9 9/a1,0,0 points - anna,ben,carl scores=9,0,2 round=1/1 out=0
	wait_until has_line "$LOG" 'carl wins: most points'
	tell_of "$port" qwirkle 1 10 9/a1,0,0 points - anna,ben,dora scores=9,0,0 round=1/1 out=0
	wait_until has_line "$LOG" 'ben and dora share the win: most points'
	tell_of "$port" qwirkle 1 11 9/a1,0,0 timeout - anna,ben,- scores=9,0,2 round=1/1 out=0
	wait_until has_line "$LOG" 'ben wins: time ran out'
	tell_of "$port" memory 2 0 abA......... false - a,b,c,-,e,f,g,h,i,j scores=0,2,0,0,0,0,0,0,0,0 round=3/0
	wait_until has_line "$LOG" 'Memory  round 3'
	wait_until has_line "$LOG" 'all play at once'
	wait_until has_line "$LOG" '  0 a 0    1 b 2    2 c 0    3 (gone) 0    4 e 0    5 f 0    6 g 0    7 h 0    8 i 0    9 j 0'
	tell_of "$port" memory 3 0 ............ false - anna,- scores=4,6 round=1/0
	wait_until has_line "$LOG" 'waiting for players'
	tell_of "$port" quantik 4 3 C...p...S....... false 1 anna,ben round=1/2
	wait_until has_line "$LOG" '  W anna C1 P2 S1 T2  > B ben c2 p1 s2 t2'
	tell_of "$port" quantik 4 4 C...p...S...t... column-0 - anna,ben round=1/2
	wait_until has_line "$LOG" 'ben wins: four shapes in a column'
	wait_until has_line "$LOG" 'Quantik  round 1 of 2'
	tell_of "$port" hnefatafl 5 0 ...AAA.......A........D....A...D...AAADDKDDAAA...D...A....D........A.......AAA... \
		false 0 anna,ben round=1/1
	wait_until has_line "$LOG" '  4  A  A  D  D  K  D  D  A  A'
	[[ $(count_lines "$LOG" malformed) == 0 ]]
}

@test "in a UTF-8 locale other characters are used, with --ascii they are not" {
	local port
	port=$(free_port)
	LC_ALL=C.UTF-8 start wide viewer "$port"
	local wide=$LOG
	LC_ALL=C.UTF-8 start narrow viewer --ascii "$port"
	local narrow=$LOG
	# both hear the same port
	tell "$port" 1 1 ....X.... false 1
	wait_until has_line "$wide" '  X anna  ▸ O ben'
	wait_until has_line "$narrow" '  X anna  > O ben'
	run grep -nP '[^\x00-\x7f]' "$narrow"
	[[ $status == 1 ]] || fail "$output"
}

@test "another duel takes the port, and the one before does not come back" {
	local port
	port=$(free_port)
	start viewer viewer --ascii "$port"
	tell "$port" 1 8 XXX.OO... 012 -
	tell "$port" 2 0 ......... false 0
	tell "$port" 1 8 XXX.OO... 012 -
	tell "$port" 2 1 X........ false 1
	wait_until has_line "$LOG" "port $port duel $(duel_id 2) n=1"
	[[ $(count_lines "$LOG" "duel $(duel_id 1)") == 1 ]]
	[[ $(count_lines "$LOG" "duel $(duel_id 2)") == 2 ]]
}

@test "ranges of ports: each port has its own duel" {
	local port
	port=$(free_port 3)
	start viewer viewer --ascii "$port-$((port + 1))" "$((port + 2))"
	tell "$port" 1 0 ......... false 0
	tell "$((port + 1))" 2 0 ......... false 0
	tell "$((port + 2))" 3 0 ......... false 0
	wait_until has_line "$LOG" "port $port duel $(duel_id 1) n=0"
	wait_until has_line "$LOG" "port $((port + 1)) duel $(duel_id 2) n=0"
	wait_until has_line "$LOG" "port $((port + 2)) duel $(duel_id 3) n=0"
}

@test "what is no frame is dropped and counted" {
	local port
	port=$(free_port)
	start viewer viewer --ascii "$port"
	local send=("$BUILD/tests/send_frame" --raw 127.0.0.1 "$port")
	printf 'hello\n' | "${send[@]}"
	printf '' | "${send[@]}"
	head -c 1473 /dev/zero | "${send[@]}"
	head -c 9000 /dev/urandom | "${send[@]}"
	frame 1 0 ......... false 0 $'\e]0;hostile\a,ben' | "${send[@]}"
	frame 1 0 ......... false 0 $'\e[31m,ben' | "${send[@]}"
	frame 1 0 ......... false 0 'anna,ben,carl' | "${send[@]}"
	frame 1 0 '.........' false 0 | head -c 100 | "${send[@]}"
	{ frame 1 0 ......... false 0 | tr -d '\n' && printf '%01400d\n' 0; } | "${send[@]}"
	frame 1 1 X........ false 1 | "${send[@]}"
	wait_until has_line "$LOG" 'ben to move'
	kill -TERM "$PID"
	exit_status "$PID"
	[[ $STATUS == 0 ]]
	has_line "$LOG" 'dropped 9 malformed frames' || fail "$(tail -n 1 "$LOG")"
	[[ $(count_lines "$LOG" 'port ') == 1 ]]
	[[ $(count_lines "$LOG" $'\e') == 0 ]]
}

@test "--source: only frames from these addresses are heard, whatever others send" {
	local port liar
	port=$(free_port)
	start viewer viewer --ascii --source 127.0.0.1 --source 127.0.0.7 "$port"
	for liar in 127.0.0.2 127.0.0.71 127.1.0.7; do
		frame 6 9 XXX.OO... 012 - mallory,mallory | "$BUILD/tests/send_frame" --raw --from "$liar" 127.0.0.1 "$port"
		printf 'no frame\n' | "$BUILD/tests/send_frame" --raw --from "$liar" 127.0.0.1 "$port"
	done
	frame 1 0 ......... false 0 | "$BUILD/tests/send_frame" --raw 127.0.0.1 "$port"
	wait_until has_line "$LOG" "port $port duel $(duel_id 1) n=0"
	frame 1 1 X........ false 1 | "$BUILD/tests/send_frame" --raw --from 127.0.0.7 127.0.0.1 "$port"
	wait_until has_line "$LOG" "port $port duel $(duel_id 1) n=1"
	kill -TERM "$PID"
	exit_status "$PID"
	# what was not heard is not counted either
	[[ $(count_lines "$LOG" mallory) == 0 && $(count_lines "$LOG" dropped) == 0 ]]
	run "$BUILD/holmgang-viewer" --source ::1 "$port"
	[[ $status == 2 && $output == *'--source needs an IPv4 address like 192.168.1.9, not "::1"'* ]]
}

# Each byte that a terminal could take for an order, in each part of a frame.
hostile_frames() {
	local byte byte_text bytes=() frame
	for ((byte = 1; byte < 256; byte++)); do
		if ((byte == 10 || (byte >= 32 && byte < 127))); then continue; fi
		# shellcheck disable=SC2059 # it is an escape
		printf -v byte_text "\\x$(printf %02x "$byte")"
		bytes+=("$byte_text")
	done
	bytes+=($'\e]0;evil\a' $'\e[31mevil' $'\e[2J' $'\x9b31mevil' $'\xc2\x9b31mevil' $'\xe2\x80\xae' $'\ePevil\e\\')
	for byte in "${bytes[@]}"; do
		frame 1 5 ......... false 0 "ev${byte}il,ben"
		frame 1 5 "....${byte}...." false 0
		frame 1 5 ......... "ev${byte}il" 0
		frame 1 5 ......... false "0$byte"
		frame=$(frame 1 5 ......... false 0)
		printf '%s\n' "${frame/ duel=/ evil=$byte duel=}" "${frame/1\/1/1$byte/1}" "$byte$frame" "$frame$byte"
	done
}

@test "no byte of a hostile frame gets to the terminal or into the text" {
	local port
	port=$(free_port)
	hostile_frames >hostile
	(($(wc -l <hostile) >= 1100)) || fail "$(wc -l <hostile) frames"
	start viewer viewer --ascii "$port"
	# the kernel may drop some of a burst; the last is sent again and again, as a duel does
	is_printed() {
		tell "$port" 1 9 X........ false 1
		has_line "$LOG" 'ben to move'
	}
	broadcast "$port" <hostile
	wait_until is_printed
	[[ $(count_lines "$LOG" evil) == 0 && $(count_lines "$LOG" 'port ') == 1 ]]
	[[ ! $(LC_ALL=C tr -d '\n -~' <"$LOG") ]] || fail "$(cat -v "$LOG")"
	kill -TERM "$PID"
	exit_status "$PID"
	(($(sed -n 's/^dropped \([0-9]*\) .*/\1/p' "$LOG") > 100))
	open_wall 80 24 C "$port"
	in_tmux pipe-pane 'cat >raw'
	broadcast "$port" <hostile
	is_shown() {
		tell "$port" 2 9 X........ false 1 'anna,benjamin'
		shows 'benjamin to move'
	}
	wait_until is_shown
	shows_not evil
	[[ $(in_tmux display-message -p '#{pane_title}') != *evil* ]]
	# of what no terminal is sent for a picture, nothing was: titles, device strings, 8-bit orders
	if LC_ALL=C grep -aqP '\x1b[\]PX^_]|[\x80-\x9f]|\x07|evil' raw; then fail "$(cat -v raw)"; fi
}

@test "a duel that falls silent is told of once, one that has ended is not" {
	local port
	port=$(free_port 2)
	start viewer viewer --ascii --seconds 6 "$port-$((port + 1))"
	tell "$port" 1 0 ......... false 0
	tell "$((port + 1))" 2 5 XXX.OO... 012 -
	exit_status "$PID"
	[[ $STATUS == 0 ]]
	[[ $(count_lines "$LOG" silent) == 1 ]]
	has_line "$LOG" "port $port duel $(duel_id 1) silent"
}

# bats test_tags=slow
@test "a flood of frames is printed to the last" {
	local port n
	port=$(free_port)
	start viewer viewer --ascii "$port"
	for ((n = 0; n < 2000; n++)); do frame 1 "$((n / 4))" ......... false 0; done | broadcast "$port"
	# the kernel may drop some of a burst; the last is sent again and again, as a duel does
	until_last() {
		tell "$port" 1 2000 XXX.OO... 012 -
		has_line "$LOG" "port $port duel $(duel_id 1) n=2000"
	}
	wait_until until_last
	[[ ! $(grep '^port' "$LOG" | sort | uniq -d) ]]
}

@test "SIGTERM and SIGINT end it with status 0" {
	local signal
	for signal in TERM INT; do
		start "viewer-$signal" viewer "$(free_port)"
		kill "-$signal" "$PID"
		exit_status "$PID"
		[[ $STATUS == 0 ]]
	done
}

# --- terminal ----------------------------------------------------------------------------------

@test "one duel fills the terminal, follows its size, and q gives it back" {
	local port wide
	port=$(free_port)
	open_wall 80 24 C "$port"
	tell "$port" 1 0 ......... false 0
	wait_until shows 'anna to move'
	wide=$(board_width)
	((wide >= 31)) || fail "the board is only $wide wide:" "$(screen)"

	in_tmux resize-window -x 150 -y 50
	wait_until board_is_wider_than $((wide + 20))
	in_tmux resize-window -x 10 -y 5
	wait_until shows '. . .'
	tell "$port" 1 1 ....X.... false 1
	wait_until shows '.(X).'
	in_tmux resize-window -x 80 -y 24
	wait_until board_is_wider_than 30
	tell "$port" 1 4 XXX.OO... 012 -
	wait_until shows 'anna wins: three in a row'
	wait_until shows ':::XXXXX:::'

	in_tmux send-keys q
	wait_until shows status=0
	wait_until is_given_back
}

@test "several duels make a wall" {
	local port i
	port=$(free_port 4)
	open_wall 100 40 C.UTF-8 "$port-$((port + 3))"
	for i in 0 1 2 3; do tell "$((port + i))" "$i" 1 ....X.... false 1 "anna$i,ben$i"; done
	for i in 0 1 2 3; do wait_until shows "ben$i to move"; done
	# two by two, with lines
	two_by_two() { [[ $(screen | grep -c '┌───.*┌───') == 2 ]]; }
	wait_until two_by_two || fail "$(screen)"
	in_tmux resize-window -x 160 -y 20
	four_in_a_row() { screen | grep -q '┌───.*┌───.*┌───.*┌───'; }
	wait_until four_in_a_row
	# who plays comes first, and the port last, where there is room
	wait_until shows "anna3, ben3  Tic-tac-toe  $((port + 3))"
	tell "$((port + 2))" 9 0 ......... false 0 carl,dora
	wait_until shows 'carl to move'
	wait_until shows_not 'ben2 to move'
}

@test "a wall of different games, each as large as the others" {
	local port
	port=$(free_port 4)
	open_wall 120 44 C.UTF-8 "$port-$((port + 3))"
	tell_of "$port" hnefatafl 1 0 ...AAA.......A........D....A...D...AAADDKDDAAA...D...A....D........A.......AAA... \
		false 0 anna,ben round=1/1
	tell_of "$((port + 1))" quantik 2 0 C........p...... false 0 carl,dora round=2/2
	tell_of "$((port + 2))" qwirkle 3 0 90/a1,0,0/b1,0,1 false 1 emil,fred,gina scores=3,0,12
	tell_of "$((port + 3))" memory 4 0 abA............cd0......cd0........................ false - hans,ida scores=0,2 round=1/0
	tell_of "$((port + 3))" memory 4 1 abA............cd0cd0........................... false - hans,ida scores=0,2 round=1/0
	wait_until shows 'all play at once'
	wait_until shows 'anna to move'
	wait_until shows 'carl ▯1 □2 ○2 △2'
	wait_until shows 'gina 12'
	wait_until shows b1
	wait_until shows ab0
	wait_until shows CD0
	# a board that grows
	tell_of "$((port + 2))" qwirkle 3 1 90/a1,0,0/b1,0,1/c1,0,2/d1,0,3 false 1 emil,fred,gina scores=3,0,12
	wait_until shows d1
	in_tmux resize-window -x 60 -y 24
	wait_until shows 'fred to move'
}

@test "a board that grows is cut, and drives no other off the page" {
	local port i n tiles='' kinds=abcdef
	port=$(free_port 5)
	open_wall 80 24 C.UTF-8 "$port-$((port + 4))"
	tell_of "$port" hnefatafl 1 0 ...AAA.......A........D....A...D...AAADDKDDAAA...D...A....D........A.......AAA... \
		false 0 anna,ben round=1/1
	tell_of "$((port + 1))" quantik 2 0 C........p...... false 0 carl,dora round=2/2
	tell_of "$((port + 2))" memory 3 0 abA............cd0cd0........................... false - hans,ida scores=0,2 round=1/0
	tell "$((port + 3))" 4 0 ......... false 0 karl,lena
	# steps down to the right
	for i in {0..13}; do
		n=$((i % 6 + 1))
		tiles+="/${kinds:i % 6:1}$n,$i,$i/${kinds:(i + 1) % 6:1}$n,$((i + 1)),$i"
	done
	tell_of "$((port + 4))" qwirkle 5 0 "50$tiles" false 1 emil,fred,gina scores=3,0,12
	wait_until 5 shows 'more of the board' || fail "$(screen)"
	for i in anna carl hans karl emil; do wait_until shows "$i, "; done
	shows_not 'page 1'
}

@test "boards that do not fit are on further pages" {
	local port i
	port=$(free_port 9)
	open_wall 30 10 C "$port-$((port + 8))"
	for i in 0 1 2 3 4 5 6 7 8; do tell "$((port + i))" "$i" 1 ....X.... false 1 "a$i,b$i"; done
	wait_until shows 'page 1 of 3'
	wait_until shows 'a0, b0'
	wait_until shows_not 'a8, b8'
	in_tmux send-keys Tab
	wait_until shows 'page 2 of 3'
	wait_until shows 'a3, b3'
	in_tmux send-keys Left
	wait_until shows 'page 1 of 3'
	in_tmux send-keys Left
	wait_until shows 'page 3 of 3'
	wait_until shows 'a8, b8'
}

@test "a silent duel and dropped frames are seen on the terminal" {
	local port
	port=$(free_port)
	open_wall 80 24 C "$port"
	frame 1 0 ......... false 0 $'\e]2;hostile\a,ben' | "$BUILD/tests/send_frame" --raw 127.0.0.1 "$port"
	frame 1 0 ......... false 0 $'hos\e[2Jtile,ben' | "$BUILD/tests/send_frame" --raw 127.0.0.1 "$port"
	wait_until shows 'dropped 2'
	shows_not tile
	[[ $(in_tmux display-message -p '#{pane_title}') != *hostile* ]]
	tell "$port" 1 0 ......... false 0
	wait_until shows 'anna to move'
	# said from the third second on, which is over in a moment
	is_silent() { screen | grep -q 'silent for [3-9] s'; }
	wait_until is_silent
	tell "$port" 1 0 ......... false 0
	wait_until shows 'anna to move'
}

@test "on a terminal, rubbish behind a frame does not hide it, and is counted" {
	local port pid n
	port=$(free_port)
	open_wall 80 24 C "$port"
	pid=$(viewer_pid)
	# all that it hears at once
	pause "$pid"
	tell "$port" 1 0 ......... false 0
	tell "$port" 1 1 ....X.... false 1
	for n in 1 2 3 4 5; do echo "no frame $n" | "$BUILD/tests/send_frame" --raw 127.0.0.1 "$port"; done
	kill -CONT "$pid"
	wait_until shows 'dropped 5'
	wait_until shows 'ben to move'
	# more than it reads in one piece, with frames far before
	pause "$pid"
	tell "$port" 1 2 O...X.... false 0
	for ((n = 0; n < 70; n++)); do echo "no frame $n"; done | broadcast "$port"
	kill -CONT "$pid"
	wait_until shows 'dropped 75'
	wait_until shows 'anna to move'
}

@test "Ctrl-C, SIGTERM and a crash give the terminal back" {
	local port ending
	port=$(free_port)
	for ending in C-c TERM ABRT; do
		open_wall 80 24 C "$port"
		if [[ $ending == C-c ]]; then
			in_tmux send-keys C-c
		else
			kill "-$ending" "$(viewer_pid)"
		fi
		wait_until is_given_back
		if [[ $ending == ABRT ]]; then wait_until shows status=134; else wait_until shows status=0; fi
		close_terminal
	done
}

@test "a terminal that cannot place its cursor gets text" {
	local port
	port=$(free_port)
	open_viewer 80 24 'LC_ALL=C TERM=dumb' "$port"
	until_heard() {
		tell "$port" 1 0 ......... false 0
		shows 'anna to move'
	}
	wait_until until_heard
	wait_until shows "port $port duel"
}
