# The player's first screen: who is here, what one can do, and what is done while nobody comes.

load ../lib/common
load ../lib/terminal
load ../lib/player

# anna at a terminal.
open_lobby() { # WIDTH HEIGHT [PLAYER'S ARGUMENT...]
	open_player "$1" "$2" LC_ALL=C 127.0.0.1 "$PORT" -n anna "${@:3}"
	see_lobby
}

# Somebody waits, on a raw connection.
waits() { # NAME GAME [KEY=VALUE...]
	connect "$1"
	send "$1" PLAY "$2" "name=$1" wait=600 "${@:3}"
	expect "$1" 'ID *'
}

# Two sit at a table, each on a raw connection, carl first.
two_play() { # GAME FIRST-SIDE [KEY=VALUE...]
	waits carl "$1" "side=$2" "${@:3}"
	connect dora
	send dora PLAY "$1" name=dora "${@:3}"
	expect dora 'ID *'
	expect_later carl 'START *'
}

@test "a newcomer who is alone is offered the computer" {
	start_server
	open_lobby 80 24
	see 'Nobody waits, and nothing is played.'
	see '> c  Play the computer   < easy >'
	see 'Enter: play the computer'
	keys Right
	see '< strong >'
	keys Left Left
	see '< random >'
	keys '?'
	see 'change what stands in < >'
	see 'Tic-tac-toe'
	keys q
	see_lobby
	keys q
	given_back_with 0
}

@test "who waits is shown with their terms, and joined with these" {
	start_server
	waits ben hnefatafl rounds=3 clock=60
	open_lobby 80 24
	see '> ben'
	see 'Hnefatafl 9x9 3 rounds, 60 s a turn'
	see 'Enter: play with ben'
	keys Enter
	expect_later ben 'START * round=1/3 *'
	[[ $LINE == *anna* ]] || fail "$LINE"
	see 'round 1 of 3'
	see 'move'
}

@test "who waits for somebody else is shown, and cannot be joined" {
	start_server
	waits ben tictactoe vs=carl
	open_lobby 80 24
	see 'only with carl'
	see '> c  Play the computer'
	keys Tab
	see 'Enter: play with ben'
	keys Enter
	see 'ben waits for somebody else.'
	send ben LOGOUT
	expect_later ben 'ABORTED*'
	send ben PLAY tictactoe name=ben vs=anna wait=600
	see 'only with anna'
	keys Tab
	see '> ben'
	keys Enter
	expect_later ben 'START *'
}

@test "what is chosen stays so when others come and go" {
	start_server
	waits ben tictactoe
	open_lobby 80 24
	see '> ben'
	waits carl quantik
	see 'carl'
	keys Down
	see '> carl'
	send ben LOGOUT
	see_not 'ben'
	see '> carl'
	waits emil quantik rounds=3
	see 'emil'
	see '> carl'
	# nobody else is met by mistake
	send carl LOGOUT
	see '> c  Play the computer'
	see 'emil'
}

@test "the mouse joins, too" {
	start_server
	waits ben tictactoe
	open_lobby 80 24
	click_text 'ben  '
	expect_later ben 'START *'
}

@test "what is played is watched, without a port" {
	local port
	port=$(free_port 2)
	start_server -b "$port-$((port + 1))"
	two_play quantik white clock=off
	open_lobby 80 24
	see 'carl - dora'
	see 'round 1 of 2'
	keys Tab
	see 'Enter: watch'
	keys Enter
	see 'Quantik'
	see_not 'Play the computer'
	see 'q: lobby'
	shows_not 'q quits'
	see 'carl'
	# to their next table, wherever that is broadcast
	send carl LOGOUT
	expect_later carl 'ABORTED*'
	expect_later dora 'ROUND *'
	waits carl hnefatafl side=attacker
	send dora PLAY hnefatafl name=dora
	expect_later carl 'START *'
	see 'Hnefatafl'
	keys q
	see_lobby
	see '> carl - dora'
}

@test "a table that is not broadcast is said so" {
	start_server
	two_play tictactoe cross
	open_lobby 80 24
	see 'carl - dora'
	keys Tab Enter
	see 'This table cannot be watched'
}

@test "a private table: the word is drawn or typed, and told" {
	local word
	start_server
	open_lobby 80 24 --key rounds=3
	keys t
	see 'Which word? Enter alone takes'
	word=$(screen | sed -n 's/.*Enter alone takes \([a-z]*\).*/\1/p')
	keys Enter
	see "holmgang-player 127.0.0.1 $PORT -g tictactoe --key rounds=3"
	see "The word of this table: $word"
	connect ben
	send ben PLAY tictactoe name=ben rounds=3 "table=$word"
	expect_later ben 'START *'
	keys q y
	see_lobby
	see "t  Private table       $word"
	keys t
	see 'Which word?'
	keys -l 'our.table!'
	keys Enter
	see 'A word is 1 to 32'
	keys BSpace Enter
	see 'The word of this table: our.table'
	# it is in no list, and neither is who waits there shown another way
	connect dora
	send dora PLAY tictactoe name=dora rounds=3 table=our.table
	expect_later dora 'START *'
}

@test "a person has a minute for a turn, and sets the terms" {
	start_server
	open_lobby 80 24
	keys g
	see 'm  Time for a turn     < 120 s >'
	keys g
	see 'm  Time for a turn     < 60 s >'
	see 'r  Rounds              < 2 >'
	see_not 'e  Seats'
	keys Down
	see '> m'
	keys Right
	see '< 120 s >'
	keys r
	see '> r  Rounds              < 3 >'
	keys p
	see 'anna looks for an opponent'
	connect ben
	send ben PLAY quantik name=ben rounds=3 clock=120
	expect_later ben 'START * round=1/3 *'
	keys q y
	see_lobby
	keys g
	see 'e  Seats               < 2 >'
	keys e e
	see 'e  Seats               < 4 >'
	keys g
	see 'z  Board               < 4 x 4 >'
	see 'until people leave'
	see_not 'm  Time'
	see_not 's  Side'
}

