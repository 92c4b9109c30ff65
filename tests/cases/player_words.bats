# What the player tells a person: the rules and keys on ?, why something is not possible, how moves are typed.

load ../lib/common
load ../lib/terminal
load ../lib/player

# anna at quantik, as white, in a window of this size; ben is a raw connection.
sit_down_in() { # WIDTH HEIGHT [VARIABLES]
	start_server
	open_player "$1" "$2" "${3-LC_ALL=C}" 127.0.0.1 "$PORT" -n anna -g quantik -s white --key clock=off
	see_lobby
	keys p
	see 'anna looks for an opponent'
	connect ben
	send ben 'PLAY quantik name=ben clock=off'
	expect ben 'ID *'
	ben_starts
	see 'Your move'
}

@test "help: the rules and the keys are on one screen of 80x24, and the duel goes on behind it" {
	sit_down_in 80 24
	keys '?'
	see 'Goal: to complete a row, a column or a square'
	see 'an illegal one loses the round.'
	see '1 to 9          pick a piece'
	# one piece is put at a time
	shows_not 'mark a piece'
	see 'A move is typed as x y s: C cylinder'
	see 'any key: back'
	see 'Your move'
	# what closes it does nothing else
	keys q
	see '[C]x2'
	see_not 'Leave and lose'
	keys Enter Enter
	expect_later ben 'STATE 0 0 0 C 1'
	see 'ben to move'
	keys '?'
	see 'Goal:'
	see_not 'Your move'
	send ben 'MOVE 3 3 T'
	see 'Your move'
	shows 'Goal:'
	send ben RESIGN
	expect_later ben 'ROUND 1 2 1 0'
	shows 'Goal:'
	keys x
	see 'You win: ben gave up'
}

@test "only keys that do something in a game are told of" {
	sit_down_in 80 24
	see 'Tab: next'
	keys x
	keys Right
	shows_not 'Marked'
	shows_not 'x: mark'
	close_terminal holmgang-player
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -g memory --against easy
	see 'colon: type'
	shows_not 'r: resign'
	keys '?'
	see 'type a move'
	shows_not 'resign'
	close_terminal holmgang-player
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -g qwirkle --against easy
	see 'r: resign   x: mark   colon: type'
	keys '?'
	see 'mark a piece to give'
}

@test "help: while one waits, and when the duel begins meanwhile" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross
	see_lobby
	keys p
	see 'anna looks for an opponent'
	keys '?'
	see 'Goal: three of your own in a line'
	# no piece lies beside this board
	see_not 'mark a piece'
	ben_asks side=nought
	ben_starts
	shows 'Goal:'
	keys Escape
	see 'anna (you)'
	see_not 'Leave and lose'
}

@test "help: what does not fit is scrolled to, at 60x20; at 140x45 there is room for all" {
	sit_down_in 60 20
	keys '?'
	see 'Goal: to complete a row'
	see 'down: more   any other key: back'
	see_not 'q, Ctrl-C'
	keys NPage
	see 'q, Ctrl-C       leave the duel'
	see 'up: more   any other key: back'
	keys PPage
	see 'Goal: to complete a row'
	in_tmux resize-window -x 140 -y 45
	see 'q, Ctrl-C       leave the duel'
	see '   any key: back'
	keys Down
	see 'Your move'
	see_not 'Goal:'
}

@test "why a pick is not possible is said in words of the game" {
	sit_down_in 80 24
	keys Enter Enter
	expect_later ben 'STATE 0 0 0 C 1'
	send ben 'MOVE 3 3 T'
	see 'Your move'
	# a cell before a piece
	click 1 1
	see 'First pick a piece beside the board.'
	click_text ':T:x2'
	see_not 'First pick'
	click 0 3
	see 'Black has a tetrahedron in this row.'
	click 2 2
	see 'Black has a tetrahedron in this square.'
	click 0 0
	see 'That cell is taken.'
	click 1 0
	expect_later ben 'STATE 0 1 0 T 1'
	see_not 'That cell'
}

@test "why a pick is not possible: a piece that is another's, that cannot move, and a way that is not free" {
	sit_down_at hnefatafl side=defender -s attacker
	see 'Your move'
	click 4 4
	see 'That is not your piece.'
	click 4 0
	see 'That piece cannot move.'
	click 2 2
	see 'No piece stands there.'
	click 3 0
	see 'Backspace: take back'
	click 3 5
	see 'Something stands in the way.'
	click 1 1
	see 'A piece moves in a straight line.'
	click 0 0
	see 'Only the king may rest on a corner.'
	# the end of the round has nothing to do with it
	send ben RESIGN
	see 'You win: ben gave up'
	see_not 'Only the king'
}

