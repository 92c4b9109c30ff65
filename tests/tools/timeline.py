#!/usr/bin/env python3
"""Checks a timeline of --trace:  timeline.py FILE [end=open] [NAME=COUNT | NAME>=COUNT ...]

It must be JSON, and true: slices nest, times do not run backwards within a process, every arrow has
both its ends, every fork its exit and its reap. Where a process was killed, and only there, what it
had not written yet may be missing: an arrow to it has no end, a slice around others is not there.
With end=open the server itself was killed: then the array has no end, and so have arrows and lives.
The other words say how often a record of that name is there. Prints what it has counted.
"""

import collections
import json
import re
import sys

faults = []


def fault(text):
    faults.append(text)


def way_of(id):
    return int(id, 16) >> 28 & 15


def life_of(id):
    return int(id, 16) >> 32


def load(path, is_open):
    text = open(path, encoding="ascii").read()
    if is_open:
        text = text.rstrip().removesuffix(",") + "\n]"
    return json.loads(text)


def end_of(record):
    return record["ts"] + record.get("dur", 0)


def check_times(pid, records):
    last = 0
    for record in records:
        if end_of(record) < last - 0.0005:
            fault(f"time runs backwards in {pid}: {record}")
        last = max(last, end_of(record))


def check_nesting(pid, records):
    around = []
    slices = [record for record in records if record["ph"] == "X"]
    for record in sorted(slices, key=lambda record: (record["ts"], -record["dur"])):
        while around and around[-1] <= record["ts"] + 0.0005:
            around.pop()
        if around and end_of(record) > around[-1] + 0.0005:
            fault(f"slices overlap in {pid}: {record}")
        around.append(end_of(record))


def check_inside(record, slices):
    """An arrow begins and ends within a slice, or viewers do not draw it."""
    if not any(s["ts"] <= record["ts"] + 0.0005 and record["ts"] <= end_of(s) + 0.0005 for s in slices):
        fault(f"no slice around the arrow {record}")


def check_arrows(records, killed, server, is_open):
    sent, heard = {}, {}
    slices = collections.defaultdict(list)
    for record in records:
        if record["ph"] == "X":
            slices[record["pid"]].append(record)
        if record["ph"] in "sf":
            side = sent if record["ph"] == "s" else heard
            if record["id"] in side:
                fault(f"two arrows with one number: {record}")
            side[record["id"]] = record
    duels = {life_of(id): record["pid"] for id, record in sent.items() if way_of(id) == 4}
    for id, record in heard.items():
        if id not in sent:
            if not is_open:
                fault(f"an arrow without a beginning: {record}")
        elif sent[id]["ts"] > record["ts"] or sent[id]["name"] != record["name"]:
            fault(f"an arrow against the time, or of two messages: {sent[id]} {record}")
    for id, record in sent.items():
        # the receiver: the server; spawner, recorder or house (-1, whichever it was); the duel
        to = server if way_of(id) in (0, 4) else -1 if way_of(id) in (3, 5, 6) else duels.get(life_of(id))
        # a duel that ends just then does not read that it is to stop
        if id not in heard and not is_open and to not in killed and record["name"] != "stop":
            fault(f"an arrow without an end: {record}")
    for record in [*sent.values(), *heard.values()]:
        if record["pid"] not in killed and not is_open:
            check_inside(record, slices[record["pid"]])
    return len(heard)


def main():
    path, *words = sys.argv[1:]
    is_open = "end=open" in words
    records = load(path, is_open)
    server = records[0]["pid"]
    by_pid = collections.defaultdict(list)
    names = collections.Counter(record["name"] for record in records if record["ph"] not in "sf")
    for record in records:
        by_pid[record["pid"]].append(record)
    tracks = {r["pid"]: r["args"]["name"] for r in records if r["ph"] == "M"}
    reaped = {r["args"]["child"]: r["args"] for r in records if r["name"] == "reap"}
    exited = {r["pid"] for r in records if r["name"] == "exit"}
    forked = {r["args"]["child"] for r in records if r["name"] == "fork" }
    killed = {pid for pid, how in reaped.items() if "signal" in how}
    if any(tracks.get(pid) in ("spawner", "recorder", "house") for pid in killed):
        killed.add(-1)
    for pid, own in by_pid.items():
        # an exit on behalf of another is written at another's time
        own = [r for r in own if not (r["name"] == "exit" and pid in killed)]
        check_times(pid, own)
        check_nesting(pid, own)
        if pid not in tracks and not is_open and pid not in killed:
            fault(f"a track without a name: {pid}")
    if not is_open:
        for pid in forked:
            if pid not in reaped:
                fault(f"forked and not reaped: {pid}")
            if pid not in exited:
                fault(f"forked and no exit: {pid}")
        for pid in reaped:
            if pid not in forked and -1 not in killed:
                fault(f"reaped and not forked: {pid}")
        if server not in exited:
            fault("the server has no exit")
    arrows = check_arrows(records, killed, server, is_open)
    names["arrows"] = arrows
    names["killed"] = len(killed - {-1})
    names["processes"] = len(tracks)
    for word in words:
        match = re.fullmatch(r"(.*?)(>=|=)(\d+)", word)
        if not match:
            continue
        name, how, number = match.groups()
        if names[name] < int(number) or (how == "=" and names[name] != int(number)):
            fault(f"{word}, but there are {names[name]}")
    print(", ".join(f"{name} {count}" for name, count in sorted(names.items())))
    for text in faults[:20]:
        print(text)
    sys.exit(1 if faults else 0)


main()
