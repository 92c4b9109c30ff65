# Why a move is refused: in words of the game behind the code, and the same again when a duel has died.

load ../lib/common

# Two players of one table: A says the first, B the second; SEAT_0 is whose moves begin.
sit() { # PLAY-OF-A PLAY-OF-B
	connect A
	connect B
	send A "$1"
	expect A 'ID *'
	expect A 'NO_OPPONENTS *'
	send B "$2"
	expect B 'ID *'
	expect_met A 'START *'
	FIRST=B SECOND=A
	if [[ $LINE == 'START 1'* ]]; then FIRST=A SECOND=B; fi
	expect B 'START *'
}

@test "a refusal says why, in the words of each game" {
	start_server
	sit 'PLAY hnefatafl side=attacker' 'PLAY hnefatafl'
	expect A 'BOARD *'
	send A 'MOVE 4 4 4 5'
	expect A 'ERROR illegal-move that is not your piece'
	send A 'MOVE 3 0 3 8'
	expect A 'ERROR illegal-move something stands there'
	send A 'MOVE 3 0 0 0'
	expect A 'ERROR illegal-move only the king may rest on a corner'
	send A 'MOVE 3 0'
	expect A 'ERROR bad-argument MOVE wants x1 y1 x2 y2, *'
	send A LOGOUT
	send B LOGOUT
	sit 'PLAY quantik side=white strict=off rounds=1' 'PLAY quantik strict=off rounds=1'
	[[ $FIRST == A ]]
	expect A 'BOARD *'
	send A 'MOVE 0 0 S'
	expect_later B 'STATE 0 0 0 S 1'
	expect B 'BOARD *'
	send B 'MOVE 3 0 S'
	expect B 'ERROR illegal-move white has a sphere in this row'
	send B 'MOVE 1 1 S'
	expect B 'ERROR illegal-move white has a sphere in this square'
	send A LOGOUT
	send B LOGOUT
	sit 'PLAY qwirkle' 'PLAY qwirkle'
	expect_later "$FIRST" 'SCORE *'
	send "$FIRST" 'MOVE play a7 0 0'
	expect "$FIRST" 'ERROR illegal-move there is no such tile: they are a1 to f6'
	send "$FIRST" 'MOVE play a1 1 0'
	expect "$FIRST" 'ERROR illegal-move the first tile lies at 0 0'
}

@test "a refusal says why where nothing is judged, when a move is off the board" {
	start_server --no-valid
	sit 'PLAY tictactoe' 'PLAY tictactoe'
	expect "$FIRST" 'BOARD *'
	send "$FIRST" 'MOVE 3 3'
	expect "$FIRST" 'ERROR illegal-move there is no such cell: x and y go from 0 to 2'
}

@test "a duel that is killed after refusals has said them to the byte, classic and full" {
	local x words
	start_server
	sit PLAY 'PLAY tictactoe name=ben'
	send "$FIRST" 'MOVE 1 1'
	expect_later "$SECOND" 'STATE *1 1 1'
	if [[ $SECOND == B ]]; then expect B 'BOARD *'; fi
	for x in 1 7 1; do
		words='that cell is taken'
		if ((x == 7)); then words='there is no such cell: x and y go from 0 to 2'; fi
		send "$SECOND" "MOVE $x $x"
		expect "$SECOND" "ERROR illegal-move $words"
		find_duel
		kill_duel
	done
	send "$SECOND" 'MOVE 0 0'
	expect_later "$FIRST" 'STATE *0 0 1'
	if [[ $FIRST == B ]]; then expect B 'BOARD *'; fi
	# of a position that is another one by now
	send "$FIRST" 'MOVE 0 0'
	expect "$FIRST" 'ERROR illegal-move that cell is taken'
	kill_duel
	send "$FIRST" 'MOVE 2 0'
	expect_later "$SECOND" 'STATE *2 0 1'
	[[ $(grep -c 'journal-not-playable' "$SERVER_LOG") == 0 ]]
}

@test "a duel that is killed after refusals that change something has said them to the byte" {
	start_server
	sit 'PLAY memory' 'PLAY memory'
	expect_later A 'SCORE *'
	expect_later B 'SCORE *'
	send A 'MOVE 0 0'
	expect A 'STATE 0 first 0 0 ?? 1'
	send A 'MOVE 4 0'
	expect_later A 'ERROR illegal-move there is no such card: x and y go from 0 to 3'
	send A 'MOVE 0 0'
	expect A 'ERROR filled that card is turned up already, by you'
	expect A 'STATE 0 hide 0 0 1'
	expect A 'BOARD *'
	find_duel
	kill_duel
	send B 'MOVE 1 1'
	expect A 'STATE 1 first 1 1 ?? 1'
	expect A 'BOARD *'
	send A 'MOVE 1 1'
	expect A 'ERROR filled that card is turned up already, by somebody else'
	kill_duel
	expect A 'STATE 1 hide 1 1 1'
	[[ $(grep -c 'journal-not-playable' "$SERVER_LOG") == 0 ]]
}