@test "a move that is typed: how it looks, why it will be refused, and that it may be said all the same" {
	sit_down_in 80 24
	keys ':'
	see 'x y s: C cylinder, P box, S sphere, T tetrahedron'
	keys -l '0 0 Q'
	keys Enter
	see 'There is no such shape: they are C, P, S and T.'
	see 'MOVE 0 0 Q_'
	keys BSpace C Enter
	expect_later ben 'STATE 0 0 0 C 1'
	send ben 'MOVE 3 3 C'
	see 'Your move'
	keys ':'
	keys -l '1'
	keys Enter
	see 'MOVE wants x y s: C cylinder, P box, S sphere, T tetrahedron'
	keys ':'
	keys -l '3 0 C'
	keys Enter
	see 'Black has a cylinder in this column.   Enter: send it'
	# the round is strict: this loses it
	keys Enter
	expect_later ben 'WIN illegal'
	see 'You lose: your move was illegal'
}

@test "a refusal of the server's is told in its words" {
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
	keys -l '7 7'
	keys Enter Enter
	see 'There is no such cell: x and y go from 0 to 2.'
	see_not 'Enter: send it'
	see 'Your move'
}

@test "again with the same opponent: whoever else waits is not met, with Enter they are" {
	# shellcheck disable=SC2034 # for sit_down
	local KEYS=()
	sit_down
	send ben RESIGN
	see 'a: again with ben'
	keys a
	see 'anna waits for ben'
	connect cem
	send cem 'PLAY tictactoe name=cem side=nought'
	expect cem 'ID *'
	expect cem 'NO_OPPONENTS *'
	send ben 'PLAY tictactoe name=ben vs=anna'
	expect_later ben 'START *'
	see 'O ben'
	send ben RESIGN
	see 'a: again with ben'
	keys Enter
	expect_later cem 'START *'
	see 'O cem'
	send cem LOGOUT
	see 'a: again with cem'
}

@test "again: not with somebody who has no name" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross
	see_lobby
	keys p
	see 'anna looks for an opponent'
	connect ben
	send ben PLAY
	expect_later ben 'START *'
	send ben LOGOUT
	see 'Enter: play again'
	see_not 'again with'
}

@test "a letter that no name may have is not swallowed in silence" {
	start_server
	open_player 80 24 LC_ALL=C.UTF-8 127.0.0.1 "$PORT" -n anna
	see_lobby
	keys n
	see 'What is your name?'
	keys -l 'a '
	see 'A name is 1 to 24 of A-Z a-z 0-9 . _ -'
	keys -l b
	see_not 'A name is 1 to 24'
	keys -l 'ö'
	see 'A name is 1 to 24 of A-Z a-z 0-9 . _ -'
	see 'annaab_'
}

@test "tiles have one name, on the board, on the rack, typed and told; how many there are cannot be taken for it" {
	local size tile
	start_server
	open_player 80 24 LC_ALL=C.UTF-8 127.0.0.1 "$PORT" -n anna -g qwirkle --key clock=off
	see_lobby
	keys p
	see 'anna looks for an opponent'
	connect ben
	send ben 'PLAY qwirkle name=ben clock=off'
	expect ben 'ID *'
	ben_starts
	if ((BEN_FIRST)); then send ben 'MOVE pass'; fi
	see 'Your move'
	for size in 60x20 140x45 80x24; do
		in_tmux resize-window -x "${size%x*}" -y "${size#*x}"
		see '[p: pass]'
		(($(screen | grep -oE '[a-f][1-6]' | wc -l) >= 3))
		# two of one tile are never two digits
		[[ $(screen | grep -cE '[a-f][1-6] ?[0-9]') == 0 ]]
	done
	tile=$(screen | grep -oE '[a-f][1-6]' | head -n 1)
	keys ':'
	see 'play b4 x y, swap b4 ..., or pass; tiles are a1 to f6'
	keys -l "play $tile 0 0"
	keys Enter
	expect_later ben "STATE 0 play $tile 0 0 0"
	keys p
	expect_later ben 'STATE 0 pass 1'
	see "$tile"
}
