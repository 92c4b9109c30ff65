# The player at a server that means ill, or is not there when it is asked.

load ../lib/common
load ../lib/terminal
load ../lib/player

DUEL=33333333-3333-4333-8333-333333333333

is_listening() { # PORT
	local hex
	printf -v hex '0100007F:%04X 00000000:0000 0A' "$1"
	grep -q "$hex" /proc/net/tcp
}

has_asked() { # LINES THAT BEGIN WITH PLAY
	(($(grep -c '^PLAY' asked) >= $1))
}

# Says on the connection of each name, in this order, what is written to SAY[NAME]. Sets PORT.
start_liar() { # NAME...
	local name say
	declare -gA SAY=()
	PORT=$(free_port)
	for name; do
		mkfifo "said-by-$name"
		exec {say}<>"said-by-$name"
		SAY[$name]=$say
	done
	: >asked
	launch liar python3 "$ROOT/tests/tools/liar.py" "$PORT" "$@"
	wait_until is_listening "$PORT"
}

begin_duel() { # NAME-OF-OPPONENT
	printf '%s\n' "ID $DUEL 0123456789abcdef0123456789abcdef" \
		"START 1 CROSS 1 duel=$DUEL seat=0 seats=2 round=1/3 names=anna,$1" 'BOARD .........' >&"${SAY[anna]}"
}

# Each order to a terminal in each place of each line.
say_evil() {
	local byte evil=(
		$'\e]0;evil\a' $'\e[31mevil' $'\e[2Jevil' $'\x9b31mevil' $'\xc2\x9b31mevil' $'\ePevil\e\\' $'\xff' $'ev\ril'
	)
	for byte in 01 07 08 09 0b 0c 0e 1b 7f 84 90 9d; do
		printf -v byte 'evil\\x%s' "$byte"
		# shellcheck disable=SC2059 # it is an escape
		evil+=("$(printf "$byte")")
	done
	for e in "${evil[@]}"; do
		printf '%s\n' "$e" "ID $e" "ID $DUEL $e" "NO_OPPONENTS $e" "RACK $e" "BOARD $e" "BOARD ....$e...." \
			"START 1 $e 1 duel=$DUEL seat=0 seats=2 round=1/3 names=anna,ben" \
			"START 1 CROSS 1 duel=$e seat=0 seats=2 round=1/3 names=anna,ben" \
			"START 1 CROSS 1 duel=$DUEL seat=0 seats=2 round=1/3 names=anna,$e" \
			"START 1 CROSS 1 duel=$DUEL seat=0 seats=2 round=1/3 names=anna,ben $e=$e" \
			"STATE 0 $e 1" "STATE 1 0 $e 1" "STATE 1 0 0 $e" "SCORE $e 1" "LEGAL $e" "LEGAL 0 0;$e" \
			"WIN $e" "LOSE $e 0 0" "UNRESOLVED $e" "ROUND $e 3 1 0" "AWAY $e 1" "AWAY 1 $e" "BACK $e" \
			"ABORTED $e" "ERROR $e text" "ERROR x $e" "ERROR illegal-move $e" "FROZEN $e" \
			"tictactoe 2 2 name=$e clock=$e" "$e 2 2 name=anon" "$DUEL 127.0.0.1:1 $e tictactoe playing"
	done >&"${SAY[anna]}"
}

@test "no byte of a hostile server gets to the terminal" {
	start_liar anna
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	in_tmux pipe-pane 'cat >raw'
	say_evil
	keys p
	wait_until has_asked 1
	begin_duel ben
	see ben
	say_evil
	begin_duel benjamin
	see benjamin
	see 'Your move'
	# the end of a duel stays in view meanwhile
	printf '%s\n' 'STATE 0 0 0 0' 'BOARD X........' 'WIN resigned' 'ROUND 3 3 1 0' >&"${SAY[anna]}"
	see 'You win'
	say_evil
	keys Enter
	wait_until has_asked 2
	begin_duel carl
	see carl
	[[ $(in_tmux display-message -p '#{pane_title}') != *evil* ]]
	# the text of an ERROR is shown, but of titles, device strings, colours and 8-bit orders nothing
	if LC_ALL=C grep -aqP '\x1b[\]PX^_]|[\x80-\xff]|\x1b\[(31m|2J)evil|evil[\x00-\x07\x0b\x0c\x0e\x7f]' raw; then
		fail "$(cat -v raw)"
	fi
	keys q
}

