# A terminal for tests: tmux, one of each test's own. To be loaded after common.
#
#	open_terminal WIDTH HEIGHT LINE	runs a line of shell, with something above it and its end below;
#					(a line that ends in 2>said has what it said there shown then)
#	in_tmux COMMAND...		asks the test's tmux
#	screen				prints what is seen; shows TEXT, shows_not TEXT
#	program_pid NAME		prints the pid of the program that runs there
#	is_given_back			is the terminal as it was before the line, and what was above too?
#	close_terminal [NAME]		ends the program, then tmux; a test may open one again after it
#	terminal_teardown [NAME]	this, and what common does

in_tmux() {
	tmux -S "$BATS_TEST_TMPDIR/tmux" "$@"
}

open_terminal() { # WIDTH HEIGHT LINE
	rm -f modes-after
	cat >session.sh <<-END
		ulimit -c 0
		trap : INT
		echo above
		stty -g >modes-before
		$3
		echo "status=\$?"
		[ ! -e said ] || cat said
		stty -g >modes-after
		read -r line
	END
	in_tmux -u -f /dev/null new-session -d -x "$1" -y "$2" sh session.sh 3>&-
	in_tmux set-option -g status off
}

screen() {
	in_tmux capture-pane -p
}

shows() { # TEXT
	screen | grep -qF -- "$1"
}

shows_not() { # TEXT
	! shows "$1"
}

program_pid() { # NAME
	local FOUND pid name
	quickly find_processes "^[^ZX] $(in_tmux display-message -p '#{pane_pid}') "
	for pid in "${FOUND[@]}"; do
		if { read -r name <"/proc/$pid/comm"; } 2>/dev/null && [[ $name == "$1" ]]; then
			echo "$pid"
			return
		fi
	done
	return 1
}

is_given_back() {
	[[ -s modes-after && $(in_tmux display-message -p '#{alternate_on} #{cursor_flag}') == '0 1' ]] &&
		cmp -s modes-before modes-after && shows above
}

# The program ends before its terminal: a sanitizer that looks for leaks when the hang-up comes can
# keep both for ever. And tmux is waited for: a new session that finds one on its way out is refused.
close_terminal() { # [NAME]
	local pid
	if [[ ${1-} ]] && pid=$(program_pid "$1" 2>/dev/null); then
		kill -TERM "$pid"
		wait_gone "$pid" || return
	fi
	pid=$(in_tmux display-message -p '#{pid}' 2>/dev/null) || return 0
	in_tmux kill-server 2>/dev/null || true
	wait_until has_no_family "$pid"
}

terminal_teardown() { # [NAME]
	local bad=0
	close_terminal "$@" || bad=1
	common_teardown && ((bad == 0))
}
