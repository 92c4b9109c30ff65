# Peers that vanish without a word, as when a cable is cut: found in half a minute. One test, since it
# is that half minute that it takes.
# This file mostly waits.

load common

# The server is in a network of its own, with two links that lead out of it.
# shellcheck disable=SC2016 # for the inner shell
IN_NETWORK='
	set -e
	ip link set lo up
	for i in 1 2; do
		ip link add server$i type veth peer name client$i
		ip address add 10.77.$i.1/24 dev server$i
		ip link set server$i up
	done
	exec "$@"'

start_server_in_network() {
	local as=()
	if ((EUID != 0)); then as=(-Ur); fi
	# shellcheck disable=SC2034 # for common.bash
	UNDER=(unshare "${as[@]}" -n bash -c "$IN_NETWORK" _)
	PORT=1111
	if ! try_server --listen 10.77.1.1 --listen 10.77.2.1; then
		fail 'the server did not start in a network of its own:' "$(<"$LOG")"
	fi
}

# Runs a function in the network at the other end of the links. Its connections are its own.
play_in_network() { # FUNCTION
	local as=() functions
	if ((EUID != 0)); then as=(nsenter -t "$SERVER_PID" -U --preserve-credentials); fi
	functions=$(declare -f fail now in_seconds connect send send_raw read_line expect expect_met expect_later \
		join_network link seat_two is_half_a_minute "$1")
	"${as[@]}" unshare -n bash -eEc "
		trap 'echo \"failed: \$BASH_COMMAND\" >&2' ERR
		$functions
		$(declare -p SERVER_PID PORT DEADLINE)
		declare -A CONNECTION=() PARTIAL=()
		join_network
		$1"
}

join_network() {
	local i
	ip link set lo up
	for i in 1 2; do
		nsenter -t "$SERVER_PID" -n ip link set "client$i" netns $$
		ip address add "10.77.$i.2/24" dev "client$i"
		ip link set "client$i" up
	done
}

link() { # NAME LINK, a connection over it
	connect "$1" "$PORT" "10.77.$2.1"
}

# Two who are connected: sets ID, TOKEN of the first. Full ones, the first begins, when words are said.
seat_two() { # NAME1 NAME2 [WORDS-OF-PLAY]
	send "$1" "PLAY${3:+ $3 side=attacker}"
	expect "$1" 'ID *'
	ID=$LINE TOKEN=${LINE##* }
	expect "$1" 'NO_OPPONENTS *'
	send "$2" "PLAY${3:+ $3}"
	expect "$2" 'ID *'
	expect_met "$1" 'START *'
	expect "$2" 'START *'
	if [[ ${3:-} ]]; then
		expect "$1" 'BOARD *'
		expect "$2" 'BOARD *'
	fi
}

# Not a second chance too few, and not a minute too late.
is_half_a_minute() { # BEGIN
	local took=$((($(now) - $1) / 1000000))
	((took >= 20 && took < 36)) || fail "it took $took s"
}

vanish_and_come_back() {
	local begin silent silent_token
	link SILENT 1
	link KEEPER 2
	link TOLD 1
	link TALKER 2
	link CLASSIC 1
	link OTHER 2
	link WAITING 1
	link STRANGER 2
	seat_two SILENT KEEPER 'hnefatafl name=anna'
	silent=$ID silent_token=$TOKEN
	seat_two TALKER TOLD 'hnefatafl name=ben'
	seat_two CLASSIC OTHER
	send WAITING 'PLAY quantik name=dora wait=3600'
	expect WAITING 'ID *'
	ip link set client1 down
	begin=$(now)
	# now the server has something for him that he never gets
	send TALKER 'MOVE 3 0 3 1'
	expect TALKER 'STATE 0 3 0 3 1 0'
	expect TALKER 'BOARD *'
	expect TALKER 'AWAY 1 30' 40
	is_half_a_minute "$begin"
	# of him it has heard nothing, and he of it
	expect KEEPER 'AWAY 0 30'
	is_half_a_minute "$begin"
	expect OTHER ABORTED 10
	is_half_a_minute "$begin"
	send STRANGER LIST
	while expect STRANGER '*' && [[ $LINE != END ]]; do
		# who is away from a table is there, who only waited is not
		[[ $LINE != *quantik* ]] || fail "still there: $LINE"
	done
	is_half_a_minute "$begin"
	# from another address
	link BACK 2
	send BACK "RESUME $silent_token"
	expect BACK "$silent"
	expect BACK 'START 1 *'
	expect BACK 'BOARD *'
	expect KEEPER 'BACK 0'
	send BACK 'MOVE 3 0 3 1'
	expect BACK 'STATE 0 3 0 3 1 0'
	expect KEEPER 'STATE 0 3 0 3 1 1'
}

@test "peers that vanish, silent or being told something, are found in half a minute; back from another address" {
	start_server_in_network
	play_in_network vanish_and_come_back
}
