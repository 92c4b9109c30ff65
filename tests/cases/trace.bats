# --trace, the static probes, and the experiments: --spawn, --crash-duel.

load ../lib/common
load ../lib/games

# The timeline FILE, checked by timeline.py, which is told the other words; says what it has counted.
check() { # FILE WORD...
	run python3 "$ROOT/tests/tools/timeline.py" "$@"
	echo "$output"
	[[ $status == 0 ]]
}

stop_server() {
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
}

# Two full players, A who begins and B: TOKEN_A, TOKEN_B.
seat_two() { # GAME KEY=VALUE...
	local name
	for name in A B; do
		connect "$name"
		send "$name" "PLAY $1 name=$name${2:+ ${*:2}}"
		expect "$name" 'ID *'
		eval "TOKEN_$name=\${LINE##* }"
		[[ $name == B ]] || expect A 'NO_OPPONENTS *'
	done
	expect_met A 'START *'
	if [[ $LINE != 'START 1'* ]]; then
		rename A other
		rename B A
		rename other B
		local token=$TOKEN_A
		TOKEN_A=$TOKEN_B TOKEN_B=$token
	fi
}

# Every record that has been made so far is in the file.
has_record() { # FILE WORDS
	grep -q "$2" "$1"
}

# One table of each game, played by two programs; those that end soon are played to the end. Hnefatafl may take
# 400 moves, and who plays at once is never done.
play_all_games() {
	local game name pids=()
	for game in $(all_games); do
		for name in one two; do
			launch "$game-$name" "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot random -g "$game" -n "$name" \
				--games 1 --pace 0 --key wait=60
			if [[ $game == hnefatafl ]] || ! game_has_turns "$game"; then continue; fi
			pids+=("$PID")
		done
	done
	for PID in "${pids[@]}"; do exit_status "$PID" 60; done
}

# A loses his connection, comes back to his seat, and B gives up.
come_back_and_win() {
	hang_up A
	expect_later B 'AWAY *'
	connect A
	send A "RESUME $TOKEN_A"
	expect_later B 'BACK *'
	send B RESIGN
	expect_later A 'WIN resigned'
	wait_until has_duels 0
}

@test "a timeline's times: each second of a clock, from its first" {
	"$BUILD/tests/trace_test" times.json
	[[ $(python3 -c 'import json; print(*[r["ts"] for r in json.load(open("times.json")) if r["name"] == "move"])') == \
		'0.0 0.005 999999.999 1000000.0 1000000.001 1999999.999 0.005' ]]
}

