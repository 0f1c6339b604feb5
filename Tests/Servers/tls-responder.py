"""A DNS over TLS server on 127.0.0.1 that misbehaves as told: PORT CERTIFICATE KEY MODE LOG.

MODE is plain, trickle (one octet a segment), reset (in the middle of the answer), close (without an
answer), once (a connection for each query) or swap (of two queries the later is answered first).
LOG gets a line for each connection and for each query.
"""

import socket
import ssl
import struct
import sys
import threading

port, certificate, key, mode, log = int(sys.argv[1]), *sys.argv[2:6]


def note(line):
    with open(log, "a") as file:
        file.write(line + "\n")


def answer(query):
    end = query.index(0, 12) + 5
    head = query[:2] + struct.pack("!HHHHH", 0x8180, 1, 1, 0, 0)
    record = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 300, 4) + bytes([192, 0, 2, 1])
    message = head + query[12:end] + record
    return struct.pack("!H", len(message)) + message


class Connection:
    def __init__(self, stream, context):
        self.stream = stream
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)

    def flush(self):
        octets = self.outgoing.read()
        step = 1 if mode == "trickle" else len(octets) or 1
        for start in range(0, len(octets), step):
            self.stream.sendall(octets[start : start + step])

    def drive(self, call):
        while True:
            try:
                result = call()
                self.flush()
                return result
            except ssl.SSLWantReadError:
                self.flush()
                octets = self.stream.recv(65536)
                if not octets:
                    raise EOFError
                self.incoming.write(octets)

    def read(self, count):
        octets = b""
        while len(octets) < count:
            part = self.drive(lambda: self.tls.read(count - len(octets)))
            if not part:
                raise EOFError
            octets += part
        return octets

    def query(self):
        query = self.read(struct.unpack("!H", self.read(2))[0])
        note(f"query {len(query)}")
        return query

    def send(self, octets):
        self.drive(lambda: self.tls.write(octets))

    def reset(self):
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.stream.close()

    def serve(self):
        self.drive(self.tls.do_handshake)
        resumed = "resumed" if self.tls.session_reused else "new"
        note(f"connection {resumed} {self.tls.selected_alpn_protocol()}")
        while True:
            query = self.query()
            if mode == "close":
                return
            if mode == "reset":
                self.send(answer(query)[:20])
                return self.reset()
            if mode == "swap":
                later = self.query()
                self.send(answer(later))
            self.send(answer(query))
            if mode == "once":
                return


def serve(stream, context):
    try:
        with stream:
            Connection(stream, context).serve()
    except (EOFError, OSError):
        pass


def ready(datagrams):
    while True:
        query, peer = datagrams.recvfrom(4096)
        datagrams.sendto(query[:2] + bytes([query[2] | 0x80]) + query[3:], peer)


datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagrams.bind(("127.0.0.1", port))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
context.set_alpn_protocols(["dot"])
listener = socket.create_server(("127.0.0.1", port), backlog=100)
threading.Thread(target=ready, args=(datagrams,), daemon=True).start()
while True:
    stream, _ = listener.accept()
    threading.Thread(target=serve, args=(stream, context), daemon=True).start()
