# What a duel that has gone bad may write into the journal of its table: the recorder lives, and keeps the games
# of all others.

load ../lib/common

# The id of a game.
id_of() { # NUMBER
	printf '%08d-0000-4000-8000-000000000000' "$1"
}

print_head() { # NUMBER [DATE]
	printf '\nholmgang 1 %s\n' "${2:-2026-11-18T15:04:05Z}"
	printf 'table 0 %s open 0123456789abcdef 0 tictactoe table= rounds=1 clock=off strict=off\n' "$(id_of "$1")"
	printf 'seat 11111111-1111-4111-8111-111111111111 - anna full off 200 10\n'
	printf 'seat 22222222-2222-4222-8222-222222222222 - ben full off 200 10\n'
	printf 'rules 86400 30 off 100000 100000\nat 0 0 0 0\nat 1 1 0 0\nopen\n'
}

# A game that is over.
print_game() { # NUMBER [DATE]
	print_head "$@"
	printf '1500 said 0 7 RESIGN\n1501 over\n'
}

# One that is over too, of so many lines. What is said in it is answered ERROR.
print_long_game() { # NUMBER LINES
	print_head "$1"
	awk -v lines="$2" 'BEGIN {
		junk = sprintf("%090d", 0)
		for (n = 1; n <= lines; n++) print n * 10 " said 0 " n * 96 " MOVE " junk
		print lines * 10 " said 0 " lines * 96 + 7 " RESIGN\n" lines * 10 " over"
	}'
}

# Are these kept, each once, and no others?
has_kept_just() { # NUMBER...
	local number
	[[ $(kept | cut -d '"' -f 2 | sort) == "$(for number; do id_of "$number" && echo; done | sort)" ]]
}

make_folders() {
	mkdir -p "$HOLMGANG_STATE/journals"
	JOURNALS=$HOLMGANG_STATE/journals
}

# A server whose recorder does not read before it is told to.
start_waiting_server() {
	mkdir "$HOLMGANG_STATE/games.db"
	start_server
	wait_until grep -q 'warn games-not-kept' "$SERVER_LOG"
	RECORDER=$(recorder_pid)
}

@test "a journal that is larger than memory, with a chapter that is too: the games in it are kept" {
	local size
	make_folders
	{
		print_game 1
		print_head 2
	} | warranted >"$JOURNALS/0"
	truncate -s 200M "$JOURNALS/0" # a hole, that takes no disk
	{
		print_long_game 3 100000
		print_game 4
	} | warranted >>"$JOURNALS/0"
	start_waiting_server
	size=$(awk '/^VmSize/ { print $2 }' "/proc/$RECORDER/status")
	prlimit --pid "$RECORDER" --as=$((size * 1024 + (48 << 20)))
	rmdir "$HOLMGANG_STATE/games.db"
	wait_until has_kept_just 1 3 4
	[[ $(recorder_pid) == "$RECORDER" ]]
	# the one that is no game is told of, and its beginning is there to be looked at
	grep "error record-not-playable duel=$(id_of 2) reason=\"it is longer than any game\"" "$SERVER_LOG"
	(($(stat -c %s "$HOLMGANG_STATE/aside/$(id_of 2).unplayable") == 1 << 20))
}

# bats test_tags=slow
@test "two chapters that kill whoever reads them are set aside; the games between and behind them are kept" {
	make_folders
	{
		print_game 1
		print_game 2 2001-01-01T00:00:00Z
		print_game 3
	} | warranted >"$JOURNALS/0"
	{
		print_game 4 2001-01-01T00:00:00Z
		print_game 5
	} | warranted >"$JOURNALS/1"
	export PROGRAMS=$BUILD/shared
	# shellcheck disable=SC2034 # for start_server
	UNDER=(env "LD_PRELOAD=$BUILD/tests/deadly.so"
		"ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0")
	start_server
	wait_until has_kept_just 1 3 5
	grep "error record-not-playable duel=$(id_of 2) reason=\"recorders have died of it\"" "$SERVER_LOG"
	[[ $(grep -c 'warn recorder-died' "$SERVER_LOG") == 6 ]]
	cmp "$HOLMGANG_STATE/aside/$(id_of 4).unplayable" <(print_game 4 2001-01-01T00:00:00Z | warranted)
}

