# The player as a person at a terminal (in tmux): the other games, and several people at one terminal.

load ../lib/common
load ../lib/games
load ../lib/terminal
load ../lib/player

# --- the other games at a terminal -------------------------------------------------------------

@test "a move of two cells is picked by keyboard and by mouse" {
	sit_down_at hnefatafl side=attacker -s defender
	send ben 'MOVE 3 0 2 0'
	see 'Your move'
	keys Left Enter Up
	see '{D}'
	keys Enter
	expect_later ben 'STATE 1 3 4 3 3 1'
	see 'ben to move'
	send ben 'MOVE 2 0 3 0'
	see 'Your move'
	click 4 2
	# another piece is taken instead
	click 3 3
	see '[D]'
	click 2 3
	expect_later ben 'STATE 1 3 3 2 3 1'
	keys Down
	see '(D)'
	see 'ben to move'
}

@test "pieces beside the board are picked by keyboard and by mouse, and are counted" {
	sit_down_at quantik 'side=black clock=off' -s white --key clock=off
	see '[C]x2'
	see 'B ben c2 p2 s2 t2'
	keys Enter
	see '{C}x2'
	keys Enter
	expect_later ben 'STATE 0 0 0 C 1'
	see 'W anna (you) C1 P2 S2 T2'
	send ben 'MOVE 3 3 T'
	see 'B ben c2 p2 s2 t1'
	click_text ':S:x2'
	see '{S}x2'
	click 2 1
	expect_later ben 'STATE 0 2 1 S 1'
	see 'W anna (you) C1 P2 S1 T2'
}

