# The player as a person at a terminal (in tmux), at tic-tac-toe. The opponent is a raw connection.

load ../lib/common
load ../lib/terminal
load ../lib/player

@test "a whole duel by keyboard, play again, lobby, quit" {
	local KEYS=()
	sit_down
	play_row by_key
	see 'You win: three in a row'
	see 'Enter: play again'
	keys Enter
	see 'anna looks for an opponent'
	keys q
	see_lobby
	keys q
	given_back_with 0
}

@test "a whole duel by mouse" {
	local KEYS=()
	sit_down
	play_row click
	see 'You win: three in a row'
	keys q
	see_lobby
	keys q
	given_back_with 0
}

@test "rounds: the end of one stays in view when the next has begun" {
	local KEYS=(rounds=2)
	sit_down --key rounds=2
	send ben RESIGN
	see 'You win: ben gave up'
	see 'Rounds won: you 1, ben 0 (1 of 2 played)'
	see 'any key: go on'
	keys x
	see 'round 2 of 2'
	see 'r: resign'
	keys r
	see 'Resign? y/n'
	keys y
	expect_later ben 'WIN resigned'
	see 'You lose: you gave up'
	see 'Rounds won: you 1, ben 1 (2 of 2 played)'
	keys q
	see_lobby
}

# The end of round 1 is in view, and the clock of round 2 runs.
plays_on() {
	shows 'round 2 of 2' && shows 'r: resign'
}

@test "rounds: the end of one does not stay in view for long when one's own clock runs" {
	local begin
	sit_down_at quantik '' -s white --key clock=5
	begin=$(now)
	send ben RESIGN
	see 'You win: ben gave up'
	see 'any key: go on'
	send ben 'MOVE 0 0 C'
	# a quarter of five seconds, not four of them
	wait_until plays_on || fail "$(screen)"
	(($(now) - begin < 3900000))
	see 'Rounds won: you 1, ben 0'
}

@test "a server that judges nothing: an end is claimed with a move that is typed" {
	start_server --no-valid
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross
	see_lobby
	keys p
	see 'anna looks for an opponent'
	ben_asks side=nought
	ben_starts
	if ((BEN_FIRST)); then send ben 'MOVE 1 1'; fi
	see 'Your move'
	keys ':'
	see 'MOVE _'
	keys -l '1 1 claim=draw'
	keys Enter
	expect_later ben 'STATE 0 1 1 0'
	expect_later ben 'UNRESOLVED claimed'
	see 'A draw: by claim'
}

@test "a server that judges nothing: bots admit that they have lost, or that nobody has won" {
	start_server --no-valid
	bot dora --games 1
	bot emil --games 1
	wait_until has_line dora.log ' draw claimed '
	bot frank -g quantik --games 1
	bot gina -g quantik --games 1
	wait_until has_line frank.log ' claimed '
}

@test "what is not possible is said, and the duel goes on" {
	local KEYS=()
	sit_down
	if ((BEN_FIRST)); then
		see 'ben to move'
		keys Enter
		see 'It is not your turn.'
		send ben 'MOVE 1 1'
	else
		keys Enter
		see 'ben to move'
		send ben 'MOVE 0 0'
	fi
	see 'Your move'
	keys Enter
	see 'That cell is taken.'
	keys Tab Enter
	see 'ben to move'
}

@test "leaving in mid-duel is confirmed" {
	local KEYS=()
	sit_down
	keys q
	see 'Leave and lose? y/n'
	keys n
	see 'r: resign'
	keys Escape
	see 'Leave and lose? y/n'
	keys y
	expect_later ben 'WIN left'
	see_lobby
	see 'You left the duel with ben: ben has won.'
}

@test "Ctrl-C in mid-duel asks first; the second one leaves, gives the terminal back and says what that meant" {
	local KEYS=()
	sit_down
	keys C-c
	see 'Leave and lose? y/n'
	keys n
	see_not 'Leave and lose?'
	keys C-c
	see 'Leave and lose? y/n'
	keys C-c
	expect_later ben 'WIN left'
	given_back_with 0
	see 'holmgang-player: you left the duel with ben: ben has won'
	[[ $(wc -l <said) == 1 ]]
}

@test "Ctrl-C asks, and y quits; where nobody plays it quits at once and says nothing" {
	local KEYS=()
	sit_down
	keys C-c
	see 'Leave and lose? y/n'
	keys y
	expect_later ben 'WIN left'
	given_back_with 0
	grep -q 'ben has won' said
	close_terminal
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	keys p
	see 'anna looks for an opponent'
	keys C-c
	given_back_with 0
	[[ ! -s said ]]
}