# A recorder that does something else than it should, as a broken one would: see curious.c.
use_curious() {
	export PROGRAMS=$BUILD/shared
	# shellcheck disable=SC2034 # for start_server
	UNDER=(env "LD_PRELOAD=$BUILD/tests/curious.so"
		"ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0")
}

@test "a recorder may open nothing but its own, connect to nobody, start nothing, and not take all memory" {
	local day
	if grep -qa __asan_init "$BUILD/holmgang-recorder"; then return; fi # its cage is open
	make_folders
	for day in 1 2 3 4 5 6; do print_game "$day" "2002-01-0${day}T00:00:00Z"; done | warranted >"$JOURNALS/0"
	use_curious
	start_server
	wait_until has_kept_just 1 2 6
	# reading and writing elsewhere fails by Landlock, or it is said that this kernel has none
	for day in 1 2; do
		grep -q "^tried $day: Permission denied" "$SERVER_LOG" || grep -q 'warn recorder-sees-files' "$SERVER_LOG"
	done
	# what nobody should ever try kills it, three times each
	[[ $(grep -c 'warn recorder-died' "$SERVER_LOG") == 9 ]]
	run ! grep -q '^tried [345]' "$SERVER_LOG"
	grep -q '^tried 6: Cannot allocate memory' "$SERVER_LOG"
}

@test "a chapter of a game for two that seats three is left out, and nobody dies of it" {
	make_folders
	{
		print_game 1
		print_head 2 | sed '/ ben /a seat 33333333-3333-4333-8333-333333333333 - cem full off 200 10' |
			sed '/^at 1/a at 2 2 0 0'
		printf '1500 said 0 7 RESIGN\n1501 over\n'
		print_game 3
	} | warranted >"$JOURNALS/0"
	start_server
	wait_until has_kept_just 1 3
	grep "error record-not-playable duel=$(id_of 2)" "$SERVER_LOG"
	run ! grep 'recorder-died' "$SERVER_LOG"
}

@test "a game that is over is kept, though the next chapter's head was cut short behind it" {
	local torn
	for torn in '\n' '\nho' '\nholmgang 1 ' '\nholmgang 1 2026-11-18T15'; do
		rm -rf "$HOLMGANG_STATE"/{journals,aside,games.db*}
		make_folders
		# shellcheck disable=SC2059 # it is an escape
		{ print_game 1 | warranted && printf "$torn"; } >"$JOURNALS/0"
		start_server
		wait_until has_kept_just 1
		run ! grep 'journal-set-aside\|not-playable' "$SERVER_LOG"
		kill -TERM "$SERVER_PID"
		wait_gone "$SERVER_PID"
	done
}

@test "a chapter whose times are absurd is left out" {
	make_folders
	{
		print_head 1
		printf '9223372036854775807 tick\n9223372036854775807 said 0 7 RESIGN\n9223372036854775807 over\n'
		print_game 2
	} | warranted >"$JOURNALS/0"
	start_server
	wait_until has_kept_just 2
	grep "error record-not-playable duel=$(id_of 1)" "$SERVER_LOG"
}

# Every one of those that stand in the file `honest` is kept, and nothing is kept twice.
has_kept_honest() {
	local ids
	ids=$(kept | cut -d '"' -f 2 | sort)
	[[ ! $(comm -13 <(echo "$ids") <(sort honest)) && ! $(uniq -d <<<"$ids") ]]
}

@test "journals full of what nobody has played: all honest games are kept, once each, and the recorder lives" {
	local seed=${HOSTILE_SEED:-$RANDOM}
	echo "HOSTILE_SEED=$seed"
	make_folders
	python3 "$ROOT/tests/tools/hostile.py" "$JOURNALS" "$seed" >honest
	start_server
	wait_until 60 has_kept_honest
	run ! grep 'recorder-died' "$SERVER_LOG"
	# neither the log nor the folder is full of it
	(($(wc -l <"$SERVER_LOG") < 400 && $(find "$HOLMGANG_STATE/aside" -type f | wc -l) < 200))
}
