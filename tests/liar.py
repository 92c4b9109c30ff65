#!/usr/bin/env python3
"""A server that says whatever it is told to:  liar.py PORT NAME...

It takes as many connections as there are names, in this order. What is written to the fifo
said-by-NAME it says there; what it hears, on any of them, it appends to the file `asked`.
"""

import os
import selectors
import socket
import sys

with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener, \
        open("asked", "ab", buffering=0) as asked, selectors.DefaultSelector() as selector:
    names = iter(sys.argv[2:])
    selector.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                said = os.open("said-by-" + next(names), os.O_RDWR)
                client, _ = listener.accept()
                selector.register(client, selectors.EVENT_READ, asked)
                selector.register(said, selectors.EVENT_READ, client)
            elif key.data is asked:
                heard = key.fileobj.recv(65536)
                if not heard:
                    sys.exit()
                asked.write(heard)
            else:
                key.data.sendall(os.read(key.fileobj, 65536))
