# The end of a table: all its players are free together, when its process has ended; nobody hears of them as
# seated who has heard the end; who has not read everything hears the rest later.

load ../lib/common

# Sets ID_A, ID_B. A moves first.
seat_two() { # WORDS-OF-PLAY
	connect A
	connect B
	send A "PLAY${1:+ $1}"
	expect A 'ID *'
	expect A 'NO_OPPONENTS *'
	send B "PLAY${1:+ $1}"
	expect B 'ID *'
	expect_met A 'START *'
	if [[ $LINE == 'START 0 '* ]]; then
		rename A C
		rename B A
		rename C B
		expect A 'START *'
	else
		expect B 'START *'
	fi
}

hears_of_nobody() { # NAME
	expect "$1" END
}

# bats test_tags=slow
@test "who has heard the end and asks LIST, a player or a third, hears of none of them" {
	local n
	start_server
	connect THIRD
	for ((n = 0; n < 30; n++)); do
		seat_two
		send A 'MOVE 0 0'
		expect B 'STATE 0 0 1'
		send B 'MOVE 0 1'
		expect A 'STATE 0 1 1'
		send A 'MOVE 1 0'
		expect B 'STATE 1 0 1'
		send B 'MOVE 1 1'
		expect A 'STATE 1 1 1'
		# with the last move, so that it is heard as early as can be
		send_raw A 'MOVE 2 0\nLIST\n'
		expect B 'LOSE 012 2 0'
		send B LIST
		send THIRD LIST
		expect A 'WIN 012'
		hears_of_nobody A
		hears_of_nobody B
		hears_of_nobody THIRD
		hang_up A
		hang_up B
	done
}

@test "a duel that has let everybody go and does not end is killed at once; they come back when it has ended" {
	local begun
	start_server --debug
	seat_two 'hnefatafl'
	find_duel
	pause "$DUEL"
	begun=$(now)
	printf '%s\n' ending 'left 0 done' 'left 1 done' 'farewell 1 0' >all
	cat all >"$(up_pipe "$DUEL")"
	send A 'PLAY quantik'
	expect_later A 'ID *'
	(($(now) - begun < 2000000)) || fail "$((($(now) - begun) / 1000)) ms"
	is_gone "$DUEL" || fail 'it has players of another table'
	send B 'PLAY quantik'
	expect_later A 'START *'
	grep -q 'warn duel-killed .*reason="does not end"' "$SERVER_LOG"
}