@test "a timeline's records: what a broken duel may have left is JSON, and on its own track" {
	run -0 "$BUILD/tests/trace_test" strange
	[[ $(grep . <<<"$output") == '{"pid":10,"tid":10,"ts":1.000,"ph":"i","s":"t","name":"exit","args":{"status":0}},
{"pid":20,"tid":20,"ts":3.000,"ph":"s","name":"ok","cat":"pipe","id":"0xabc"},
{"pid":20,"tid":20,"ts":7.000,"ph":"i","s":"t","name":"exit","args":{"status":4294967295}},
{"pid":20,"tid":20,"ts":8.000,"ph":"M","name":"process_name","args":{"name":"a?b?c?d?"}},
{"pid":20,"tid":20,"ts":9223372036854775.807,"ph":"X","name":"move","dur":9223372036854775.807},
{"pid":10,"tid":10,"ts":10.000,"ph":"i","s":"t","name":"SIGINT","args":{"from":1}},' ]]
}

@test "--trace: all games; every fork has its end, every message its arrow" {
	local port games
	games=$(game_count)
	port=$(free_port "$games")
	start_server --trace trace.json -b "$port-$((port + games - 1))"
	play_all_games
	stop_server
	check trace.json fork=$((games + 3)) reap=$((games + 3)) exit=$((games + 4)) birth="$games" match="$games" killed=0 \
		'arrows>=25' 'accept>=1' 'journal>=50' 'move>=20' 'broadcast>=20' sandbox=$((games + 1)) 'SIGCHLD>=1' SIGTERM=1 'live duels>=1' 'waiting players>=1' \
		'descriptors>=1' replay=0
	python3 -c 'import json; json.load(open("trace.json"))'
	grep -q '"process_name","args":{"name":"duel [0-9]* hnefatafl: one, two"}' trace.json ||
		grep -q '"process_name","args":{"name":"duel [0-9]* hnefatafl: two, one"}' trace.json
}

@test "--trace: duels that are killed and born again, RESUME, a newcomer, a LIST" {
	start_server --trace trace.json
	seat_two tictactoe
	find_duel
	kill_duel
	send A 'MOVE 0 0'
	expect_later B 'STATE ? 0 0 1'
	kill_duel
	send A LIST
	expect_later A END
	come_back_and_win
	hang_up A
	hang_up B
	seat_two memory
	connect C
	send C 'PLAY memory name=C'
	expect_later C 'BOARD *'
	find_duel
	kill_duel
	send C 'MOVE 0 0'
	expect_later C 'STATE ? first 0 0 *'
	stop_server
	# all that a killed duel has done is there, though it has never written it
	check trace.json fork=8 reap=8 exit=9 killed=3 birth=5 processes=9 'replay>=1' 'pass a socket=2' 'take a socket=2' 'tell duel>=2'
}

@test "--trace: the spawner is killed, and what it had asked and not heard is no riddle" {
	start_server --trace trace.json
	seat_two tictactoe
	find_duel
	local old
	old=$(spawner_pid)
	kill -KILL "$old"
	wait_until is_only_child spawner "$old"
	hang_up A
	hang_up B
	seat_two quantik
	stop_server
	check trace.json match=2 killed=1 'reap>=5' 'exit>=6'
}

@test "--trace: the server is killed; what is in the file loads, and is true" {
	start_server --trace trace.json
	seat_two tictactoe
	find_duel
	kill_duel
	send A 'MOVE 0 0'
	expect_later B 'STATE ? 0 0 1'
	wait_until has_record trace.json '"replay"'
	wait_until has_record trace.json '"name":"match"'
	local pid=$SERVER_PID
	kill -KILL "$pid"
	wait_until has_no_family "$pid"
	check trace.json end=open match=1 'fork>=2' replay=1
	run -0 "$BUILD/holmgang-server" --trace-mend trace.json
	python3 -c 'import json, sys; sys.exit(len(json.load(sys.stdin)) < 20)' <<<"$output"
	# another one makes the file anew
	start_server --trace trace.json
	seat_two tictactoe
	stop_server
	check trace.json match=1 fork=5 reap=5 replay=1
}

@test "--trace: a table whose number is too high for a page that the server shares" {
	start_server
	seat_two tictactoe
	kill -KILL "$SERVER_PID"
	wait_gone "$SERVER_PID"
	wait_until has_duels 0
	mv "$HOLMGANG_STATE/journals/0" "$HOLMGANG_STATE/journals/5000"
	start_server --trace trace.json
	connect A
	send A "RESUME $TOKEN_A"
	expect_later A 'BOARD *'
	send A RESIGN
	expect_later A 'LOSE resigned'
	stop_server
	check trace.json fork=4 reap=4 exit=5 killed=0 birth=1 replay=1 'take a socket=1' processes=5
}

@test "--trace-mend: what was cut short is left out, all else stays" {
	printf '%s\n' '[' '' '{"name":"a"},' '{"name":"b"},' '{"na' '{"name":"c"},' '{"name":"d"' >torn.json
	run -0 "$BUILD/holmgang-server" --trace-mend torn.json
	[[ $output == $'[\n{"name":"a"},\n{"name":"b"},\n{"name":"c"}\n]' ]]
	printf '[\n' >empty.json
	run -0 "$BUILD/holmgang-server" --trace-mend empty.json
	[[ $output == $'[\n]' ]]
	run -1 "$BUILD/holmgang-server" --trace-mend none.json
	[[ $output == *'cannot read the trace none.json'* ]]
}

@test "--trace: a file that cannot be made is said; one that cannot grow ends no game" {
	run -1 "$BUILD/holmgang-server" --interface lo --state refused --trace /nowhere/trace.json "$(free_port)"
	[[ $output == *'cannot write the trace /nowhere/trace.json'*'--trace'* ]]
	# shellcheck disable=SC2034 # for start_server
	UNDER=(prlimit --fsize=4096)
	start_server --trace trace.json
	seat_two tictactoe
	send A RESIGN
	expect_later B 'WIN resigned'
	stop_server
	[[ $(stat -c %s trace.json) == 4096 ]]
	run -0 "$BUILD/holmgang-server" --trace-mend trace.json
	python3 -c 'import json, sys; sys.exit(len(json.load(sys.stdin)) < 5)' <<<"$output"
}

@test "--trace --no-fork: the spawner becomes the duel" {
	start_server --trace trace.json --no-fork
	seat_two tictactoe
	send A 'MOVE 0 0'
	expect_later B 'STATE ? 0 0 1'
	send A RESIGN
	expect_later B 'WIN resigned'
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	check trace.json fork=3 reap=3 exit=4 move=1 processes=4 spawn=1 'arrows>=3'
}

@test "--spawn direct: the server starts duels itself; they are as caged, and as easily born again" {
	start_server --debug --spawn direct --trace trace.json # --debug: or only root could look into /proc
	[[ ! $(children spawner) ]]
	seat_two tictactoe
	find_duel
	[[ $(ps -o ppid= "$DUEL") -eq $SERVER_PID ]]
	# three standard ones, two pipes, a datagram socket, a journal, two players, the trace
	[[ $(find "/proc/$DUEL/fd" -type l | wc -l) == 10 ]]
	if ! nm "$BUILD/holmgang-server" | grep -q __asan_init; then
		grep -q '^Seccomp:[[:space:]]*2$' "/proc/$DUEL/status"
		grep -q '^Max open files  *105 ' "/proc/$DUEL/limits"
	fi
	kill_duel
	send A 'MOVE 0 0'
	expect_later B 'STATE ? 0 0 1'
	come_back_and_win
	stop_server
	check trace.json fork=4 reap=4 killed=1 replay=1 processes=5 spawn=2
}

@test "--spawn spawner is the default; --spawn and --crash-duel are not for --no-fork" {
	start_server --spawn spawner
	[[ $(spawner_pid) ]]
	local word
	for word in '--spawn maybe' '--spawn direct --no-fork' '--crash-duel 1 --no-fork' '--crash-duel 0'; do
		# shellcheck disable=SC2086 # words
		run -2 "$BUILD/holmgang-server" --state refused $word
		[[ ${#lines[@]} == 1 ]]
	done
}

@test "--crash-duel 2: the second duel crashes after its second move, comes back, and nobody notices" {
	start_server --crash-duel 2 --trace trace.json
	local table player
	for table in first second; do
		seat_two tictactoe
		expect_later A 'BOARD .........'
		expect_later B 'BOARD .........'
		send A 'MOVE 0 0'
		for player in A B; do
			expect "$player" 'STATE ? 0 0 *'
			expect "$player" 'BOARD [XO]........'
		done
		send B 'MOVE 1 1'
		for player in A B; do
			expect "$player" 'STATE ? 1 1 *'
			expect "$player" 'BOARD [XO]...[XO]....'
		done
		send A 'MOVE 0 1'
		expect B 'STATE ? 0 1 *'
		rename A "$table-A"
		rename B "$table-B"
	done
	wait_until grep -q 'duel-reborn' "$SERVER_LOG"
	[[ $(grep -c 'crashes-as-told' "$SERVER_LOG") == 1 ]]
	[[ $(grep -c 'duel-crashed .*reason="it gave up,' "$SERVER_LOG") == 1 ]]
	stop_server
	check trace.json fork=6 reap=6 killed=1 replay=1
}

@test "the static probes are in the program, where their header was there" {
	if ! echo '#include <sys/sdt.h>' | cc -E - >/dev/null 2>&1; then
		echo 'no sys/sdt.h: systemtap-sdt-dev is not installed'
		return 0
	fi
	local probe notes
	notes=$(readelf -n "$BUILD"/holmgang-{server,duels} | grep -A 1 'Provider: holmgang')
	for probe in fork match pipe_send pipe_receive move end reap; do
		grep -q "Name: $probe\$" <<<"$notes"
	done
}
