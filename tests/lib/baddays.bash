# What tests of bad days share: two at a board of Hnefatafl, a disk that can be filled. To be loaded after common.
# shellcheck disable=SC2034 # for the tests

# FOLDER is that of a server which is not root's.
teardown() {
	local status=0
	common_teardown || status=$?
	if [[ ${FOLDER-} ]]; then rm -rf "$FOLDER"; fi
	return "$status"
}

is_empty() { # FOLDER
	[[ ! $(ls "$1") ]]
}

# Lines of the server's log, or of LOG, that match.
logged() { # PATTERN [LOG]
	grep -c "$1" "${2:-$SERVER_LOG}" || true
}

is_logged() { # PATTERN [TIMES]
	(($(logged "$1") >= ${2:-1}))
}

# Two full players, A the attacker who begins, B the defender, at a board of Hnefatafl.
seat_two() { # [KEY=VALUE...]
	ROUND=0
	connect A
	connect B
	send A "PLAY hnefatafl name=anna side=attacker${1:+ $*}"
	expect A 'ID *'
	TOKEN_A=${LINE##* }
	expect A 'NO_OPPONENTS *'
	send B "PLAY hnefatafl name=ben${1:+ $*}"
	expect B 'ID *'
	TOKEN_B=${LINE##* }
	expect_met A 'START 1 *'
	expect B 'START 0 *'
	expect A 'BOARD *'
	expect B 'BOARD *'
}

# Each moves once; it takes a while until a position comes back.
goes_on() {
	local -a a=('3 0' '3 1' '2 1' '2 0') b=('4 3' '3 3')
	move A B 0 "${a[ROUND % 4]} ${a[(ROUND + 1) % 4]}"
	move B A 1 "${b[ROUND % 2]} ${b[(ROUND + 1) % 2]}"
	ROUND=$((ROUND + 1))
}

move() { # MOVER OTHER SEAT MOVE
	send "$1" "MOVE $4"
	expect "$1" "STATE $3 $4 0"
	expect "$1" 'BOARD *'
	expect "$2" "STATE $3 $4 1"
	expect "$2" 'BOARD *'
}

# --- a folder on a disk of its own ---------------------------------------------------------------

# The state folder, for the servers from now on, is on a disk of SIZE that DISK leads to. Where none may
# be mounted, a bad day does as if.
use_disk() { # SIZE
	local enter=()
	if ! has_power disk; then
		DISK=$HOLMGANG_STATE
		use_bad_day
		return
	fi
	own_namespace --mount
	if [[ ${NAMESPACE[1]} == --map-root-user ]]; then enter=(-U --preserve-credentials); fi
	# shellcheck disable=SC2016 # for the inner shell
	launch holder "${NAMESPACE[@]}" bash -c \
		'mount -t tmpfs -o size=$1 none "$2" && echo mounted && exec sleep 1000' _ "$1" "$HOLMGANG_STATE"
	wait_until grep -q mounted "$LOG" || fail "no disk can be mounted here:" "$(<"$LOG")"
	DISK=/proc/$PID/root$HOLMGANG_STATE
	UNDER=(nsenter -t "$PID" "${enter[@]}" -m -r -w --)
}

# Does it sleep, in its cage? Then it has looked through the journals, and made its database if it had to: on a full
# disk it would give room back that it has taken for one.
is_recorder_settled() {
	local status
	status=$(<"/proc/$(recorder_pid)/status") || return
	[[ $status == *'State:'?'S '* && $status == *'Seccomp:'?2* ]]
}

fill_disk() {
	if ! has_power disk; then
		set_day "${FULL:-F}"
		return
	fi
	if [[ ${SERVER_PID-} ]]; then wait_until is_recorder_settled; fi
	cat /dev/zero >"$DISK/fill" 2>/dev/null || true
	[[ $(stat -f -c %f "$DISK") == 0 ]]
}

free_disk() {
	if has_power disk; then rm "$DISK/fill"; else set_day .; fi
}

# Says moves that are none, of 250 bytes in the journal each, until the log has this.
chatter_until_logged() { # NAME PATTERN [TIMES]
	local n text
	printf -v text '%0240d' 0
	for ((n = 0; n < 400; n++)); do
		send "$1" "MOVE $text"
		expect "$1" 'ERROR *'
		if is_logged "$2" "${3:-1}"; then return; fi
	done
	wait_until is_logged "$2" "${3:-1}"
}
