#!/usr/bin/env python3
"""A server that says whatever it is told to:  liar.py PORT NAME...

It takes as many connections as there are names, in this order. What is written to the fifo
said-by-NAME it says there; what it hears, on any of them, it appends to the file `asked`. It ends when
one of them does and there is no other name; a NUL that it is to say ends the connection instead.
"""

import os
import selectors
import socket
import sys

with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener, \
        open("asked", "ab", buffering=0) as asked, selectors.DefaultSelector() as selector:
    names = sys.argv[2:]
    selector.register(listener, selectors.EVENT_READ)

    def end(client):
        """Nobody hears what is said there from now on; the last one ends all."""
        selector.unregister(client)
        client.close()
        if not names:
            sys.exit()

    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                said = os.open("said-by-" + names.pop(0), os.O_RDWR)
                client, _ = listener.accept()
                selector.register(client, selectors.EVENT_READ, asked)
                selector.register(said, selectors.EVENT_READ, client)
            elif key.data is asked:
                heard = key.fileobj.recv(65536)
                if heard:
                    asked.write(heard)
                else:
                    end(key.fileobj)
            else:
                words = os.read(key.fileobj, 65536)
                if words == b"\0":
                    end(key.data)
                else:
                    key.data.sendall(words)
