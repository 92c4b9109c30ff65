#!/usr/bin/env python3
"""Any move, in any game that sends LEGAL."""
import random
import sys

for line in sys.stdin:
    if line.startswith("LEGAL "):
        print("MOVE", random.choice(line[6:].rstrip("\n").split(";")), flush=True)
