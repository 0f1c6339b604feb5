"""A malicious central store (PostgreSQL) or remote-write receiver on 127.0.0.1: PORT LOG MODE.

LOG gets a line for each connection when the attack of MODE begins. HostileServer.swift lists the modes.
"""

import select
import socket
import struct
import sys
import threading

port, log, mode = int(sys.argv[1]), sys.argv[2], sys.argv[3]


def message(kind, body=b""):
    return kind + struct.pack(">I", len(body) + 4) + body


def columns(count):
    fields = b"".join(b"c\0" + struct.pack(">IHIhih", 0, 0, 20, 8, -1, 1) for _ in range(count))
    return message(b"T", struct.pack(">H", count) + fields)


def row(*values):
    octets = [struct.pack(">i", -1) if v is None else struct.pack(">i", len(v)) + v for v in values]
    return message(b"D", struct.pack(">H", len(values)) + b"".join(octets))


def number(value):
    return struct.pack(">q", value)


READY = message(b"Z", b"I")
WELCOME = message(b"R", struct.pack(">I", 0)) + message(b"S", b"server_version\x0015.0\0") + READY
BEGUN = message(b"1") + message(b"2")
PARAMETER = b"".join(message(b"S", b"p%d\0" % n + b"x" * 1000 + b"\0") for n in range(100))
NOTICE = message(b"N", b"SWARNING\0C01000\0M\x1b]0;owned\x07mischief\0\0")
NOTIFICATION = message(b"A", struct.pack(">I", 1) + b"channel\0" + b"x" * 1000 + b"\0")


class Connection:
    def __init__(self, client):
        self.client = client

    def read(self, count):
        octets = b""
        while len(octets) < count:
            part = self.client.recv(count - len(octets))
            if not part:
                raise EOFError
            octets += part
        return octets

    def greeted(self):
        """Reads the start of a connection, and rejects encryption."""
        body = self.read(struct.unpack(">I", self.read(4))[0] - 4)
        if body[:4] == struct.pack(">I", 80877103):
            self.client.sendall(b"N")
            self.greeted()

    def statement(self):
        """Reads messages up to a Sync, and returns the text of the statement."""
        text = ""
        while True:
            kind = self.read(1)
            body = self.read(struct.unpack(">I", self.read(4))[0] - 4)
            if kind == b"P":
                text = body.split(b"\0")[1].decode()
            if kind == b"X":
                raise EOFError
            if kind == b"S":
                return text

    def send(self, octets):
        self.client.sendall(octets)

    def answer(self, *values):
        self.send(BEGUN + columns(len(values)) + row(*values) + message(b"C", b"SELECT 1\0") + READY)

    def harm(self, octets=b""):
        with open(log, "a") as file:
            file.write(mode + "\n")
        self.send(octets)

    def stay(self):
        """Waits until the client closes the connection."""
        while self.client.recv(65536):
            pass

    def drip(self, octet):
        """Sends `octet` at least every 0.1 s until the client closes the connection."""
        while True:
            if select.select([self.client], [], [], 0.1)[0] and not self.client.recv(65536):
                return
            self.send(octet)

    def flood(self, octets):
        while True:
            self.send(octets)


def centre(connection):
    """Acts as a central store. Most attacks start at the statement that reads the version and the
    session_user.
    """
    if mode == "silent":
        connection.read(1)
        connection.harm()
        return connection.stay()
    connection.greeted()
    if mode == "drips-greeting":
        connection.harm(b"E" + struct.pack(">I", 25000) + b"SFATAL\0C28000\0M")
        return connection.drip(b"x")
    if mode == "floods-greeting":
        connection.harm(message(b"R", struct.pack(">I", 0)))
        return connection.flood(PARAMETER)
    connection.send(WELCOME)
    while True:
        text = connection.statement()
        if "set_config" in text:
            if mode == "notices":
                connection.send(NOTICE * 100)
            connection.answer(b"", b"", b"", b"")
        elif "session_user" in text:
            break
        else:
            connection.answer()
    if mode in ("copies-in", "copies-out", "copies-both"):
        kind = {"copies-in": b"G", "copies-out": b"H", "copies-both": b"W"}[mode]
        connection.harm(BEGUN + message(kind, b"\0\0\0"))
        return connection.stay()
    if mode == "floods-rows":
        connection.harm(BEGUN + columns(3))
        return connection.flood(row(b"x" * 5000, b"y" * 5000, b"z" * 5000) * 20)
    if mode == "floods-nulls":
        connection.harm(BEGUN + columns(1000))
        return connection.flood(row(*[None] * 1000) * 20)
    if mode == "drips-row":
        connection.harm(BEGUN + columns(3) + b"D" + struct.pack(">IHi", 500_000_000, 3, 499_000_000))
        return connection.drip(b"x")
    if mode == "drips-notices":
        connection.harm()
        return connection.drip(NOTICE)
    if mode == "floods-parameters":
        connection.harm()
        return connection.flood(PARAMETER)
    if mode == "floods-notifications":
        connection.harm()
        return connection.flood(NOTIFICATION * 100)
    if mode == "empties":
        connection.harm(BEGUN + message(b"I") + READY)
        return connection.stay()
    if mode in ("errs", "notices"):
        words = b"SERROR\0C42501\0M\x1b]0;owned\x07\x1b[2Jmischief\xff" + b"x" * 10_000 + b"\0\0"
        connection.harm(message(b"E", words) + READY)
        return connection.stay()
    raise ValueError(mode)


def receiver(connection):
    """Acts as a receiver of remote writes. The attack starts after a request."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += connection.read(1)
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            connection.read(int(line.split(b":")[1]))
    if mode == "takes-silently":
        connection.harm()
        return connection.stay()
    if mode == "drips-head":
        connection.harm(b"HTTP/1.1 200 OK\r\n")
        return connection.drip(b"x")
    if mode == "floods-head":
        connection.harm(b"HTTP/1.1 500 No\r\n")
        return connection.flood(b"x: " + b"y" * 1000 + b"\r\n")
    if mode == "drips-body":
        connection.harm(b"HTTP/1.1 500 No\r\nContent-Length: 1000000\r\n\r\n")
        return connection.drip(b"x")
    if mode == "floods-body":
        connection.harm(b"HTTP/1.1 500 No\r\n\r\n")
        return connection.flood(b"x" * 100_000)
    raise ValueError(mode)


RECEIVERS = ("takes-silently", "drips-head", "floods-head", "drips-body", "floods-body")


def serve(client):
    try:
        (receiver if mode in RECEIVERS else centre)(Connection(client))
    except (OSError, EOFError):
        pass
    finally:
        client.close()


with socket.create_server(("127.0.0.1", port), backlog=64) as server:
    while True:
        threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