@test "who leaves while the other one is away is free at once; the other one comes back and has won" {
	local token
	start_server
	connect A
	send A 'PLAY hnefatafl side=attacker'
	expect A 'ID *'
	connect B
	send B 'PLAY hnefatafl'
	expect B 'ID *'
	token=${LINE##* }
	expect_later A 'START *'
	hang_up B
	expect_later A 'AWAY 1 30'
	send A LOGOUT
	expect_later A 'ABORTED logout'
	send A 'PLAY quantik'
	expect A 'ID *'
	connect B
	send B "RESUME $token"
	expect_later B 'WIN left'
	if grep -q 'crashed\|killed' "$SERVER_LOG"; then fail 'the duel did not end well'; fi
}

@test "a duel that lets a player go while its table of two goes on is ended" {
	start_server --debug
	seat_two 'hnefatafl'
	find_duel
	echo 'left 0 done' >"$(up_pipe "$DUEL")"
	expect_later A 'ABORTED crashed'
	expect_later B 'ABORTED crashed'
	grep -q 'warn duel-killed .*reason="says what it may not"' "$SERVER_LOG"
}

# DEAF takes nothing until the table has ended; then he hears all of it. SECONDS is how long his opponent had to
# wait for another table.
cat_deaf() {
	cat <<'END'
import socket, sys, time

class Player:
    def __init__(self, port, receive=None):
        self.socket = socket.socket()
        if receive:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.socket.connect(("127.0.0.1", port))
        self.lines = self.socket.makefile("r", newline="\n")

    def say(self, words):
        self.socket.sendall((words + "\n").encode())

    def hear(self, word):
        heard = []
        while True:
            line = self.lines.readline()
            if not line:
                sys.exit("closed before " + word + ": " + repr(heard[-3:]))
            heard.append(line.rstrip("\n"))
            if heard[-1].split(" ")[0:len(word.split(" "))] == word.split(" "):
                return heard

def unheard(player):
    """How many bytes of what he has said wait at the server."""
    ends = "0100007F:%04X 0100007F:%04X" % (port, player.socket.getsockname()[1])
    for line in open("/proc/net/tcp"):
        if ends in line:
            return int(line.split()[4].split(":")[1], 16)
    sys.exit("his connection is gone")

port, rounds = int(sys.argv[1]), 99
deaf, quick = Player(port, 4096), Player(port)
deaf.say("PLAY hnefatafl name=deaf rounds=%d" % rounds)
deaf.hear("ID")
quick.say("PLAY hnefatafl name=quick rounds=%d" % rounds)
quick.hear("START")
# more than his socket holds, so that nothing goes out any more, and his duel does not hear him any more
asked = 8000
deaf.say("\n".join(["GAMES"] * asked + ["LIST"] * (len(sys.argv) > 2)))
limit, before = time.monotonic() + 20, None
while before is None or unheard(deaf) != before or before == 0:
    if time.monotonic() > limit:
        sys.exit("all goes out")
    before = unheard(deaf)
    time.sleep(0.2)
for n in range(rounds):
    quick.say("RESIGN")
    quick.hear("ROUND")
begun = time.monotonic()
quick.say("PLAY quantik")
quick.hear("ID")
waited = time.monotonic() - begun
if waited > 2:
    sys.exit("the other was not free for %.1f s" % waited)
heard = deaf.hear("ROUND %d" % rounds)
won = [line for line in heard if line == "WIN resigned"]
if len(won) != rounds:
    sys.exit("%d rounds" % len(won))
# what he has said at the table and nobody has heard there is heard now
deaf.say("LOGOUT")
heard += deaf.hear("ABORTED")
ends = [line for line in heard if line == "END"]
if len(ends) != asked + (len(sys.argv) > 2):
    sys.exit("%d answers" % len(ends))
END
}

@test "one who does not read holds nobody up: his opponent is free at once, and he hears the rest later" {
	start_server --answers 10000/1000
	cat_deaf >deaf.py
	python3 deaf.py "$PORT"
}

@test "the same with a LIST that he had asked for" {
	start_server --answers 10000/1000 --trace "$PWD/trace.json"
	cat_deaf >deaf.py
	python3 deaf.py "$PORT" list
	kill -TERM "$SERVER_PID"
	exit_status "$SERVER_PID"
	grep -q '"unsent"' trace.json
	if grep -q 'crashed\|killed' "$SERVER_LOG"; then fail 'a duel did not end well'; fi
}

heard_bytes() { # COUNT FILE
	(($(stat -c %s "$2") >= $1))
}

@test "a server that stops while somebody has not read megabytes ends" {
	local lines reader
	start_server --answers 100000/100000 --unsent 10000000/60
	connect A
	connect B
	send A 'PLAY memory size=10'
	expect A 'ID *'
	send B 'PLAY memory size=10'
	expect_later B 'BOARD *'
	cat <&"${CONNECTION[B]}" >heardB 3>&- &
	reader=$!
	printf -v lines 'MOVE 0 0\nMOVE 0 0\n%.0s' {1..40000}
	printf %s "$lines" >&"${CONNECTION[B]}"
	# below the 4 MiB of journal beyond which B would be heard slowly
	wait_until heard_bytes 1000000 heardB
	kill -TERM "$SERVER_PID"
	wait_gone "$SERVER_PID"
	kill "$reader" || true
	wait "$reader" || true
}
