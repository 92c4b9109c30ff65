# TABLES: who waits, and what is played.

load ../lib/common
load ../lib/games

ID='????????-????-4???-????-????????????'

declare -gA IDS=() TOKENS=()

# PLAY on a connection of their own; sets IDS and, of a full player, TOKENS.
wait_at() { # NAME WORDS...
	connect "$1"
	send "$1" "PLAY${2:+ ${*:2}}"
	expect "$1" 'ID *'
	IDS[$1]=${LINE:3:36}
	TOKENS[$1]=${LINE:40}
}

# Two or more who meet, the first at seat 0 where sides or coming early decide that; each has heard START.
sit() { # NAMES WORDS...
	local name
	for name in $1; do wait_at "$name" "${*:2}" "name=$name"; done
	for name in $1; do expect_later "$name" 'START *'; done
}

# Sets TABLES to what NAME is told, without its END.
ask() { # NAME
	TABLES=()
	send "$1" TABLES
	while expect "$1" '*' && [[ $LINE != END ]]; do TABLES+=("$LINE"); done
	[[ $LINE == END ]]
}

is_told() { # PATTERN...
	local i
	((${#TABLES[@]} == $#)) || fail "$# lines expected, got ${#TABLES[@]}:" "${TABLES[@]}" || return
	for ((i = 0; i < $#; i++)); do
		# shellcheck disable=SC2053 # it is a pattern
		[[ ${TABLES[i]} == ${*:i+1:1} ]] || fail "\"${*:i+1:1}\" expected, got:" "${TABLES[@]}" || return
	done
}

tells() { # NAME PATTERN...
	ask "$1" && is_told "${@:2}"
}

@test "TABLES: who waits, the longest first, with seconds and id; then what is played, the oldest first; END" {
	start_server
	connect ASKER
	tells ASKER
	wait_at anna 'hnefatafl name=anna wait=3600'
	wait_at ben 'tictactoe name=ben'
	sit 'cem dora' quantik
	sit 'emil fay' tictactoe rounds=9
	wait_at C 'quantik name=cem'
	tells ASKER "open hnefatafl anna 3[56]?? ${IDS[anna]}" "open tictactoe ben [0-9]* ${IDS[ben]}" \
		"open quantik cem [0-9]* ${IDS[C]}" "live quantik *,* 1/2 $ID -" "live tictactoe *,* 1/9 $ID -"
}

@test "TABLES: a classic player is told and told of as others are; nobody is told of themselves" {
	start_server
	wait_at C ''
	connect ASKER
	tells ASKER "open tictactoe anon [0-9]* ${IDS[C]}"
	send C TABLES
	expect_later C END
	wait_at gus 'memory name=gus'
	send C TABLES
	expect_later C "open memory gus [0-9]* ${IDS[gus]}"
	expect C END
	# they go on waiting, and meet
	wait_at D ''
	expect_later C 'START *'
	tells ASKER "open memory gus * ${IDS[gus]}" "live tictactoe anon,anon 1/1 $ID -"
}

@test "TABLES: the seconds left go down, and who has given up is not there" {
	start_server
	connect ASKER
	wait_at anna 'quantik name=anna wait=2'
	expect anna 'NO_OPPONENTS 2'
	tells ASKER 'open quantik anna [12] *'
	expect_later anna 'NO_OPPONENTS 1'
	tells ASKER 'open quantik anna [01] *' || tells ASKER
	expect_later anna NO_OPPONENTS
	tells ASKER
}

@test "TABLES: the keys that shape a table and are not this server's default, and vs=" {
	start_server
	connect ASKER
	wait_at A 'quantik name=A clock=9 strict=off rounds=3 side=white legal=on wait=99 vs=zoe'
	wait_at B 'quantik name=B clock=5 strict=on rounds=2'
	wait_at C 'qwirkle name=C seats=4 cheat=on clock=off'
	wait_at D 'memory name=D size=6'
	wait_at E 'memory name=E size=4 rounds=2'
	tells ASKER "open quantik A * ${IDS[A]} rounds=3 clock=9 strict=off vs=zoe" \
		"open quantik B * ${IDS[B]}" "open qwirkle C * ${IDS[C]} clock=off seats=4 cheat=on" \
		"open memory D * ${IDS[D]} size=6" "open memory E * ${IDS[E]} rounds=2"
}

@test "TABLES: with --no-timeout no clock is the default, whatever was said" {
	start_server --no-timeout
	connect ASKER
	wait_at A 'quantik name=A clock=9'
	tells ASKER "open quantik A * ${IDS[A]}"
}

@test "TABLES: private tables are in neither" {
	start_server
	connect ASKER
	wait_at A 'tictactoe name=A table=ours'
	tells ASKER
	wait_at B 'tictactoe name=B table=ours'
	expect_later A 'START *'
	expect_later B 'START *'
	tells ASKER
	send A LIST
	expect_later A "${IDS[B]} * B tictactoe playing"
}

@test "TABLES: at a table already-playing; back from it one may ask, and finds it no more" {
	local n
	start_server
	connect THIRD
	for ((n = 0; n < 20; n++)); do
		sit 'A B' quantik
		send A TABLES
		expect_later A 'ERROR already-playing *'
		tells THIRD "live quantik ?,? 1/2 $ID -"
		send_raw A 'RESIGN\nRESIGN\nTABLES\n'
		expect_later A 'ROUND 2 *'
		send THIRD TABLES
		expect_later B 'ROUND 2 *'
		send B TABLES
		expect THIRD END
		expect A END
		expect B END
		hang_up A
		hang_up B
	done
}

@test "TABLES: as soon as a duel says that its table is done nobody hears of it, though its process is still there" {
	start_server --debug # or only root could write to its pipe
	connect ASKER
	sit 'A B' quantik
	find_duel
	pause "$DUEL"
	tells ASKER 'live quantik *'
	echo ending >"$(up_pipe "$DUEL")"
	wait_until tells ASKER
	kill -CONT "$DUEL"
}

@test "TABLES: 200 at once, then it is too-fast; nothing may follow the word" {
	local n lines
	start_server
	connect A
	send A 'TABLES all'
	expect A 'ERROR bad-argument *'
	printf -v lines 'TABLES\n%.0s' {1..600}
	send_raw A "$lines"
	for ((n = 0; n < 199; n++)); do expect A END; done
	expect_later A 'ERROR too-fast *'
	expect_eof A
}

@test "TABLES: the port of each table; the round that is played" {
	local port
	port=$(free_port 2)
	start_server -b "$port-$((port + 1))"
	connect ASKER
	sit 'A B' quantik rounds=3
	sit 'C D' hnefatafl
	sit 'E F' tictactoe
	tells ASKER "live quantik ?,? 1/3 * $port" "live hnefatafl C,D 1/1 * $((port + 1))" \
		'live tictactoe ?,? 1/1 * -' ||
		tells ASKER "live quantik ?,? 1/3 * $port" "live hnefatafl D,C 1/1 * $((port + 1))" \
			'live tictactoe ?,? 1/1 * -'
	send A RESIGN
	expect_later A 'START * round=2/3 *'
	ask ASKER
	[[ ${TABLES[0]} == 'live quantik '*' 2/3 '* ]] || fail "${TABLES[@]}"
}

@test "TABLES: Memory's newcomers, a seat that left, and one who takes its place" {
	start_server --grace 600
	connect ASKER
	sit 'A B' memory
	tells ASKER 'live memory A,B 1/0 * -'
	wait_at C 'memory name=C'
	expect_later C 'START *'
	tells ASKER 'live memory A,B,C 1/0 * -'
	send A LOGOUT
	expect_later A 'ABORTED logout'
	tells ASKER 'live memory -,B,C 1/0 * -'
	# who comes now sits behind the others
	wait_at D 'memory name=D'
	expect_later D 'START * names=-,B,C,D'
	tells ASKER 'live memory -,B,C,D 1/0 * -'
	# away is not gone
	hang_up B
	expect_later C 'AWAY 1 600'
	find_duel
	tells ASKER 'live memory -,B,C,D 1/0 * -'
	kill_duel
	tells ASKER 'live memory -,B,C,D 1/0 * -'
	send C LOGOUT
	expect_later D 'STATE 2 leave *'
	tells ASKER 'live memory -,B,-,D 1/0 * -'
}

@test "TABLES: in a new round of Memory the seats are numbered anew" {
	start_server
	connect ASKER
	sit 'A B C' memory size=2 rounds=2
	send B LOGOUT
	expect_later B 'ABORTED logout'
	tells ASKER 'live memory A,-,C 1/2 * -'
	solve
	expect_later C 'ROUND 1 2 *'
	tells ASKER 'live memory A,-,C 2/2 * -'
	expect_later C 'START * round=2/2 names=A,C'
	tells ASKER 'live memory A,C 2/2 * -'
}

@test "TABLES: a seat of Qwirkle that has gone, and one that is out" {
	start_server
	connect ASKER
	sit 'A B C' qwirkle seats=3
	ask ASKER
	[[ ${TABLES[0]} == 'live qwirkle '?,?,?' 1/1 '* ]]
	send B LOGOUT
	expect_later A 'STATE 1 out *'
	tells ASKER 'live qwirkle A,-,C 1/1 * -'
	hang_up C
	expect_later A 'AWAY 2 *'
	tells ASKER 'live qwirkle A,-,C 1/1 * -'
}

@test "TABLES: a table whose duel was killed is still there; after a restart with its names, and its round" {
	start_server --grace 600
	connect ASKER
	sit 'A B' quantik rounds=5
	send A RESIGN
	expect_later B 'START * round=2/5 *'
	sit 'C D' memory
	wait_at E 'memory name=E'
	expect_later E 'START *'
	send C LOGOUT
	expect_later E 'STATE 0 leave *'
	tells ASKER 'live quantik ?,? 2/5 * -' 'live memory -,D,E 1/0 * -'
	ask ASKER
	local before=("${TABLES[@]}")
	kill -KILL "$SERVER_PID"
	start_server_on "$PORT" --grace 600
	connect AGAIN
	is_as_before() {
		ask AGAIN
		[[ $(printf '%s\n' "${TABLES[@]}" | sort) == $(printf '%s\n' "${before[@]}" | sort) ]]
	}
	wait_until is_as_before
	# and one may come back to them
	connect B
	send B "RESUME ${TOKENS[B]}"
	expect B 'ID *'
	expect B 'START * round=2/5 *'
}

# bats test_tags=slow
@test "TABLES: hundreds who wait and play, to one who reads slowly while they come and go: in order, nobody twice" {
	start_server
	python3 "$ROOT/tests/tools/slow_tables.py" "$PORT"
}

@test "TABLES: of the tables of a server that has died too the oldest comes first, whatever its number" {
	local name
	start_server
	for name in a b c d; do sit "$name ${name}2" quantik clock=off; done
	send a LOGOUT
	expect_later a 'ABORTED logout'
	wait_until has_unfinished 3
	sleep 1.1 # a journal has its birth to the second
	sit 'e e2' hnefatafl clock=off
	kill -KILL "$SERVER_PID"
	wait_gone "$SERVER_PID"
	start_server_on "$PORT"
	connect ASKER
	tells ASKER "live quantik *b*" "live quantik *c*" "live quantik *d*" "live hnefatafl *e*"
}