@test "what the command line says of the clock counts" {
	start_server
	open_lobby 80 24 -g quantik --key clock=7
	see '< 7 s >'
	keys p
	see 'anna looks for an opponent'
	connect ben
	send ben PLAY quantik name=ben clock=7
	expect_later ben 'START *'
}

@test "a server without clocks is not asked for one" {
	start_server --no-timeout
	open_lobby 80 24 -g quantik
	see '< no limit >'
	keys p
	connect ben
	send ben PLAY quantik name=ben
	expect_later ben 'START *'
}

@test "while one waits: others on other terms are shown, and joined" {
	start_server
	waits ben quantik
	open_lobby 80 24 -g quantik
	keys p
	see 'anna looks for an opponent'
	see 'ben waits for Quantik, but with 5 s a turn'
	see 'j: play with these terms'
	keys j
	expect_later ben 'START *'
	see 'move'
}

@test "while one waits: somebody who comes later, and has other terms, too" {
	start_server
	open_lobby 80 24
	keys p
	see 'anna looks for an opponent'
	waits ben tictactoe rounds=3
	see 'ben waits for Tic-tac-toe, but with 3 rounds'
	send ben LOGOUT
	see_not 'ben waits'
	keys q
	see 'Nobody waits, and nothing is played.'
}

@test "nobody comes: the computer instead, others, or once more" {
	start_server --match-timeout 1
	open_lobby 80 24
	keys p
	see 'Nobody has come to play.'
	see 'c: play the computer instead'
	keys Enter
	see 'Nobody has come to play.'
	waits ben tictactoe rounds=3
	see 'j: play with these terms'
	keys j
	expect_later ben 'START *'
}

@test "the computer is one key away: at first, while one waits, and when nobody has come" {
	start_server --match-timeout 3
	open_lobby 80 24 -s cross
	see '> c  Play the computer'
	keys Left Enter
	see 'X anna (you)'
	see 'O random'
	keys q
	see 'Leave and lose?'
	keys y
	see_lobby
	keys p
	see 'anna looks for an opponent'
	keys c
	see 'O random'
	keys q
	see 'Leave and lose?'
	keys y
	see_lobby
	keys p
	see 'Nobody has come to play.'
	keys c
	see 'O random'
	# and once more
	keys r
	see 'Resign?'
	keys y
	see 'You lose: you gave up'
	keys Enter
	see 'r: resign'
	see 'O random'
}

@test "the computer of a server that has none: it is said, in the lobby" {
	start_server --house off
	open_lobby 80 24
	keys Enter
	see 'The server has no computer to play with just now.'
	see_lobby
	keys p
	see 'anna looks for an opponent'
	keys c
	see 'The server has no computer to play with just now.'
	see_lobby
}

@test "a server that is started again is found again" {
	start_server
	waits ben tictactoe
	open_lobby 80 24
	see '> ben'
	kill -KILL "$SERVER_PID"
	see 'trying again'
	see_not 'ben'
	wait_until has_no_family "$SERVER_PID"
	start_server_on "$PORT"
	see 'The connection is back.'
	waits carl tictactoe
	see 'carl'
	keys Tab Enter
	expect_later carl 'START *'
}

@test "every window shows who waits and what one can do" {
	local size
	start_server
	waits ben hnefatafl rounds=3
	two_play quantik white clock=off
	open_lobby 80 24
	see '> ben'
	for size in 60x20 40x12 140x45 36x10; do
		in_tmux resize-window -x "${size%x*}" -y "${size#*x}"
		see 'c  Play the computer'
		see 'Who waits'
		see '> ben '
		see 'Enter: play with ben'
	done
	in_tmux resize-window -x 40 -y 12
	see ' v'
	keys Down
	see '> carl - dora'
	see ' ^'
	keys Tab Up
	see '> carl - dora'
	keys Tab
	see '> c  Play the computer'
}

@test "who is called as a computer is told that this is why none comes" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n easy-2 --against easy
	see "Your name is one of the computers' here: n changes it."
	see '> c  Play the computer'
}

@test "--against begins at a table with a computer, for one person at a terminal" {
	local words
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross --against easy
	see 'X anna (you)'
	see 'O easy'
	keys q
	see 'Leave and lose?'
	keys y
	see '> c  Play the computer   < easy >'
	close_terminal holmgang-player
	kill -TERM "$SERVER_PID"
	start_server_on "$PORT" --house off
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -g quantik --against strong
	see 'The server has no computer to play with just now.'
	see '> c  Play the computer   < strong >'
	see '< Quantik >'
	close_terminal holmgang-player
	for words in '--bot' '--engine cat' '--hotseat A,B' '--key vs=ben' '--key table=x' '--key bot=easy'; do
		open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" --against easy "$words"
		see 'status=2'
		[[ $(wc -l <said) == 1 && $(<said) == *--against* ]] || fail "$words: $(<said)"
		close_terminal
	done
	run "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --against easy
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *'one person at a terminal'* ]] || fail "$output"
	run "$BUILD/holmgang-player" --against medium
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *'no level "medium"'* ]] || fail "$output"
}

@test "where there is more than fits, the mark that says so covers nothing" {
	local i
	start_server
	for i in {1..14}; do waits "ben-$i" tictactoe "rounds=$((i + 1))"; done
	open_lobby 60 20
	see ' s v'
	see 'Help                rules, keys'
	keys Up
	keys Tab
	for i in {1..12}; do keys Down; done
	see ' s ^'
}
