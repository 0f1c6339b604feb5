"""The code that the scripted servers over TLS share: the stream, the answer, and the loop that accepts."""

import socket
import ssl
import struct
import threading
import time


def answer(query, count=1):
    """Returns a response to `query` with `count` addresses, which begin at 192.0.2.1."""
    end = query.index(0, 12) + 5
    head = query[:2] + struct.pack("!HHHHH", 0x8180, 1, count, 0, 0)
    record = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 300, 4)
    records = (record + struct.pack("!I", 0xC0000201 + index) for index in range(count))
    return head + query[12:end] + b"".join(records)


class Stream:
    """A TLS connection over `stream`. It sends `step` bytes per segment; None sends all bytes at once."""

    def __init__(self, stream, context, step=None):
        self.stream, self.step = stream, step
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)

    def handshake(self):
        """Performs the handshake, and returns its description for the log."""
        self.drive(self.tls.do_handshake)
        resumed = "resumed" if self.tls.session_reused else "new"
        return f"connection {resumed} {self.tls.selected_alpn_protocol()}"

    def flush(self):
        octets = self.outgoing.read()
        step = self.step or len(octets) or 1
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
        part = self.drive(lambda: self.tls.read(count))
        if not part:
            raise EOFError
        return part

    def send(self, octets):
        self.drive(lambda: self.tls.write(octets))

    def flood(self, octets, in_crumbs=False):
        """Sends `octets` again and again, until ten seconds are over or the client has gone."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for start in range(0, len(octets), 1 if in_crumbs else 16384):
                self.tls.write(octets[start : start + (1 if in_crumbs else 16384)])
            self.flush()
        raise EOFError

    def reset(self):
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.stream.close()


def echo(datagrams):
    """Answers the queries that check whether the server is ready."""
    while True:
        query, peer = datagrams.recvfrom(4096)
        datagrams.sendto(query[:2] + bytes([query[2] | 0x80]) + query[3:], peer)


def serve(port, certificate, key, protocols, handle):
    """Accepts connections to 127.0.0.1, and calls `handle` for each on its own thread."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    if protocols:
        context.set_alpn_protocols(protocols)

    def run(stream):
        try:
            with stream:
                handle(stream, context)
        except (EOFError, OSError):
            pass

    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", port))
    listener = socket.create_server(("127.0.0.1", port), backlog=100)
    threading.Thread(target=echo, args=(datagrams,), daemon=True).start()
    while True:
        stream, _ = listener.accept()
        threading.Thread(target=run, args=(stream,), daemon=True).start()
