#!/usr/bin/env python3
"""Plays Memory: forgets no card that anybody has turned up."""
import random
import sys
import time

cells, known, seat, may_pick = [], {}, 0, False


def pick():
    """A card that makes a pair with the one we have up, or any of a pair we know, or a new one."""
    down = [i for i, cell in enumerate(cells) if cell == "..."]
    up = [i for i, cell in enumerate(cells) if cell[2] == chr(ord("A") + seat)]
    cards = [known.get(i) for i in down]
    pairs = [i for i in down if i in known and cards.count(known[i]) == 2]
    if up:
        pairs = [i for i in down if known.get(i) == cells[up[0]][:2]]
    new = [i for i in down if i not in known]
    if may_pick and down:
        y, x = divmod(random.choice(pairs or new or down), round(len(cells) ** 0.5))
        time.sleep(0.1)
        print("MOVE", x, y, flush=True)


for line in sys.stdin:
    word, *rest = line.split()
    if word == "START":
        known, may_pick = {}, rest[0] == "1"
        seat = int(rest[2])
    elif word == "STATE":
        may_pick = rest[-1] == "1"
    elif word == "BOARD":
        cells = [rest[0][i:i + 3] for i in range(0, len(rest[0]), 3)]
        known.update({i: cell[:2] for i, cell in enumerate(cells) if cell != "..."})
        pick()
    elif word == "ERROR":
        pick()
    elif word in ("WIN", "LOSE", "UNRESOLVED", "ABORTED"):
        may_pick = False
