# For run_linux: what has this terminal while it runs, a game against the computer (-t play) or the demo.
#
# Owns that terminal from here to the end, and ends what it has started: the terminal is then as it was.
# It starts servers and players by start() of run_linux, whose variables it shares.

# shellcheck disable=SC2154 # they are set there

# --- a program in this terminal ----------------------------------------------------------------

# Somebody else may take one before we do: then the next are tried.
ports_are_free() { # FIRST LAST
	local port pattern
	for ((port = $1; port <= $2; port++)); do
		printf -v pattern ':%04X ' "$port"
		if grep -qs "$pattern" /proc/net/{tcp,tcp6,udp,udp6}; then return 1; fi
	done
}

# On this machine only. Sets `port`; the broadcast ports are the ones after it. To be called while
# nobody else may start anything.
start_server_here() { # BROADCAST-PORTS [PORT-TO-TRY-FIRST]
	local tries broadcast
	port=${2-}
	for ((tries = 0; tries < 20; tries++)); do
		names=() pids=() states=()
		if ((tries || ! port)); then port=$((20000 + RANDOM % 11000)); fi
		ports_are_free "$port" $((port + $1)) || continue
		mapfile -t broadcast < <(seq $((port + 1)) $((port + $1)))
		start server "$port" -b "${broadcast[@]}" --interface lo --listen 127.0.0.1 --state "$state"
		wait_for_all
		if [[ ${states[0]} == up ]]; then return; fi
		end_what_is_not_up
		if [[ $stop ]]; then return; fi
		grep -q 'in use' "$state/${names[0]}.log" || break
	done
	if ((${#names[@]} == 0)); then complain "no $((1 + $1)) ports in a row are free"; fi
	report && false
}

# In the background of this script, and waited for: so a signal is heard at once. Its input is the
# terminal all the same. What is open here for good is not for it. When this script is killed it ends too,
# or it would draw over the shell that has the terminal then.
run_in_front() { # PROGRAM ARGUMENT...
	local status=0
	(
		trap - INT QUIT
		if [[ $playing ]]; then exec {playing}>&-; fi
		exec setpriv --pdeathsig TERM "$HERE/build/holmgang-$1" "${@:2}" {never}>&-
	) <&0 &
	front=$!
	while look_at "$front"; do
		wait "$front" || true
		if [[ $stop ]]; then return; fi
	done
	wait "$front" || status=$?
	front=''
	# Ended by a signal it may have left the terminal on its own screen, and the mouse in its hands.
	if ((status > 128)) && [[ $terminal ]]; then
		stty "$terminal" || true
		{ tput rmcup && tput rmkx && tput cnorm && tput sgr0; } || true
		printf '\e[?1000l\e[?1002l\e[?1003l\e[?1006l'
	fi
	((status == 0)) || complain "holmgang-$1 ended (status $status)"
	return "$status"
}

end_front() {
	trap '' INT TERM HUP
	if [[ $front ]] && look_at "$front"; then end_processes "$front"; fi
	if [[ $terminal ]]; then stty "$terminal" 2>/dev/null || true; fi
}

# --- you against the computer ------------------------------------------------------------------

LEVELS='random easy strong'

# The first words of -a are a game and a level; what begins with a dash, and all behind it, is for the
# player. Sets `game`, `level` and `arguments`.
read_play() {
	local games said="${arguments[*]}"
	game='' level=''
	games=$(sed -n 's/^GAME(\([a-z]*\))$/\1/p' "$HERE/proto/rules/list.h" | paste -sd ' ')
	while ((${#arguments[@]})) && [[ ${arguments[0]} != -* ]]; do
		if [[ " $games " == *" ${arguments[0]} "* && ! $game ]]; then
			game=${arguments[0]}
		elif [[ " $LEVELS " == *" ${arguments[0]} "* && ! $level ]]; then
			level=${arguments[0]}
		else
			refuse "play takes one game ($games) and one level ($LEVELS), not \"$said\""
		fi
		arguments=("${arguments[@]:1}")
	done
	game=${game:-tictactoe} level=${level:-easy}
	[[ -t 0 && -t 1 ]] ||
		refuse 'play needs a terminal to draw on and to hear you; "-t demo" shows games without one'
}

# Sets `port` to that of this folder's server; false when none runs. It tells by itself, whoever started it.
find_server() {
	local said
	said=$("$HERE/build/holmgang-server" ps --state "$state" --json 2>/dev/null) || return
	[[ $said =~ \"kind\":\"server\",\"pid\":([0-9]+),[^}]*\"state\":\"([a-z]+)\",\"port\":([0-9]+) ]] || return
	port=${BASH_REMATCH[3]}
	if [[ ${BASH_REMATCH[2]} != running ]]; then
		complain "the server of this folder, pid ${BASH_REMATCH[1]}, is ${BASH_REMATCH[2]}: try again when it has ended"
		exit 1
	fi
}

# Sets `host`: where on this machine players may come.
find_host() {
	for host in 127.0.0.1 ::1; do
		if (: <>"/dev/tcp/$host/$port") 2>/dev/null; then return; fi
	done
	complain "the server of this folder takes no players at 127.0.0.1 port $port: say where it does," \
		"build/holmgang-player ADDRESS $port -g $game --against $level"
	exit 1
}

# Whoever plays so on a server of this folder shares a lock, on a file that names the server if it was
# started for that; so the last one knows that it is to end it.
enter_server() {
	local own=''
	begin_starting
	if ! find_server && [[ ! $stop ]]; then
		start_server_here 4 1111
		if [[ ${states[0]} == up ]] && look_at "${pids[0]}"; then own="${names[0]} ${pids[0]} $started"; fi
	fi
	exec {playing}<>"$state/.playing" # only now, or a server would hold it too
	flock -s -w 10 "$playing" || { complain "somebody holds $state/.playing" && exit 1; }
	if [[ $own ]]; then echo "$own" >"$state/.playing"; fi
	end_starting
}

leave_server() {
	local name pid since last
	if [[ ! $playing ]]; then return; fi
	[[ $lock ]] || begin_starting
	exec {playing}>&- {last}<>"$state/.playing"
	if flock -n "$last" && read -r name pid since <&"$last" && look_at "$pid" && [[ $started == "$since" ]]; then
		end_processes "$pid"
		rm -f "$state/$name.pid" "$state/.$name.since"
	fi
	end_starting
}

end_play() {
	end_front
	leave_server
	rm -rf "$scratch"
}

play() {
	local host port game level
	read_play
	build_if_needed server player
	terminal=$(stty -g)
	use_state_folder "${HOLMGANG_STATE:-$HERE/run}"
	trap end_play EXIT
	trap 'stop=yes' INT TERM HUP
	enter_server
	if [[ $stop ]]; then return; fi
	find_host
	trap : INT # it is the player's, who may ask what is meant
	run_in_front player "$host" "$port" -g "$game" --against "$level" "${arguments[@]}"
}

# --- the demo ----------------------------------------------------------------------------------

# A pair for each game, and again, each at a table of its own. One of them is weaker: two strong ones
# never beat each other.
start_demo_players() { # PAIRS
	local who=(Egil Aud Njal Helga Grim Thora Geir Signy Ulf Gudrun)
	local levels=(strong easy easy random strong random) games once i
	mapfile -t games < <(sed -n 's/^GAME(\([a-z]*\))$/\1/p' "$HERE/proto/rules/list.h")
	begin_starting
	for ((i = 0; i < 2 * $1; i++)); do
		# between two rounds no end would stand to be seen
		once=(--key rounds=1)
		start player 127.0.0.1 "$port" -g "${games[i / 2 % ${#games[@]}]}" --bot "${levels[i % 6]}" --pace 800 \
			-n "${who[i % ${#who[@]}]}" --key "table=$((i / 2 + 1))" "${once[@]}"
	done
	end_starting
	wait_for_all
	[[ $stop ]] || report >/dev/null
}

# Whatever ended it: nothing stays but the terminal as it was.
end_demo() {
	end_front
	"$HERE/kill_all" --only "$state" >/dev/null || true
	rm -rf "$state" "$scratch"
	if [[ $terminal ]]; then
		cat <<-END
			to play:   ./run_linux -t play                       you against the computer
			to watch:  build/holmgang-viewer --server HOST:PORT  what is played there
			a bot:     player/engines/README.md                  yours in five minutes
		END
	fi
}

demo() {
	local pairs=${count:-5} root=${HOLMGANG_STATE:-$HERE/run} port limit=()
	((pairs <= 100)) || refuse 'the demo shows at most 100 pairs'
	build_if_needed server player viewer
	if [[ -t 0 && -t 1 ]]; then
		terminal=$(stty -g)
	elif [[ ! $seconds ]]; then
		seconds=10
	fi
	if [[ $seconds ]]; then limit=(--seconds "$seconds"); fi
	mkdir -p "$root"
	use_state_folder "$(mktemp -d "$root/demo.XXXXXX")"
	# Nothing may be started that is not yet noted: signals are only looked at in between.
	trap end_demo EXIT
	trap 'stop=yes' INT TERM HUP
	begin_starting
	start_server_here "$pairs"
	end_starting
	if [[ ! $stop ]]; then start_demo_players "$pairs"; fi
	if [[ ! $stop ]]; then run_in_front viewer "${limit[@]}" "$((port + 1))-$((port + pairs))"; fi
}