# ben gives one tile of his rack away. The same may come back: then he hears no RACK.
ben_swaps() {
	send ben "MOVE swap ${RACK%% *}"
	expect_later ben 'STATE 1 swap 1 *'
	send ben LIST
	while expect ben '*' && [[ $LINE != END ]]; do
		if [[ $LINE == RACK* ]]; then RACK=${LINE#RACK }; fi
	done
}

@test "moves without picks are words, some pieces can be marked, and any move typed" {
	sit_down_at qwirkle 'clock=off' --key clock=off
	expect_later ben 'RACK *'
	RACK=${LINE#RACK }
	if ((BEN_FIRST)); then ben_swaps; fi
	see '[p: pass]'
	keys x
	see 'Marked: '
	click_text ':swp:'
	expect_later ben 'STATE 0 swap 1 1'
	ben_swaps
	see 'ben: swap 1'
	see '[p: pass]'
	keys ':'
	see 'MOVE _'
	keys -l 'pass now'
	see 'MOVE pass now_'
	keys Enter
	see 'MOVE wants play'
	keys ':'
	keys -l pass
	keys Enter
	expect_later ben 'STATE 0 pass 1'
	see 'ben to move'
	keys ':'
	see 'It is not your turn.'
	ben_swaps
	click_text '[p: pass]'
	expect_later ben 'STATE 0 pass 1'
	see 'ben to move'
	ben_swaps
	see '[p: pass]'
	keys 1 Enter
	expect_later ben 'STATE 0 play ?? 0 0 0'
	see '[p: pass]'
	keys p
	expect_later ben 'SCORE 1 0'
	see 'anna (you) 1'
}

@test "everybody plays at once by keyboard and mouse, and people come and go" {
	sit_down_at memory size=4
	see 'All play at once'
	keys Enter
	expect_later ben 'STATE 0 first 2 2 ?? 1'
	send ben 'MOVE 0 0'
	expect_later ben 'STATE 1 first 0 0 ?? 1'
	click 3 3
	expect_later ben 'STATE 0 [rw]* 1'
	if [[ $LINE == *wrong* ]]; then
		see 'Wait a moment'
		keys Enter
		see 'Wait until your two cards are turned down.'
		expect_later ben 'STATE 0 hide 2 2 3 3 *'
	fi
	see 'All play at once'
	send ben LOGOUT
	see '1 (gone)'
	see 'The game stands still until somebody joins'
	connect carl
	send carl 'PLAY memory name=carl'
	expect_later carl 'START 1 SEAT 2 *'
	see 'All play at once'
	# a round that all play at once cannot be given up alone
	keys r
	see 'Leave and lose? y/n'
	keys n
	see_not 'Leave and lose?'
	keys q
	see 'Leave and lose? y/n'
	keys y
	see 'You left the duel with somebody: it goes on without you.'
	expect_later carl 'STATE 0 leave 0'
}

@test "a board larger than the window is shown around the cursor" {
	sit_down_at memory size=10 --key size=10
	in_tmux resize-window -x 30 -y 11
	see 'more of the board: up down'
	keys k k k k k k
	see 'more of the board: down'
	see '[#]'
}

# --- several at one terminal -------------------------------------------------------------------

hotseat() { # GAME NAMES [ARGUMENT...]
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -g "$1" --hotseat "$2" "${@:3}"
	see 'p  Play                at one terminal'
	see "$2"
	keys p
}

@test "several at one terminal: what one holds is covered until the next is ready" {
	local now seen=''
	hotseat qwirkle ANNA,BEN,CEM --key clock=900
	while [[ $(wc -w <<<"$seen") -lt 3 ]]; do
		see ', press space when the others look away'
		now=$(screen | grep -oE '[A-Z]+, press' | cut -d , -f 1)
		[[ $seen != *$now* ]]
		# the clock runs all the same
		shows 'look away   14:' || shows 'look away   15:00'
		seen+=" $now"
		# nothing that only this person may know
		see_not swp
		see_not '[p: pass]'
		keys Enter
		keys p
		see "$now, press space"
		keys Space
		see "$now, your move"
		see swp
		keys p
	done
	see 'A draw: nobody has points'
	see 'Enter: play again'
	see_not swp
	keys Enter
	see 'press space'
	keys q
	see 'End it for all? y/n'
	keys y
	see_lobby
	keys q
	given_back_with 0
}

who_is_next() {
	see ', press space when the others look away'
	NEXT=$(screen | grep -oE '[A-Z]+, press' | cut -d , -f 1)
}

@test "several at one terminal: the others play on when one has given up" {
	local first
	hotseat qwirkle ANNA,BEN,CEM
	who_is_next
	first=$NEXT
	keys Space
	see "$first, your move"
	keys r
	see 'Resign? y/n'
	keys y
	see "$first is out of this round."
	for _ in 1 2; do
		who_is_next
		[[ $NEXT != "$first" ]]
		keys Space
		see "$NEXT, your move"
		see swp
		keys p
		see_not "$NEXT, your move"
	done
	see 'A draw: nobody has points'
	see 'Enter: play again'
}

@test "several at one terminal: where nothing is hidden nothing is covered, and rounds go on" {
	local first other=ANNA
	hotseat tictactoe ANNA,BEN --key rounds=2
	see ', your move'
	first=$(screen | grep -oE '[A-Z]+, your' | cut -d , -f 1)
	if [[ $first == ANNA ]]; then other=BEN; fi
	keys k h Enter
	see "$other, your move"
	keys Down Enter
	see "$first, your move"
	keys Up Right Enter
	see "$other, your move"
	keys Down Enter
	see "$first, your move"
	keys Up Right Enter
	see "$first wins: three in a row"
	see 'any key: go on'
	see 'Rounds won: '
	see "$first 1"
	see "$other 0"
	keys x
	see 'round 2 of 2'
	see "$other, your move"
	keys r
	see 'Resign? y/n'
	keys y
	see "$first wins: a player gave up"
	see 'Enter: play again'
	keys Enter
	see ', your move'
}

@test "several at one terminal: who cannot play so is told why" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -g memory --hotseat ANNA,BEN
	see 'status=2'
	[[ $(wc -l <said) == 1 && $(<said) == *'memory has no turns'* ]]
	close_terminal
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -g qwirkle --hotseat ANNA,BEN,CEM
	see_lobby
	keys g
	see 'Memory'
	keys p
	see 'memory has no turns'
	# past all that stand behind it, to the first of the list
	for _ in $(all_games | sed '1,/^memory$/d') first; do keys g; done
	see 'Tic-tac-toe'
	keys p
	see 'tictactoe is for 2 people, not for 3'
	keys n
	see 'The names are those of --hotseat.'
}
