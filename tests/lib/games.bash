# All games of the list, for tests that play each of them: none counts them, or knows their names.
#
#	all_games			prints their names
#	game_count			how many there are
#	game_has GAME KEY		has it this key of PLAY?
#	game_has_turns GAME		or does everybody play at once?
#	player_args GAME PLAYER		sets ARGS: arguments of holmgang-player for a round that is soon over;
#					the PLAYER is one, two or three
#	solve				A, at seat 0 of a memory table of size 2, turns every pair up

all_games() {
	"$BUILD/holmgang-rules" --list
}

game_count() {
	all_games | wc -l
}

game_has() { # GAME KEY
	"$BUILD/holmgang-rules" --keys | grep -q "^$1 .* $2="
}

# Where there are turns there is a clock.
game_has_turns() { # GAME
	game_has "$1" clock
}

player_args() { # GAME PLAYER
	ARGS=()
	if game_has "$1" size; then ARGS+=(--key size=2); fi
	if game_has_turns "$1"; then return; fi
	# of two who pick at once each holds what the other needs, for long: one is slow
	if [[ $2 == two ]]; then ARGS+=(--pace 8000); else ARGS+=(--pace 20); fi
}

# By what it has seen.
solve() {
	local -A seen=()
	local cell x y card
	for cell in "0 0" "1 0" "0 1" "1 1"; do
		send A "MOVE $cell"
		expect_later A 'STATE 0 *'
		if [[ $LINE == *first* ]]; then
			read -r _ _ _ x y card _ <<<"$LINE"
			seen[$card]+="$x $y;"
		fi
		expect_later A 'STATE 0 hide *'
	done
	for card in "${!seen[@]}"; do
		IFS=';' read -r x y _ <<<"${seen[$card]}"
		send A "MOVE $x"
		expect_later A 'STATE 0 first *'
		send A "MOVE $y"
		expect_later A 'STATE 0 right *'
	done
}