@test "SIGTERM in mid-duel asks nobody, and says what that meant; a duel left before another one is not told of" {
	local KEYS=()
	sit_down
	kill -TERM "$(player_pid)"
	expect_later ben 'WIN left'
	given_back_with 0
	see 'you left the duel with ben: ben has won'
	close_terminal
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	keys p
	see 'anna looks for an opponent'
	ben_asks
	ben_starts
	see 'q: leave'
	keys q y
	see 'You left the duel with ben: ben has won.'
	keys p
	see 'anna looks for an opponent'
	keys q
	see_lobby
	keys q
	given_back_with 0
	[[ ! -s said ]]
}

@test "an opponent who leaves, and a server that stops, are told in words" {
	local KEYS=()
	sit_down
	send ben LOGOUT
	see 'You win: ben left'
	keys Enter
	see 'anna looks for an opponent'
	ben_asks
	ben_starts
	see 'move'
	kill -TERM "$SERVER_PID"
	see 'the server shuts down'
	keys Enter
	see 'cannot connect to 127.0.0.1'
	keys q
	see 'not connected'
	keys q
	given_back_with 0
}

@test "a server killed in mid-duel: looked for, then the lobby, then the terminal as it was" {
	local KEYS=()
	sit_down
	kill -KILL "$SERVER_PID"
	see 'The connection is lost'
	keys q
	see_lobby
	keys q
	given_back_with 0
}

@test "a server that was killed and is started again: the seat is taken again by itself" {
	local KEYS=()
	sit_down
	kill -KILL "$SERVER_PID"
	see 'The connection is lost'
	wait_until has_no_family "$SERVER_PID"
	start_server_on "$PORT"
	grep -q 'info recovered table=0' "$SERVER_LOG"
	see_not 'The connection is lost'
	see 'ben'
	keys C-c
	see 'Leave and lose? y/n'
	keys C-c
	given_back_with 0
}

@test "a server that comes back without the seat is said so" {
	local KEYS=()
	sit_down
	kill -KILL "$SERVER_PID"
	see 'The connection is lost'
	wait_until has_no_family "$SERVER_PID"
	rm -r "$HOLMGANG_STATE/journals"
	start_server_on "$PORT"
	see 'knows nothing of our seat'
	keys Enter
	see 'anna looks for an opponent'
}

@test "a player that is killed by a signal gives the terminal back" {
	local KEYS=()
	sit_down
	kill -TERM "$(player_pid)"
	expect_later ben 'WIN left'
	given_back_with 0
	close_terminal
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT"
	see_lobby
	kill -ABRT "$(player_pid)"
	see 'status='
	wait_until is_given_back
}

@test "the looking ends when nobody comes" {
	start_server --match-timeout 1
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	keys p
	see 'Nobody has come to play.'
	keys q
	see_lobby
}

@test "a server that closes the connection because nobody plays is no trouble" {
	start_server --play-within 1
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross
	see_lobby
	FIRST=$(player_sockets)
	# it is made again, and nothing is said of it
	wait_until has_changed_connection
	see_not 'not connected'
	see_not 'lost'
	keys p
	see 'anna looks for an opponent'
	ben_asks side=nought
	ben_starts
	send ben RESIGN
	see 'You win'
	expect_later ben 'ERROR not-registered *'
	expect_eof ben
	wait_until has_no_connection
	see 'You win'
	keys Enter
	see 'anna looks for an opponent'
}

player_sockets() {
	find "/proc/$(player_pid)/fd" -lname 'socket:*' -printf '%l\n'
}

has_no_connection() {
	[[ ! $(player_sockets) ]]
}

has_changed_connection() {
	local now
	now=$(player_sockets)
	[[ $now && $now != "$FIRST" ]]
}

@test "name, side and what a person types are checked" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see 'n  Name                anna'
	keys n
	see 'What is your name?'
	keys '!'
	see 'anna!_'
	keys Enter
	see 'A name is 1 to 24'
	keys BSpace b Enter
	see 'n  Name                annab'
	keys s
	see 's  Side                < cross >'
	keys n
	see 'What is your name?'
	keys z
	see 'annabz_'
	keys Escape
	see 'n  Name                annab'
	keys Up
	see '> s  Side'
	keys Enter
	see '> s  Side                < nought >'
	keys Left Left Left
	see '> s  Side                < nought >'
}

@test "watching from the lobby, and with -v alone" {
	local port
	port=$(free_port)
	start_server -b "$port"
	bot one --pace 100
	bot two --pace 100
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	keys w
	see 'Which broadcast port'
	keys 0 Enter
	see 'A port is 1 to 65535'
	keys BSpace
	keys "$port" Enter
	see 'one'
	keys q
	see "port $port"
	keys q
	given_back_with 0
	close_terminal
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -v "$port"
	see_lobby
	keys w
	see 'one'
	keys q
	see "port $port"
	keys q
	given_back_with 0
	close_terminal
	open_player 80 24 LC_ALL=C -v "$port"
	see 'one'
	keys q
	see 'not connected'
	keys q
	given_back_with 0
}

