"""A DNS over TLS server on 127.0.0.1 that misbehaves as told: PORT CERTIFICATE KEY MODE LOG.

MODE is plain, trickle (one octet a segment), reset (in the middle of the answer), close (without an
answer), once (a connection for each query), late (answers after two seconds), swap (of two queries
the later is answered first), zeros (instead of an answer), strays (answers to others instead) or
crumbs (the same, one octet a record).
LOG gets a line for each connection, for each query, and for each connection that it closes.
"""

import struct
import sys
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
            if mode == "late":
                time.sleep(2)
            if mode == "swap":
                self.send(framed(tls_stream.answer(self.query())))
            self.send(answer)
            if mode == "once":
                return


def handle(stream, context):
    Connection(stream, context, 1 if mode == "trickle" else None).serve()
    stream.close()
    note("closed")


tls_stream.serve(port, certificate, key, ["dot"], handle)
