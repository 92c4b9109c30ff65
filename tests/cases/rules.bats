# holmgang-rules: the rules by hand. It is a tool of the tests and of whoever studies a game.

load ../lib/common

rules() { # ARGUMENT..., with the lines of input on standard input
	run "$BUILD/holmgang-rules" "$@"
}

# Which words stand before what they say; the rest of a line is in `of`.
lines_of() { # WORD
	printf '%s\n' "$output" | sed -n "s/^$1 //p"
}

@test "rules: a game to its end, in the words of MOVE" {
	rules tictactoe <<-'END'
		0 0
		1 0
		# a comment, and an empty line

		1 1
		2 0
		2 2
	END
	((status == 0))
	[[ $(lines_of event | paste -sd ' ') == '0 0 0 1 1 0 0 1 1 1 2 0 0 2 2' ]]
	[[ $(lines_of model | tail -n 1) == 'XOO.X...X' ]]
	[[ $(lines_of turn | paste -sd ' ') == '0 1 0 1 0 -' ]]
	[[ $(lines_of end) == '048 0 wins' ]]
	[[ ${lines[2]} == 'legal 0 0 0;1 0;2 0;0 1;1 1;2 1;0 2;1 2;2 2' ]]
}

@test "rules: who begins, and a drawn game" {
	rules tictactoe --first 1 <<-'END'
		1 1
		0 0
		2 0
		0 2
		0 1
		2 1
		1 0
		1 2
		2 2
	END
	((status == 0))
	[[ ${lines[1]} == 'turn 1' ]]
	[[ $(lines_of end) == 'full unresolved' ]]
}

@test "rules: what is refused changes nothing" {
	rules tictactoe <<-'END'
		3 0
		0 0 0
		 0 0
		@1 0 0
		seat 1: 0 0
		@0 1 1
		seat 1: 1 1
	END
	((status == 0))
	[[ $(printf '%s\n' "$output" | grep -oE '^(illegal|unreadable): ' | paste -sd ' ') == \
		'illegal:  unreadable:  unreadable:  illegal:  illegal:  illegal: ' ]]
	[[ $output == *'illegal: there is no such cell: x and y go from 0 to 2'* ]]
	[[ $output == *'unreadable: '*'x y'* && $output == *'illegal: it is not your turn'* ]]
	[[ $(lines_of model | paste -sd ' ') == '......... ....X....' ]]
}

@test "rules: a position is set up, its turn said, left out, or nobody's" {
	rules tictactoe <<-'END'
		model XX.OO.... 1
		2 1
		model XX.OO....
		2 0
		model XX.OO.... -
		2 0
	END
	((status == 0))
	[[ $(lines_of end | paste -sd ' ') == '345 1 wins 012 0 wins full unresolved' ]]
	[[ ${lines[-1]} == 'illegal: the round is over' ]]
}

@test "rules: the null game is played when asked for, and is in no list" {
	rules null --first 1 <<<'0 0'
	((status == 0))
	[[ $(lines_of end) == 'taken 1 wins' ]]
	rules --list
	((status == 0))
	[[ $output == *tictactoe* && $output != *null* ]]
	[[ $("$BUILD/holmgang-rules" --keys | cut -d ' ' -f 1) == "$output" ]]
}

@test "rules: no server offers the null game" {
	start_server
	connect anna
	send anna GAMES
	while expect anna '*' && [[ $LINE != END ]]; do
		[[ $LINE != null* ]]
	done
	send anna 'PLAY null'
	expect anna 'ERROR unknown-game *'
}

@test "rules: sequences of moves are as many as others count" {
	local game known counts
	while read -r game known; do
		counts=$("$BUILD/holmgang-rules" "$game" --perft "$(wc -w <<<"$known")")
		[[ $(sed '$d' <<<"$counts" | cut -d ' ' -f 2 | paste -sd ' ') == "$known" ]]
		[[ ${counts##*$'\n'} == *' million leaf positions a second (length '?')' ]]
	done <<-'END'
		null 1
		tictactoe 9 72 504 3024 15120 54720 148176 200448 127872
		quantik 64 3392 167552 6776960
		hnefatafl 72 3944 285728
	END
}

# bats test_tags=slow
@test "rules: every game can be begun with any number of seats that it is for" {
	local game seats
	for game in $("$BUILD/holmgang-rules" --list); do
		for seats in {2..10}; do
			rules "$game" --seats "$seats" </dev/null
			if [[ $output == *" is for "* ]]; then break; fi
			((status == 0))
			[[ $(lines_of model) && $(lines_of 'legal [0-9]*') ]]
			rules "$game" --seats "$seats" --perft 2
			((status == 0))
		done
		((seats > 2))
	done
}

@test "rules: the same seed gives the same, byte for byte" {
	local game first
	for game in $("$BUILD/holmgang-rules" --list); do
		rules "$game" --seed 7 <<<'nonsense'
		first=$output
		rules "$game" --seed 7 <<<'nonsense'
		[[ $output == "$first" ]]
	done
}

@test "rules: an error is one clear line and exit 2" {
	local arguments
	for arguments in '' chess '--bad' 'tictactoe --bad' 'tictactoe --seats' 'tictactoe --seats 3' \
		'tictactoe --first 2' 'tictactoe --seed x' 'tictactoe --size 3' 'tictactoe --cheat' \
		'tictactoe --left 1' 'tictactoe --perft 0' 'tictactoe --perft x' 'tictactoe extra'; do
		# shellcheck disable=SC2086 # words
		rules $arguments </dev/null
		[[ $status == 2 && ${#lines[@]} == 1 ]] || fail "\"$arguments\" gave $status: $output"
	done
}

@test "rules: so is a line that is neither a move nor can be done" {
	local line
	for line in 'model' 'model XO' 'model ......... 2' 'model ......... x' 'model ......... 0 0' \
		'@2 0 0' 'seat 2: 0 0' 'seat 0 0 0' 'tick' 'tick x' 'join' 'leave 0' 'leave 7' 'rack 0 a1'; do
		rules tictactoe <<<"$line"
		[[ $status == 2 && ${lines[-1]} == 'holmgang-rules: line 1: '* ]] ||
			fail "\"$line\" gave $status: $output"
	done
}
