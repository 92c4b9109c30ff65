# The player for tests: as a bot, and as a person at a terminal, in tmux. To be loaded after common and terminal.

teardown() {
	terminal_teardown holmgang-player
}

# --- bots --------------------------------------------------------------------------------------

bot() { # NAME ARGUMENT...
	start "$1" player 127.0.0.1 "$PORT" --bot -n "$@"
}

count_duels() { # LOG
	grep -c '^duel ' "$1" || true
}

has_duels() { # LOG COUNT
	(($(count_duels "$1") >= $2))
}

has_line() { # LOG PATTERN
	grep -qE -- "$2" "$1"
}

# A raw opponent at a table with the player; answers nothing yet.
ben_asks() { # KEY=VALUE...
	connect ben
	send ben PLAY tictactoe name=ben "$@"
	expect ben 'ID *'
}

# --- terminals ---------------------------------------------------------------------------------

# What a person sees who starts the player with these arguments.
open_player() { # WIDTH HEIGHT VARIABLES ARGUMENT...
	open_terminal "$1" "$2" "$3 '$BUILD/holmgang-player' ${*:4} 2>said"
}

see() { # TEXT [SECONDS]
	wait_until "${2:-$DEADLINE}" shows "$1" || fail "instead of \"$1\":" "$(screen)"
}

see_not() { # TEXT
	wait_until shows_not "$1" || fail "still:" "$(screen)"
}

see_lobby() {
	see ' p  Play'
}

keys() {
	in_tmux send-keys "$@"
}

player_pid() {
	program_pid holmgang-player
}

given_back_with() { # STATUS
	see "status=$1"
	wait_until is_given_back
}

# The middle of a cell, from the lines of the board: column and row, from 1.
find_cell() { # X Y
	screen | awk -v x="$1" -v y="$2" '
		/\+-+\+-+\+-+\+/ && ++lines <= 2 { row[lines] = NR; line = $0 }
		END {
			left = index(line, "+")
			width = index(substr(line, left + 1), "+")
			height = row[2] - row[1]
			print left + x * width + int(width / 2), row[1] + y * height + int(height / 2)
		}'
}

# As the terminal of tmux says it, down and up again: ESC [ M, then button, column and row, each
# with 32 added.
click() { # X Y
	local column row
	read -r column row < <(find_cell "$@")
	printf -v column %x $((32 + column))
	printf -v row %x $((32 + row))
	keys -H 1b 5b 4d 20 "$column" "$row" 1b 5b 4d 23 "$column" "$row"
}

# anna sits at the terminal as X, ben is a raw connection.
sit_down() { # [PLAYER'S ARGUMENT...]
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross "$@"
	see_lobby
	keys p
	see 'anna looks for an opponent'
	ben_asks side=nought "${KEYS[@]}"
	ben_starts
	# ben may hear of it first
	if ((BEN_FIRST)); then see 'ben to move'; else see 'Your move'; fi
}

ben_starts() {
	expect_later ben 'START *'
	BEN_FIRST=${LINE:6:1}
}

# anna's three and ben's up to three; she makes the top row.
play_row() { # HOW-ANNA-MOVES
	local x ben=('0 2' '1 2' '2 1')
	for x in 0 1 2; do
		if ((x > 0 || BEN_FIRST)); then
			see 'ben to move'
			send ben "MOVE ${ben[x - !BEN_FIRST]}"
			expect_later ben "STATE 1 ${ben[x - !BEN_FIRST]} 0"
		fi
		see 'Your move'
		"$1" "$x" 0
		expect_later ben "STATE 0 $x 0 *"
	done
}

by_key() { # X Y: the cursor begins in the middle
	if (($1 == 0)); then keys k h Enter; else keys Right Enter; fi
}

# anna sits at the terminal at a table of this game, ben is a raw connection who came second.
sit_down_at() { # GAME KEY=VALUE-OF-BEN [PLAYER'S ARGUMENT...]
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -g "$1" "${@:3}"
	see_lobby
	keys p
	see 'anna looks for an opponent'
	connect ben
	# shellcheck disable=SC2086 # keys are words
	send ben PLAY "$1" name=ben $2
	expect ben 'ID *'
	ben_starts
}

# Where a text is on the screen, clicked on: its second character.
click_text() { # TEXT
	local column row
	see "$1"
	read -r column row < <(screen | awk -v text="$1" '
		index($0, text) { print index($0, text) + 1, NR; exit }')
	printf -v column %x $((32 + column))
	printf -v row %x $((32 + row))
	keys -H 1b 5b 4d 20 "$column" "$row" 1b 5b 4d 23 "$column" "$row"
}