is_asked_who_is_here() {
	grep -q '^TABLES' asked
}

@test "no byte of a hostile server gets to the terminal in the list of who is here" {
	local e evil=($'\e]0;evil\a' $'\e[31mevil' $'\xc2\x9b31mevil' $'\xff' $'ev\ril' $'evil\x7f')
	start_liar anna
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	in_tmux pipe-pane 'cat >raw'
	echo END >&"${SAY[anna]}"
	wait_until is_asked_who_is_here
	for e in "${evil[@]}"; do
		printf '%s\n' "open $e ben 8 $DUEL" "open tictactoe $e 8 $DUEL" "open tictactoe ben $e $DUEL" \
			"open tictactoe ben 8 $e" "open tictactoe ben 8 $DUEL $e" "open tictactoe ben 8 $DUEL vs=$e" \
			"open tictactoe ben 8 $DUEL table=$e" "live $e ben,carl 1/2 $DUEL 9001" \
			"live tictactoe ben,$e 1/2 $DUEL 9001" "live tictactoe ben,carl 1/$e $DUEL 9001" \
			"live tictactoe ben,carl 1/2 $e 9001" "live tictactoe ben,carl 1/2 $DUEL $e"
	done >&"${SAY[anna]}"
	printf '%s\n' "live quantik dora,emil 1/2 $DUEL -" END >&"${SAY[anna]}"
	see 'dora - emil'
	see_not 'ben'
	if LC_ALL=C grep -aqP '\x1b[\]PX^_]|[\x80-\xff]|evil' raw; then fail "$(cat -v raw)"; fi
	keys q
}

@test "a server that does not know the list of who is here offers the rest" {
	start_liar anna
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	echo END >&"${SAY[anna]}"
	wait_until is_asked_who_is_here
	echo 'ERROR unknown-command the commands are PLAY and others' >&"${SAY[anna]}"
	see 'This server does not tell who is here.'
	keys p
	wait_until has_asked 1
	[[ $(grep -c '^TABLES' asked) == 1 ]]
	begin_duel ben
	see ben
	keys C-c
}

begin_for_two() { # SEAT SWITCH RACK
	printf '%s\n' "START $2 SEAT $1 duel=$DUEL seat=$1 seats=2 round=1/1 names=ANNA,BEN" 'BOARD 96' "RACK $3" 'SCORE 0 0'
}

# Each hears for himself, and the one who sits there not always first.
@test "several at one terminal: what led to a turn is told, whoever has heard of it first" {
	start_liar anna ben
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -g qwirkle --hotseat ANNA,BEN
	see_lobby
	keys p
	wait_until has_asked 1
	echo "ID $DUEL 0123456789abcdef0123456789abcdef" >&"${SAY[anna]}"
	wait_until has_asked 2
	echo "ID ${DUEL/3/4} 0123456789abcdef0123456789abcde0" >&"${SAY[ben]}"
	begin_for_two 0 0 'a4 c2 c5 d3 d6 f1' >&"${SAY[anna]}"
	begin_for_two 1 1 'a1 a2 a6 d2 e3 e4' >&"${SAY[ben]}"
	see 'BEN, press space'
	printf '%s\n' 'STATE 1 pass 1' 'BOARD 96' >&"${SAY[anna]}"
	see 'ANNA, press space'
	see 'BEN: pass'
	printf '%s\n' 'STATE 1 pass 0' 'BOARD 96' >&"${SAY[ben]}"
	keys Space
	see 'ANNA, your move'
}

