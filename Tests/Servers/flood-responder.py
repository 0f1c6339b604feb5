"""A server on 127.0.0.1 that floods its clients: PORT MODE LOG.

MODE is one of:
- datagrams: sends endless answers to other queries after a query over UDP
- zeros: truncates answers over UDP, and sends zeros on each TCP connection
- messages: truncates answers over UDP, and sends answers to other queries over TCP
- noise: sends random datagrams after a query over UDP

Every flood lasts at most ten seconds. LOG gets a line at the start of each flood.
"""

import os
import socket
import struct
import sys
import threading
import time

port, mode, log = int(sys.argv[1]), *sys.argv[2:4]
LONGEST = 10


def note(line):
    with open(log, "a") as file:
        file.write(line + "\n")


def stray(query):
    """Returns a response to `query` with another ID."""
    return bytes([query[0] ^ 0xFF]) + query[1:2] + bytes([query[2] | 0x80]) + query[3:]


def flood(send, octets):
    note("flood")
    end = time.monotonic() + LONGEST
    try:
        while time.monotonic() < end:
            for _ in range(100):
                send(octets)
    except OSError:
        pass


def serve_datagrams():
    while True:
        query, peer = datagrams.recvfrom(4096)
        if query[:2] == b"dt" and len(query) < 64:
            datagrams.sendto(query[:2] + bytes([query[2] | 0x80]) + query[3:], peer)
        elif mode in ("zeros", "messages"):
            datagrams.sendto(query[:2] + bytes([query[2] | 0x82]) + query[3:], peer)
        elif peer not in flooded:
            flooded.add(peer)
            octets = os.urandom(200) if mode == "noise" else stray(query)
            start(flood, lambda octets, peer=peer: datagrams.sendto(octets, peer), octets)


def serve_stream(stream):
    if mode == "zeros":
        return flood(stream.sendall, bytes(65536))
    size = struct.unpack("!H", stream.recv(2, socket.MSG_WAITALL))[0]
    message = stray(stream.recv(size, socket.MSG_WAITALL))
    flood(stream.sendall, (struct.pack("!H", len(message)) + message) * 1000)


def start(body, *arguments):
    threading.Thread(target=body, args=arguments, daemon=True).start()


flooded = set()
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagrams.bind(("127.0.0.1", port))
listener = socket.create_server(("127.0.0.1", port), backlog=100)
start(serve_datagrams)
while True:
    start(serve_stream, listener.accept()[0])
