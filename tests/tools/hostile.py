#!/usr/bin/env python3
"""Journals as no duel of ours writes them: hostile.py FOLDER SEED

Between the chapters of honest games, which are over, stands whatever a duel that has gone bad could think of.
Prints the ids of the honest ones. The same seed makes the same journals.
"""
import os
import random
import sys

import warrant

folder, seed = sys.argv[1], int(sys.argv[2])
chance = random.Random(seed)
JOURNALS, CHAPTERS = 4, 60
ends = b"1500 said 0 7 RESIGN\n1501 over\n"
shapes = ["tictactoe", "hnefatafl", "quantik", "qwirkle seats=%d", "memory size=%d"]
number = 0


def new_id():
    global number
    number += 1
    return "%08x-%04x-4000-8000-000000000000" % (number, seed % 65536)


def head(uuid, shape="tictactoe table= rounds=1 clock=off strict=off", seats=2, word="open"):
    lines = ["", "holmgang 1 2026-11-18T15:04:05Z", f"table 0 {uuid} {word} 0123456789abcdef 0 {shape}"]
    lines += [f"seat {i:08x}-0000-4000-8000-000000000001 - p{i} full on 200 10" for i in range(seats)]
    lines += ["rules 86400 30 off 100000 100000"] + [f"at {i} {i} 0 0" for i in range(seats)] + ["open", ""]
    return "\n".join(lines).encode()


def honest(uuid):
    return head(uuid) + ends


def any_shape():
    shape = chance.choice(shapes)
    return shape % chance.choice([0, 2, 4, 10, 99]) if "%" in shape else shape


def cut(chapter):
    return chapter[: chance.randrange(len(chapter))]


def words():
    place = chance.randrange(12)
    return chance.choice([
        f"said {place} {chance.choice([0, 7, 2 ** 64 - 1, 2 ** 64])} " + chance.choice(
            ["MOVE 0 0", "MOVE 1 1", "MOVE 3 0 3 1", "MOVE 0 0 a", "MOVE", "RESIGN", "LOGOUT", "LIST", "TABLES", "GAMES", "over",
             "PLAY x", "\\00", "\\0a", "\\g", "x" * 1100, "holmgang 1 2026", ""]),
        f"long {place}", f"lost {place}", "tick", f"back {place} 5 0 0", f"end {place}", "stop shutdown", "stop !",
        f"join {place} 7 0 0 {new_id()} - newcomer full on 200 10", f"entry {place} 1 a b c d e", "over", "open",
        "table 0 x", "rules 1 1 off 1 1", "dance", ""])


def lines(count):
    """A game that somebody dreams."""
    now, text = 0, []
    for _ in range(count):
        now += chance.choice([0, 0, 1, 1000, 40000, -1 if chance.random() < 0.02 else 0, 10 ** 9])
        text.append(f"{now} {words()}\n")
    return "".join(text).encode()


def restless():
    """He asks for a list, is lost and comes back at a memory table that never ends."""
    text = [f"{n} {word}\n" for n in range(20000) for word in (
        "said 1 9 LIST", "entry 1 5 a b c d e", "lost 1", f"back 1 {n + 2} 0 0")]
    return head(new_id(), "memory size=10") + "".join(text).encode()


def hostile(uuid):
    """`uuid` is that of an honest game which stands behind it."""
    return chance.choice([
        lambda: b"\n" * chance.randrange(100),
        lambda: cut(head(new_id())),
        lambda: cut(honest(new_id())),
        lambda: cut(head(uuid))[:-6] + b"\n",
        lambda: b"\nholmgang 1 ",
        lambda: b"\nholmgang 1 \n\nholmgang 1 \n",
        lambda: head(new_id()).replace(b"open\n", b"", 1) + ends,
        lambda: b"\n".join(head(new_id()).split(b"\n")[:-2]) + b"\n1 over\n",
        lambda: head(new_id()) + b"1 over\n",
        lambda: head(new_id()) + b"1501 over\n1500 over\n",
        lambda: head(new_id(), any_shape(), chance.randrange(14)) + lines(3) + ends,
        lambda: head(new_id(), any_shape()) + lines(chance.randrange(200)) + chance.choice([ends, b""]),
        lambda: head(new_id(), "memory size=10") + lines(300),
        lambda: head(new_id()) + b"\0" * chance.randrange(100000) + ends,
        lambda: head(new_id()) + b"5 said 0 9 " + b"A" * chance.randrange(3000000) + b"\n" + ends,
        lambda: head(new_id()) + b"1 said 0 9 \nholmgang 1 2026-11-18T15:04:05Z\ntable 0 x\n1 over\n",
        lambda: chance.randbytes(chance.randrange(70000)),
        lambda: head(new_id()) + chance.randbytes(chance.randrange(3000)) + b"\n1 over\n",
        lambda: head("../../../../../tmp/xxxxxxxxxxxxxxxxxxxxxx"[:36]) + ends,
        lambda: head(new_id()) + b"9" * 400 + b" over\n",
    ])()


honest_ids, journals = [], [[] for _ in range(JOURNALS)]
for journal in journals:
    for _ in range(CHAPTERS):
        uuid = new_id()
        for _ in range(chance.randrange(4)):
            text = hostile(uuid)
            # a duel's head is written before it goes bad
            journal.append(text if text.startswith(b"\nholmgang 1 ") else head(new_id()) + text)
        journal.append(honest(uuid))
        if chance.random() < 0.2:
            chance.choice(journals).append(honest(uuid))  # it stands there twice
        honest_ids.append(uuid)
journals[0].insert(0, head(new_id(), "tictactoe rounds=99 clock=9") + b"1 tick\n" * 1000000)
journals[1].insert(0, restless())
journals[2].insert(0, b"".join(head(new_id()) + b"1 dance\n2 over\n" for _ in range(2000)))
journals[3].append(cut(head(new_id())))
key = warrant.key_of(os.path.dirname(os.path.abspath(folder)))
for i, journal in enumerate(journals):
    with open(f"{folder}/{i}", "wb") as file:
        # also what is hostile has the server's warrant, or it would not be looked at any further
        file.write(warrant.warranted(b"".join(journal), key))
print("\n".join(honest_ids))