# There is room for as many marks as one rack can have.
@test "pieces that were marked are not when others lie there" {
	local kind
	start_liar anna
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -g qwirkle
	see_lobby
	keys p
	wait_until has_asked 1
	echo "ID $DUEL 0123456789abcdef0123456789abcdef" >&"${SAY[anna]}"
	begin_for_two 0 1 'a1 a2 a3 a4 a5 a6' >&"${SAY[anna]}"
	see 'Your move'
	keys j j j j
	for kind in a b c d e; do
		echo "RACK ${kind}1 ${kind}2 ${kind}3 ${kind}4 ${kind}5 ${kind}6" >&"${SAY[anna]}"
		see "${kind}6"
		see_not 'Marked:'
		keys x l x l x l x l x l x l x
		see 'Marked:'
	done
	keys Escape q
	see 'Leave and lose?'
}

has_moves() { # COUNT
	(($(grep -c '^MOVE' asked) >= $1))
}

has_lines() { # COUNT FILE: of RESUME, with the token
	(($(grep -c '^RESUME 0123456789abcdef0123456789abcdef$' "$2") == $1))
}

@test "a seat that cannot be taken just now is asked for again" {
	start_liar anna again more
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see_lobby
	keys p
	wait_until has_asked 1
	begin_duel ben
	see 'Your move'
	printf '\0' >&"${SAY[anna]}"
	wait_until grep -q '^RESUME 0123456789abcdef0123456789abcdef$' asked
	echo 'ERROR busy the server is busy, try again later' >&"${SAY[again]}"
	wait_until has_lines 2 asked
	SAY[anna]=${SAY[more]}
	begin_duel ben
	see 'Your move'
	keys Enter
	wait_until grep -q '^MOVE' asked
}

@test "an engine that was thinking when the connection was lost says its move once" {
	start_liar anna again
	cat >slow.sh <<-'END'
		while read -r word rest; do
			[[ $word == LEGAL ]] || continue
			touch thinking
			until [[ -e go ]]; do sleep 0.1; done
			echo "MOVE ${rest%%;*}"
		done
	END
	launch engine "$BUILD/holmgang-player" 127.0.0.1 "$PORT" -n anna --engine 'exec bash slow.sh'
	wait_until grep -q '^GAMES' asked
	echo END >&"${SAY[anna]}"
	wait_until has_asked 1
	begin_duel ben
	echo 'LEGAL 0 0;1 0;2 2' >&"${SAY[anna]}"
	wait_until test -e thinking
	printf '\0' >&"${SAY[anna]}"
	wait_until grep -q '^RESUME' asked
	SAY[anna]=${SAY[again]}
	begin_duel ben
	echo 'LEGAL 0 0;1 0;2 2' >&"${SAY[anna]}"
	touch go
	wait_until has_moves 1
	printf '%s\n' 'STATE 0 0 0 0' 'BOARD X........' 'STATE 1 1 1 1' 'BOARD X...O....' 'LEGAL 2 2;1 0' >&"${SAY[anna]}"
	wait_until has_moves 2
	[[ $(grep '^MOVE' asked) == $'MOVE 0 0\nMOVE 2 2' ]] || fail "$(<asked)"
}

@test "no byte of a hostile server gets into what a bot prints" {
	start_liar anna
	launch bot "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot -n anna
	wait_until has_asked 1
	begin_duel ben
	say_evil
	begin_duel benjamin
	printf '%s\n' 'STATE 0 0 0 0' 'BOARD X........' 'WIN resigned' 'ROUND 3 3 1 0' >&"${SAY[anna]}"
	wait_until has_line "$LOG" '^duel .* opponent=benjamin$'
	wait_until has_asked 2
	say_evil
	printf 'ERROR bad-argument \e]0;evil\a\n' >&"${SAY[anna]}"
	wait_until grep -q 'refuses: bad-argument' "$LOG"
	[[ ! $(LC_ALL=C tr -d '\n -~' <"$LOG") ]] || fail "$(cat -v "$LOG")"
}

@test "a bot whose move was on its way when its table ended plays on" {
	start_liar anna
	launch bot "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot -n anna
	wait_until has_asked 1
	begin_duel ben
	wait_until grep -q '^MOVE' asked
	printf '%s\n' 'WIN left' 'ROUND 1 3 1 0' "ERROR not-registered say PLAY first" >&"${SAY[anna]}"
	wait_until has_asked 2
	begin_duel benjamin
	wait_until has_moves 2
}
