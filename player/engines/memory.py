#!/usr/bin/env python3
"""Plays Memory: forgets no card that anybody has turned up."""
import os
import random
import select

cells, known, seat, may_pick = [], {}, 0, False


def has_one_up():
    return any(cell[2] == chr(ord("A") + seat) for cell in cells)


def pick():
    """The partner of the card we have up, or one of a pair that we know, or a new one."""
    down = [i for i, cell in enumerate(cells) if cell == "..."]
    up = [cell[:2] for cell in cells if cell[2] == chr(ord("A") + seat)]
    cards = [known.get(i) for i in down]
    good = [i for i in down if known.get(i) in up or (not up and i in known and cards.count(known[i]) == 2)]
    new = [i for i in down if i not in known]
    # with neither, the others have up what makes a pair: it is better to wait until it is down
    if good or new:
        y, x = divmod(random.choice(good or new), round(len(cells) ** 0.5))
        print("MOVE", x, y, flush=True)


def hear(line):
    global cells, known, seat, may_pick
    word, *rest = line.split()
    if word == "START":
        known, may_pick, seat = {}, rest[0] == "1", int(rest[2])
    elif word == "STATE":
        may_pick = rest[-1] == "1"
    elif word == "BOARD":
        cells = [rest[0][i:i + 3] for i in range(0, len(rest[0]), 3)]
        known.update({i: cell[:2] for i, cell in enumerate(cells) if cell != "..."})
    elif word in ("WIN", "LOSE", "ABORTED"):
        may_pick = False


text = b""
while True:
    # a first card after a while that nobody can guess: two who keep step take each other's partners
    pause = 0.05 if has_one_up() else random.uniform(0.1, 1)
    if select.select([0], [], [], pause if may_pick else None)[0]:
        data = os.read(0, 65536)
        if not data:
            break
        *lines, text = (text + data).split(b"\n")
        for line in lines:
            hear(line.decode())
    else:
        pick()
