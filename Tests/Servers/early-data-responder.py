"""A DNS over TLS server on 127.0.0.1 that accepts early data (RFC 8446 §2.3): PORT CERTIFICATE KEY COUNT LOG.

It runs OpenSSL's own server, because Python's ssl module does not support early data. There are COUNT
servers. Each of the first connections uses its own server, and all later connections use the last server. A
server does not know the tickets of the earlier servers. LOG gets a line for each query, which is "early" for
early data and "query" otherwise.
"""

import ctypes
import signal
import socket
import struct
import subprocess
import sys
import threading

import tls_stream

port, certificate, key, count, log = int(sys.argv[1]), *sys.argv[2:6]


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Server:
    """An OpenSSL server. Its standard output contains the received data among other messages."""

    def __init__(self):
        self.child = subprocess.Popen(
            # Without a buffer, so that the message about early data comes before the query.
            ["stdbuf", "-o0", "openssl", "s_server", "-accept", "127.0.0.1:0", "-tls1_3"]
            + ["-cert", certificate, "-key", key, "-early_data", "-alpn", "dot"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=end_with_parent,
        )
        for line in self.child.stdout:
            if line.startswith(b"ACCEPT "):
                self.port = int(line.rsplit(b":", 1)[1])
                break
        threading.Thread(target=self.answer, daemon=True).start()

    def answer(self):
        seen = b""
        while octets := self.child.stdout.read1(65536):
            seen += octets
            # Padded queries have 128 bytes, so the length is 0x0080. The other output contains no zero byte.
            while (start := seen.find(b"\0\x80")) >= 0 and len(seen) >= start + 130:
                is_early = seen[:start].endswith(b"Early data received:\n")
                with open(log, "a") as file:
                    file.write("early\n" if is_early else "query\n")
                message = tls_stream.answer(seen[start + 2 : start + 130])
                self.child.stdin.write(struct.pack("!H", len(message)) + message)
                self.child.stdin.flush()
                seen = seen[start + 130 :]

    def relay(self, stream, greeting):
        with socket.create_connection(("127.0.0.1", self.port)) as other:
            other.sendall(greeting)
            threading.Thread(target=forward, args=(other, stream), daemon=True).start()
            forward(stream, other)


def forward(source, target):
    try:
        while octets := source.recv(65536):
            target.sendall(octets)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


servers = [Server() for _ in range(int(count))]


def handle(stream, _):
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # A client that only tests whether the port is open sends nothing.
    if greeting := stream.recv(65536):
        (servers.pop(0) if len(servers) > 1 else servers[0]).relay(stream, greeting)


tls_stream.serve(port, certificate, key, ["dot"], handle)
