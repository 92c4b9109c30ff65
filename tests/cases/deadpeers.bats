# Peers that vanish without a word, as when a cable is cut: found in half a minute. One test, since it
# is that half minute that it takes.

load ../lib/common

# The cable of each is cut.
vanish() { # NAME...
	local name
	for name; do
		"$BUILD/tests/socket_trick" vanish "${CONNECTION[$name]}"
	done
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

# bats test_tags=slow
@test "peers that vanish, silent or being told something, are found in half a minute; back on another connection" {
	local name begin silent silent_token
	start_server
	for name in SILENT KEEPER TOLD TALKER CLASSIC OTHER WAITING STRANGER; do
		connect "$name"
	done
	seat_two SILENT KEEPER 'hnefatafl name=anna'
	silent=$ID silent_token=$TOKEN
	seat_two TALKER TOLD 'hnefatafl name=ben'
	seat_two CLASSIC OTHER
	send WAITING 'PLAY quantik name=dora wait=3600'
	expect WAITING 'ID *'
	vanish SILENT TOLD CLASSIC WAITING
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
	connect BACK
	send BACK "RESUME $silent_token"
	expect BACK "$silent"
	expect BACK 'START 1 *'
	expect BACK 'BOARD *'
	expect KEEPER 'BACK 0'
	send BACK 'MOVE 3 0 3 1'
	expect BACK 'STATE 0 3 0 3 1 0'
	expect KEEPER 'STATE 0 3 0 3 1 1'
}