@test "a port to watch that was mistyped can be typed again" {
	local port
	port=$(free_port 2)
	start_server -b "$port"
	bot one --pace 100
	bot two --pace 100
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	keys w
	see 'Which broadcast port'
	keys -l "$((port + 1))"
	keys Enter
	see 'nothing heard yet'
	keys q
	see "port $((port + 1))"
	keys w
	see 'Which broadcast port'
	see "$((port + 1))_"
	keys BSpace BSpace BSpace BSpace BSpace
	keys -l "$port"
	see "${port}_"
	# left as it was
	keys Escape
	see "Watch               port $((port + 1))"
	keys w
	see "$((port + 1))_"
	keys BSpace BSpace BSpace BSpace BSpace
	keys -l "$port"
	keys Enter
	see 'one'
	keys q
	see "Watch               port $port"
}

# As much of the text as such a window shows.
in_width() { # WIDTHxHEIGHT TEXT
	printf '%s' "${2:0:${1%x*}}"
}

@test "every screen follows the window, however small or large" {
	# shellcheck disable=SC2034 # for sit_down
	local size KEYS=()
	sit_down
	if ((!BEN_FIRST)); then
		see 'Your move'
		keys Enter
		expect_later ben 'STATE 0 *'
	fi
	for size in 20x8 10x5 1x1 200x60 80x24; do
		in_tmux resize-window -x "${size%x*}" -y "${size#*x}"
		case $size in
		1x1) ;;
		10x5) see 'ben to mov' ;;
		*) see 'q: leave   ?: help' ;;
		esac
		kill -0 "$(player_pid)"
	done
	keys q
	see 'y: leave'
	keys y
	see_lobby
	for size in 20x8 10x5 1x1 200x60; do
		in_tmux resize-window -x "${size%x*}" -y "${size#*x}"
		# the last place of a screen cannot always be written
		if [[ $size != 1x1 ]]; then see "$(in_width "$size" '> p  Play')"; fi
		kill -0 "$(player_pid)"
	done
	keys q
	given_back_with 0
}

@test "in UTF-8 the board has lines, with --ascii it has none" {
	start_server
	open_player 80 24 LC_ALL=C.UTF-8 127.0.0.1 "$PORT" -s cross
	see_lobby
	keys p
	ben_asks
	see '├'
	close_terminal
	expect_later ben 'WIN left'
	open_player 80 24 LC_ALL=C.UTF-8 127.0.0.1 "$PORT" --ascii
	see_lobby
	keys p
	ben_asks
	see '+-'
	run ! grep -q '[^ -~]' <(screen)
}

coloured() {
	in_tmux capture-pane -pe | grep -q $'\e\\[[0-9;]*3[1-8][;m]'
}

@test "a key that the terminal's description does not know is none" {
	start_server
	# Ctrl and an arrow, as nearly all terminals say it
	open_player 80 24 'LC_ALL=C TERM=screen' 127.0.0.1 "$PORT"
	see_lobby
	keys -H 1b 5b 31 3b 35 43
	keys -H 1b 5b 31 3b 35 43 6a
	see '> p  Play anybody'
	keys -H 1b 4f 35 43 6a
	see '> t  Private table'
	# and Esc is still one
	keys Escape
	given_back_with 0
}

@test "no colours where none are wanted" {
	local none
	start_server
	# the pieces of the players have theirs from the start
	for none in '' 1; do
		export NO_COLOR=$none
		open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" --hotseat ANNA,BEN
		see_lobby
		keys p
		see ', your move'
		if [[ $none ]]; then
			! coloured || fail 'it has colours'
		else
			wait_until coloured
		fi
		close_terminal
	done
}

@test "a terminal that cannot be drawn on is one line and exit 1" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT"
	see_lobby
	keys q
	given_back_with 0
	close_terminal
	open_player 80 24 'LC_ALL=C TERM=dumb' 127.0.0.1 "$PORT"
	see 'status=1'
	[[ $(wc -l <said) == 1 && $(<said) == *TERM=dumb*--bot* ]]
}

@test "what only a player that plays alone needs is refused to a person" {
	local option
	start_server
	for option in --seed --think --pace --games; do
		open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" "$option" 3
		see 'status=2'
		[[ $(wc -l <said) == 1 && $(<said) == holmgang-player:*"$option"*alone* ]] || fail "$option: $(<said)"
		close_terminal
	done
	run "$BUILD/holmgang-player" -v 9001 --games 3
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *--games*alone* ]] || fail "$output"
	run "$BUILD/holmgang-player" 127.0.0.1 "$PORT" -v 9001
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *'-v is for people'* ]] || fail "$output"
	run "$BUILD/holmgang-player" --engine cat -v 9001
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *'-v is for people'* ]] || fail "$output"
}
