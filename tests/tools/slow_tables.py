#!/usr/bin/env python3
"""One who asks a server for TABLES again and again and reads none of it, while hundreds wait and play, come and go;
then the answers are read. In each: all who were there all the time, in the order in which they came, nobody twice.

    slow_tables.py PORT
"""
import socket
import sys

WAITING, TABLES = 300, 40
ASKED = 190  # more than all buffers hold, and not too fast


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
        for line in self.lines:
            if line.split(" ")[0].strip() == word:
                return line.strip()
        sys.exit("closed before " + word)

    def wait(self, name):
        self.say(f"PLAY quantik name={name} wait=3600 vs=nobody")
        self.hear("ID")
        return self


def sit(port, name):
    pair = [Player(port), Player(port)]
    for player in pair:
        player.say(f"PLAY tictactoe name={name} vs={name} clock=off")
        player.hear("ID")
    for player in pair:
        player.hear("START")
    return pair


def read_answer(asker):
    waiting, live = [], []
    for line in asker.lines:
        words = line.split()
        if words[0] == "END":
            return waiting, live
        (waiting if words[0] == "open" else live).append(words[2])
        if words[0] == "open" and live:
            sys.exit("one who waits behind what is played")
    sys.exit("closed before END")


def check(names, stay):
    if len(set(names)) != len(names):
        sys.exit("twice: " + " ".join(names))
    if names != sorted(names):
        sys.exit("not in order: " + " ".join(names))
    missing = [name for name in stay if name not in names]
    if missing:
        sys.exit("missing: " + " ".join(missing))


port = int(sys.argv[1])
waiting = [Player(port).wait(f"w{n:04}") for n in range(WAITING)]
tables = [sit(port, f"t{n:04}") for n in range(TABLES)]
asker = Player(port, 4096)
asker.say("\n".join(["TABLES"] * ASKED))
first = asker.hear("open").split()[2]

# every third goes; some of them come again, behind all others
for player in waiting[::3]:
    player.say("LOGOUT")
    player.hear("ABORTED")
for n, player in enumerate(waiting[::6]):
    player.wait(f"x{n:04}")
for pair in tables[::3]:
    pair[0].say("LOGOUT")
    pair[0].hear("ABORTED")
    pair[1].hear("ROUND")
more = [sit(port, f"u{n:04}") for n in range(TABLES // 2)]

pieces = set()
for n in range(ASKED):
    names, live = read_answer(asker)
    if n == 0:
        names.insert(0, first)
    check(names, [f"w{n:04}" for n in range(WAITING) if n % 3])
    live_names = [name.split(",")[0] for name in live]
    check(live_names, [f"t{n:04}" for n in range(TABLES) if n % 3])
    pieces.add((len(names), len(live)))
if len(pieces) == 1:
    sys.exit("it has been told everything at once")
