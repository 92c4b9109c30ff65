# All games of the list, for tests that play each of them: none counts them, or knows their names.
#
#	all_games			prints their names
#	game_count			how many there are
#	game_has GAME KEY		has it this key of PLAY?
#	game_has_turns GAME		or does everybody play at once?
#	player_args GAME PLAYER		sets ARGS: arguments of holmgang-player for a round that is soon over;
#					the PLAYER is one, two or three

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
