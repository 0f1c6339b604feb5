"""DNS over TLS on 127.0.0.1 by OpenSSL's own server, which takes early data (RFC 8446 §2.3) as
Python's module cannot: PORT CERTIFICATE KEY COUNT LOG.

The first connections go to a server each, the rest to the last of COUNT: another knows nothing of
the tickets of the one before. LOG gets a line for each query, which says whether it came early.
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
    """One that says on its standard output what it receives, among much else."""

    def __init__(self):
        self.child = subprocess.Popen(
            # Without a buffer, so that what is said of a query comes before it.
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
            # Padded queries are of 128 octets, and nothing else that is said has an octet 0.
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
    # Who only looks whether the port is open says nothing.
    if greeting := stream.recv(65536):
        (servers.pop(0) if len(servers) > 1 else servers[0]).relay(stream, greeting)


tls_stream.serve(port, certificate, key, ["dot"], handle)
