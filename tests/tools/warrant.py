#!/usr/bin/env python3
"""Gives chapters the server's warrant (server/shared/warrant.h): whoever has the state folder may.

usage: warrant.py STATE <JOURNAL >WARRANTED
       warrant.py STATE JOURNAL...              in place

Every head with a table and seats gets the line that proves it, whatever it had. The key is made when there is none.
"""

import hmac
import os
import re
import sys

HEAD = re.compile(rb"(?<=\n)(table [^\n]*\n(?:seat [^\n]*\n)+)(?:warrant [^\n]*\n)?")


def key_of(state):
    path = os.path.join(state, "key")
    if not os.path.exists(path):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(32))
    with open(path, "rb") as file:
        return file.read()


def warranted(journal, key):
    def with_line(match):
        return match[1] + b"warrant " + hmac.new(key, match[1], "sha256").hexdigest()[:32].encode() + b"\n"

    return HEAD.sub(with_line, journal)


if __name__ == "__main__":
    own = key_of(sys.argv[1])
    for name in sys.argv[2:]:
        with open(name, "rb+") as file:
            journal = warranted(file.read(), own)
            file.seek(0)
            file.truncate()
            file.write(journal)
    if len(sys.argv) == 2:
        sys.stdout.buffer.write(warranted(sys.stdin.buffer.read(), own))
