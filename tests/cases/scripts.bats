# compile_linux, run_linux (and its demo) and kill_all, in a copy of this folder: so kill_all ends
# what these tests started, and not what others are testing.

load ../lib/common
load ../lib/tree

setup_file() {
	make_tree
}

setup() {
	common_setup
	# A tmux of each test's own: one on its way out, of the test before, would refuse a new session.
	export TMUX_TMPDIR=$BATS_TEST_TMPDIR
	unset TMUX
	cd "$TREE" || return
}

teardown() {
	end_ours
	tmux kill-server 2>/dev/null || true
	rm -rf "$TREE/run"
	common_teardown
}

one_line() {
	if [[ ${#lines[@]} -ne 1 ]]; then fail "not one line: $output"; fi
}

milliseconds() { # COMMAND...; prints how long it took
	local begin
	begin=$(now)
	"$@" >&2
	echo $((($(now) - begin) / 1000))
}

# Of a processor's time, whoever else wants it meanwhile.
processor_ms() { # COMMAND...
	("$@" >&2 && times) | awk -F '[ms ]+' 'END { print int(1000 * (60 * ($1 + $3) + $2 + $4)) }'
}

# kill_all has 3 s, and what it takes to look at all processes on a machine that is busy: here it does
# that, and no more.
ms_for_kill_all() {
	echo $((3000 + 3 * $(milliseconds ./kill_all --only "$BATS_TEST_TMPDIR/nothing")))
}

start_scripts_server() {
	PORT=$(free_port 1)
	./run_linux -t server -a "$PORT --listen 127.0.0.1 $*"
}

# --- compile_linux -----------------------------------------------------------------------------

@test "compile_linux refuses what it does not know, in one line" {
	run ./compile_linux sever
	((status == 2))
	one_line
	[[ $output == *'"sever" is not known'* ]]
}

@test "compile_linux --help tells the words" {
	run ./compile_linux --help
	((status == 0))
	[[ $output == *'[server|player|viewer|web|arena|rules]'* ]]
}

@test "compile_linux builds the one that is asked for, and only that" {
	rm build/holmgang-viewer build/holmgang-player build/holmgang-rules
	run ./compile_linux viewer
	((status == 0))
	[[ -x build/holmgang-viewer && ! -e build/holmgang-player ]]
	./compile_linux
	[[ -x build/holmgang-player ]]
	run build/holmgang-player --version
	((status == 0))
	# what README has people type next
	printf '%s\n' '0 0' '1 1' '1 0' '2 2' '2 0' | build/holmgang-rules tictactoe
}

@test "compile_linux has nothing to do when all is built, and is quick about it" {
	./compile_linux
	touch "$BATS_TEST_TMPDIR/before"
	(($(processor_ms ./compile_linux) < 2000))
	[[ ! $(find build -name 'holmgang-*' -newer "$BATS_TEST_TMPDIR/before") ]]
}

# A PATH with all that is needed but tmux and bats, and with an apt-get that says what it was told.
a_machine_without_tmux_and_bats() {
	mkdir bin
	ln -sf /bin/* /usr/bin/* /usr/local/bin/* bin
	rm -f bin/{tmux,bats,apt-get,sudo,su}
}

@test "compile_linux installs what is missing, if it may, and goes on" {
	cd "$BATS_TEST_TMPDIR"
	a_machine_without_tmux_and_bats
	cat >bin/apt-get <<-'END'
		#!/bin/sh
		echo "$DEBIAN_FRONTEND: $*" >>apt-get.told
		case $* in *install*) ln -s /bin/true bin/tmux; ln -s /bin/true bin/bats ;; esac
	END
	# Whoever is not root gets there by a sudo that asks for nothing.
	printf '#!/bin/sh\nshift\nexec "$@"\n' >bin/sudo
	chmod +x bin/apt-get bin/sudo
	PATH=$PWD/bin run "$TREE/compile_linux"
	((status == 0))
	[[ $(<apt-get.told) == "noninteractive: "*update*$'\n'"noninteractive: install "* ]]
	[[ $(<apt-get.told) == *"--no-install-recommends bats tmux" ]]
}

@test "compile_linux says what is missing when installing did not help" {
	cd "$BATS_TEST_TMPDIR"
	a_machine_without_tmux_and_bats
	ln -s /bin/false bin/apt-get
	PATH=$PWD/bin run "$TREE/compile_linux"
	((status == 1))
	[[ $output == *'missing: tmux (windows'* ]]
	[[ $output == *'apt-get install -y --no-install-recommends bats tmux'* ]]
}

@test "compile_linux prints the command to type when it may not install" {
	local user=()
	cd "$BATS_TEST_TMPDIR"
	a_machine_without_tmux_and_bats
	ln -s /bin/true bin/apt-get
	if ((EUID == 0)); then
		user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
		chmod o+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/{file,test} "$BATS_FILE_TMPDIR" "$BATS_TEST_TMPDIR"
	fi
	PATH=$PWD/bin run "${user[@]}" "$TREE/compile_linux"
	((status == 1))
	[[ ${lines[-1]} == "su -c 'apt-get update && apt-get install -y --no-install-recommends bats tmux'" ]]
}

@test "compile_linux does not ask for what only tests need when one program is wanted" {
	cd "$BATS_TEST_TMPDIR"
	a_machine_without_tmux_and_bats
	PATH=$PWD/bin run "$TREE/compile_linux" player
	[[ $status == 0 && $output == 'built build/holmgang-player' ]] || fail "$output"
}

# --- run_linux ---------------------------------------------------------------------------------

@test "run_linux refuses bad command lines, in one line" {
	local bad
	for bad in '' '-t' '-t srver' '-n 2' '-t player -n 0' '-t player -n x' '-t player -n 1000000' \
		'-t server -w' '-t play -w' '-t player --seconds 3' '-t demo -a 1' '-t player what' '-t play' \
		'-t play -n 2' '-t play -a chess' '-t play -a strong'; do
		# shellcheck disable=SC2086 # words
		run ./run_linux $bad
		((status == 2)) || fail "status $status of \"$bad\": $output"
		one_line
	done
	[[ ! -e $TREE/run ]]
}

@test "run_linux returns when the server accepts; its log and pid file are in the state folder" {
	start_scripts_server
	connect anna
	send anna PLAY
	expect anna 'ID *'
	[[ -f $HOLMGANG_STATE/server-1.log ]]
	[[ $(readlink "/proc/$(pid_of server-1)/exe") == "$TREE/build/holmgang-server" ]]
}

@test "run_linux keeps the log of a server that crashed, and those of the two before it" {
	local i
	for i in 1 2 3 4 5; do
		start_scripts_server
		echo "crash $i" >>"$HOLMGANG_STATE/server-1.log"
		kill -KILL "$(pid_of server-1)"
		wait_until nothing_of_ours_runs
	done
	for i in 1 2 3; do
		grep -qx "crash $((5 - i))" "$HOLMGANG_STATE/server-1.log.$i"
	done
	[[ ! -e $HOLMGANG_STATE/server-1.log.4 ]]
}

@test "run_linux works from any folder, and without HOLMGANG_STATE logs into run/" {
	PORT=$(free_port 1)
	cd /
	unset HOLMGANG_STATE
	"$TREE/run_linux" -t server -a "$PORT --listen 127.0.0.1"
	[[ -f $TREE/run/server-1.log && -f $TREE/run/server-1.pid ]]
	[[ ! -e /run/server-1.log ]]
	connect anna
}

@test "run_linux detaches: a session of its own, nothing of the caller's open" {
	start_scripts_server | cat # ends, or the server holds the pipe
	local pid
	pid=$(pid_of server-1)
	[[ $(ps -o sid= -p "$pid" | tr -d ' ') == "$pid" ]]
	[[ $(readlink "/proc/$pid/fd/0") == /dev/null ]]
	[[ $(readlink "/proc/$pid/fd/1") == "$HOLMGANG_STATE/server-1.log" ]]
	[[ $(readlink "/proc/$pid/fd/2") == "$HOLMGANG_STATE/server-1.log" ]]
}

@test "run_linux returns when all players are registered" {
	start_scripts_server
	connect anna
	run ./run_linux -n 3 -t player -a "127.0.0.1 $PORT --pace 60000"
	((status == 0))
	send anna LIST
	expect anna '* 127.0.0.1:*'
	expect anna '* 127.0.0.1:*'
	expect anna '* 127.0.0.1:*'
	expect anna END
	[[ $output == *player-1*player-2*player-3* ]]
}

# What a player was started with.
words_of() { # player-1
	tr '\0' ' ' <"/proc/$(pid_of "$1")/cmdline"
}

@test "run_linux lets bots make a move a second where nothing is said, and nobody else" {
	local port
	port=$(free_port 1)
	start_scripts_server
	./run_linux -t player -a "127.0.0.1 $PORT --key table=1 --key wait=60"
	./run_linux -t player -a "127.0.0.1 $PORT --key table=2 --key wait=60 --pace 0"
	./run_linux -t player -a "127.0.0.1 $PORT --key table=3 --key wait=60 --games 3"
	./run_linux -t player -a "-v $port"
	[[ $(words_of player-1) == *' --pace 1000 ' ]]
	[[ $(words_of player-2) != *1000* && $(words_of player-3) != *--pace* && $(words_of player-4) != *--pace* ]]
	./run_linux -w -n 1 -t player -a "127.0.0.1 $PORT"
	./run_linux -w -n 1 -t player -a "127.0.0.1 $PORT --bot easy --key table=6 --key wait=60"
	[[ $(words_of player-5) != *--pace* && $(words_of player-6) == *' --pace 1000 ' ]]
}

@test "run_linux returns when the viewer is bound, and the player that only watches" {
	local port
	port=$(free_port 2)
	./run_linux -t viewer -a "$port"
	grep -q "$(printf ':%04X ' "$port")" /proc/net/udp
	./run_linux -n 2 -t player -a "-v $((port + 1))"
	grep -q "$(printf ':%04X ' "$((port + 1))")" /proc/net/udp
	[[ -e $HOLMGANG_STATE/player-2.pid ]]
}

@test "run_linux returns when the page is served, and kill_all ends it" {
	local board web
	board=$(free_port)
	web=$(free_port)
	run ./run_linux -t web -a "$web $board"
	((status == 0)) || fail "$output"
	[[ $output == "web-1 is up: pid $(pid_of web-1), log $HOLMGANG_STATE/web-1.log" ]]
	curl -sS --max-time 10 "http://127.0.0.1:$web/" | grep -q '<html'
	run ./kill_all
	[[ $status == 0 && $output == "ended web-1, pid "* && ! -e $HOLMGANG_STATE/web-1.pid ]]
	nothing_of_ours_runs
}

@test "run_linux passes on all lines of -a" {
	local port
	port=$(free_port 2)
	./run_linux -t viewer -a $'\n'"$port"$'\n\t'"$((port + 1)) "$'\n'
	grep -q "$(printf ':%04X ' "$port")" /proc/net/udp
	grep -q "$(printf ':%04X ' "$((port + 1))")" /proc/net/udp
}

@test "run_linux passes broadcast ports on: a viewer shows the duel of two players" {
	local port
	port=$(free_port 2)
	start_scripts_server -b "$port" "$((port + 1))"
	./run_linux -t viewer -a "$port $((port + 1))"
	./run_linux -n 2 -t player -a "127.0.0.1 $PORT --pace 20"
	wait_until grep -q Tic-tac-toe "$HOLMGANG_STATE/viewer-1.log"
}

@test "run_linux fails with the reason from the log" {
	PORT=$(free_port 1)
	run ./run_linux -t player -a "127.0.0.1 $PORT"
	((status == 1))
	[[ $output == *'player-1 did not start: '*"$PORT"*refused* ]]
	[[ ! -e $HOLMGANG_STATE/player-1.pid ]]
	nothing_of_ours_runs
}

@test "run_linux names what did start when something else did not" {
	PORT=$(free_port 1)
	run ./run_linux -n 2 -t server -a "$PORT --listen 127.0.0.1"
	((status == 1))
	[[ $output == *'server-'[12]' is up: pid '*'server-'[12]' did not start: '*'1 of 2 did not start'* ]]
	connect anna
}

@test "run_linux ends what is not ready in time" {
	mv build/holmgang-player build/aside
	printf '#!/bin/sh\necho thinking\nexec tail -f /dev/null\n' >build/holmgang-player
	chmod +x build/holmgang-player
	HOLMGANG_PATIENCE=1 run ./run_linux -t player
	mv build/aside build/holmgang-player
	((status == 1))
	[[ $output == *'player-1 was not up after 1 s and was ended: thinking'* ]]
}

@test "run_linux gives each a name of its own, also when run several times at once" {
	local port i runs=()
	port=$(free_port 1)
	for i in 1 2 3 4; do
		./run_linux -n 5 -t viewer -a "$port" >"$BATS_TEST_TMPDIR/run-$i" 3>&- &
		runs+=($!)
	done
	wait "${runs[@]}"
	[[ $(cat "$BATS_TEST_TMPDIR"/run-* | cut -d ' ' -f 1 | sort -u | wc -l) == 20 ]]
	[[ $(ours | wc -l) == 20 ]]
	[[ $(cat "$HOLMGANG_STATE"/viewer-*.pid | sort) == $(ours | sort) ]]
}

@test "run_linux removes the pid files of the dead" {
	local port
	port=$(free_port 1)
	./run_linux -n 2 -t viewer -a "$port"
	kill -KILL "$(pid_of viewer-1)" "$(pid_of viewer-2)"
	wait_until nothing_of_ours_runs
	./run_linux -t viewer -a "$port"
	[[ -e $HOLMGANG_STATE/viewer-1.pid && ! -e $HOLMGANG_STATE/viewer-2.pid ]]
}

@test "run_linux -w opens players in windows of tmux" {
	start_scripts_server
	run ./run_linux -w -n 2 -t player -a "127.0.0.1 $PORT"
	((status == 0))
	[[ $output == *'tmux attach -t holmgang'* ]]
	[[ $(tmux list-windows -t =holmgang -F '#{window_name}') == $'player-1\nplayer-2' ]]
	kill -0 "$(pid_of player-2)"
	./kill_all
	nothing_of_ours_runs
	run ! tmux has-session -t =holmgang
}

# --- kill_all ----------------------------------------------------------------------------------

@test "kill_all ends server, duels, players and viewers, says so, and may be run again" {
	local port
	port=$(free_port 1)
	start_scripts_server -b "$port"
	./run_linux -n 2 -t player -a "127.0.0.1 $PORT --pace 60000"
	./run_linux -t viewer -a "$port"
	launch by-hand "$TREE/build/holmgang-viewer" "$port"
	is_by_hand() {
		[[ $(readlink "/proc/$PID/exe") == "$TREE/build/holmgang-viewer" ]]
	}
	wait_until is_by_hand
	run ./kill_all
	((status == 0))
	nothing_of_ours_runs
	[[ $output == *"ended server-1, pid "*"ended player-1, pid "*"ended viewer-1, pid "* ]]
	[[ $output == *"pid $PID "* && $output == *duel* && $output == *spawner* ]]
	run compgen -G "$HOLMGANG_STATE/*-*.pid"
	[[ ! $output ]]
	run ./kill_all
	((status == 0))
	[[ $output == 'nothing was running' ]]
}

@test "kill_all is done in less than 3 s when all are stopped" {
	start_scripts_server
	./run_linux -n 4 -t player -a "127.0.0.1 $PORT --pace 60000"
	local limit
	limit=$(ms_for_kill_all)
	# shellcheck disable=SC2046 # they are pids
	pause $(ours)
	(($(milliseconds ./kill_all) < limit))
	nothing_of_ours_runs
}

# Sets PID to one of ours that hears no SIGTERM, and has forked another.
launch_deaf() {
	cat >"$BATS_TEST_TMPDIR/deaf.c" <<-'END'
		#include <signal.h>
		#include <stdio.h>
		#include <unistd.h>
		int main(void)
		{
			signal(SIGTERM, SIG_IGN);
			puts("deaf");
			fflush(stdout);
			if (fork() == 0)
				execlp("tail", "tail", "-f", "/dev/null", (char *)0);
			for (;;)
				pause();
		}
	END
	"${CC:-cc}" -o build/deaf "$BATS_TEST_TMPDIR/deaf.c"
	launch deaf "$TREE/build/deaf"
	wait_until grep -q deaf "$LOG"
	has_forked() {
		[[ $(family_of "$PID" | wc -l) == 2 ]]
	}
	wait_until has_forked
}

@test "kill_all forces what does not hear, and what it has forked" {
	launch_deaf
	local limit
	limit=$(ms_for_kill_all)
	run milliseconds ./kill_all
	rm build/deaf
	[[ $output == *"killed pid $PID "* ]] || fail "$output"
	((lines[-1] < limit))
	wait_gone "$PID"
	wait_until has_no_family "$PID"
}

# bats test_tags=slow
@test "kill_all takes its time from when it has looked, on a machine where that takes long" {
	launch_deaf
	mkdir "$BATS_TEST_TMPDIR/slow"
	printf '%s\n' '#!/bin/sh' 'sleep 1.6' 'exec /usr/bin/find "$@"' >"$BATS_TEST_TMPDIR/slow/find"
	chmod +x "$BATS_TEST_TMPDIR/slow/find"
	PATH=$BATS_TEST_TMPDIR/slow:$PATH run ./kill_all
	rm build/deaf
	[[ $status == 0 && $output == *"killed pid $PID "* ]] || fail "$output"
	wait_until has_no_family "$PID"
}

@test "kill_all spares a process that has the pid of one of ours" {
	local port innocent
	port=$(free_port 1)
	launch innocent tail -f /dev/null
	innocent=$PID
	./run_linux -t viewer -a "$port"
	echo "$innocent" >"$HOLMGANG_STATE/viewer-1.pid"
	echo "$innocent" >"$HOLMGANG_STATE/player-1.pid"
	echo nonsense >"$HOLMGANG_STATE/player-2.pid"
	: >"$HOLMGANG_STATE/player-3.pid"
	run ./kill_all
	((status == 0))
	[[ $output != *"pid $innocent "* ]]
	kill -0 "$innocent"
	nothing_of_ours_runs
}

@test "kill_all spares everything of a copy in another folder" {
	local port copy="$BATS_TEST_TMPDIR/another"
	port=$(free_port 1)
	unset HOLMGANG_STATE
	./run_linux -n 2 -t viewer -a "$port"
	mkdir "$copy"
	cp -a kill_all run_linux build run "$copy"
	run "$copy/kill_all"
	((status == 0))
	[[ $output == 'nothing was running' ]]
	[[ $(ours | wc -l) == 2 && -e run/viewer-1.pid ]]
}

@test "kill_all finds a process whose program has been built anew" {
	local port
	port=$(free_port 1)
	./run_linux -t viewer -a "$port"
	cp build/holmgang-viewer build/new
	mv build/new build/holmgang-viewer
	rm "$HOLMGANG_STATE"/viewer-1.pid
	[[ $(ours | wc -l) == 1 ]]
	./kill_all
	nothing_of_ours_runs
}

@test "kill_all --only ends what one folder says" {
	local port
	port=$(free_port 1)
	./run_linux -t viewer -a "$port"
	HOLMGANG_STATE=$BATS_TEST_TMPDIR/other ./run_linux -t viewer -a "$port"
	./kill_all --only "$BATS_TEST_TMPDIR/other"
	[[ $(ours) == "$(pid_of viewer-1)" ]]
	run ./kill_all --only
	((status == 2))
	one_line
	[[ $(ours) ]]
}

@test "kill_all ends nothing when it does not understand what was said" {
	local port
	port=$(free_port 1)
	./run_linux -t viewer -a "$port"
	refuses() {
		run ./kill_all "$@"
		((status == 2)) || fail "status $status of \"$*\": $output"
		one_line
		[[ $(ours) == "$(pid_of viewer-1)" ]]
	}
	refuses ''
	refuses '' --only "$HOLMGANG_STATE"
	refuses viewer-1
	refuses --only
	refuses --only ''
	refuses --only "$HOLMGANG_STATE" more
	refuses --only "$HOLMGANG_STATE" ''
	run ./kill_all --help
	[[ $status == 0 && $output == usage:* ]]
	run ./kill_all --only "$HOLMGANG_STATE"
	[[ $status == 0 && $output == *viewer-1* ]]
}

@test "kill_all --only ends a server that was started by hand, with all that is its own" {
	local state=$BATS_TEST_TMPDIR/by-hand old
	launch by-hand build/holmgang-server "$(free_port 1)" --listen 127.0.0.1 --interface lo --state "$state"
	wait_until test -S "$state/control"
	# what merely has the same number in a file of that name is not meant
	mkdir "$state-other"
	cp "$state/server.pid" "$state-other/server.pid"
	run ./kill_all --only "$state-other"
	[[ $status == 0 && $output == 'nothing was running' ]]
	old=$PID
	./kill_all --only "$state"
	wait_gone "$old"
}

# --- the demo ----------------------------------------------------------------------------------

nothing_of_the_demo_is_left() {
	nothing_of_ours_runs && ! compgen -G "$HOLMGANG_STATE/demo.*"
}

@test "the demo prints boards as text without a terminal, and leaves nothing" {
	run ./run_linux -t demo --seconds 6 </dev/null
	((status == 0))
	[[ $(grep -c '^Tic-tac-toe' <<<"$output") -ge 4 ]]
	[[ $output == *Egil*Aud* || $output == *Aud*Egil* ]]
	nothing_of_the_demo_is_left
}

@test "the demo ends at SIGTERM at once, and leaves nothing" {
	launch demo ./run_linux -t demo -n 1 --seconds 600
	wait_until grep -q '^Tic-tac-toe' "$LOG"
	kill -TERM "$PID"
	exit_status "$PID"
	((STATUS == 0))
	nothing_of_the_demo_is_left
}

@test "the demo ends when kill_all ends its parts" {
	launch demo ./run_linux -t demo -n 1 --seconds 600
	wait_until grep -q '^Tic-tac-toe' "$LOG"
	./kill_all
	wait_gone "$PID"
	wait_until nothing_of_the_demo_is_left
}

screen() {
	tmux capture-pane -p -t =demo:
}

screen_has() {
	screen | grep -q -- "$1"
}

demo_in_a_terminal() { # WIDTH HEIGHT ARGUMENT...
	rm -f before after
	tmux -u new-session -d -s demo -x "$1" -y "$2" -e "HOLMGANG_STATE=$HOLMGANG_STATE" -e PS1='ready> ' \
		bash --norc --noprofile 3>&-
	wait_until screen_has 'ready>'
	tmux send-keys -t =demo: 'stty -g >before; ./run_linux -t demo '"${*:3}"'; stty -g >after; echo "ended $?"' Enter
	wait_until screen_has Egil
}

shows_all_games() {
	local seen game
	seen=$(screen)
	for game in Tic-tac-toe Hnefatafl Quantik Qwirkle Memory; do
		[[ $seen == *"  $game"* ]] || return
	done
}

@test "the demo shows all games at once in a terminal of 80x24; its end says how to play, to watch, to write a bot" {
	demo_in_a_terminal 80 24
	wait_until shows_all_games || fail "$(screen)"
	run ! screen_has 'page 1'
	tmux send-keys -t =demo: q
	wait_until screen_has '^ended 0'
	screen_has '^to play:  *./run_linux -t play '
	screen_has '^to watch:  *build/holmgang-viewer --server '
	screen_has '^a bot:  *player/engines/README.md '
	nothing_of_the_demo_is_left
	tmux kill-session -t =demo
}

@test "the demo in a terminal ends with q, and gives the terminal back" {
	demo_in_a_terminal 100 30 -n 2
	tmux send-keys -t =demo: q
	wait_until screen_has '^ended 0'
	nothing_of_the_demo_is_left
	cmp before after
	# shellcheck disable=SC2016 # for the shell in there
	tmux send-keys -t =demo: 'echo "I see $((1 + 1))"' Enter
	wait_until screen_has '^I see 2'
	tmux kill-session -t =demo
}

@test "the demo in a terminal ends with Ctrl-C" {
	demo_in_a_terminal 100 30 -n 2
	tmux send-keys -t =demo: C-c
	wait_until test -s after
	nothing_of_the_demo_is_left
	cmp before after
	tmux kill-session -t =demo
}
