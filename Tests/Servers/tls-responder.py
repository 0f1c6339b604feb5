"""A DNS over TLS server on 127.0.0.1 with the fault of its mode: PORT CERTIFICATE KEY MODE LOG.

MODE is one of:
- plain: has no fault
- trickle: sends one byte per segment
- reset: resets the connection in the middle of the answer
- close: closes the connection instead of answering
- once: accepts one query per connection
- late: answers after two seconds
- swap: answers the second of two queries first
- queue: answers in order, and takes 30 ms for names with a random label
- drop: forgets a connection two seconds after each answer, without closing it
- zeros: sends zeros instead of an answer
- strays: sends answers to other queries instead
- crumbs: behaves like strays, with one byte per record
- narrow: does not answer connections with segments of more than 1,360 bytes

LOG gets a line for each connection, each query, and each connection that the server closes.
"""

import select
import socket
import struct
import sys
import threading
import time

import tls_stream

port, certificate, key, mode, log = int(sys.argv[1]), *sys.argv[2:6]


def note(line):
    with open(log, "a") as file:
        file.write(line + "\n")


def framed(message):
    return struct.pack("!H", len(message)) + message


class Connection(tls_stream.Stream):
    def exactly(self, count):
        octets = b""
        while len(octets) < count:
            octets += self.read(count - len(octets))
        return octets

    def query(self):
        query = self.exactly(struct.unpack("!H", self.exactly(2))[0])
        note(f"query {len(query)}")
        return query

    def has_input(self, within):
        if self.tls.pending() or self.incoming.pending:
            return True
        return bool(select.select([self.stream], [], [], within)[0])

    def serve(self):
        note(self.handshake())
        while True:
            query = self.query()
            if mode == "close":
                return
            answer = framed(tls_stream.answer(query))
            if mode in ("zeros", "strays", "crumbs"):
                note("flood")
                stray = framed(bytes([query[0] ^ 0xFF]) + answer[3:])
                self.flood(bytes(16384) if mode == "zeros" else stray * 200, mode == "crumbs")
            if mode == "reset":
                self.send(answer[:20])
                return self.reset()
            if mode == "queue" and b"dnstempo-" in query:
                time.sleep(0.03)
            if mode == "late":
                time.sleep(2)
            if mode == "swap":
                self.send(framed(tls_stream.answer(self.query())))
            self.send(answer)
            if mode == "once":
                return
            if mode == "drop" and not self.has_input(within=2):
                note("dropped")
                # The kernel still acknowledges segments, and nothing reads them.
                threading.Event().wait()


def is_narrow_enough(stream):
    # The system's value has no space for the 12 bytes of time stamps, but the announced value has.
    return stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG) <= 1360


def handle(stream, context):
    if mode == "narrow" and not is_narrow_enough(stream):
        note("wide")
        while stream.recv(65536):
            pass
        return
    Connection(stream, context, 1 if mode == "trickle" else None).serve()
    stream.close()
    note("closed")


tls_stream.serve(port, certificate, key, ["dot"], handle)
