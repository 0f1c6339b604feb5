"""A packet capture on loopback: the judge of every clock."""

import contextlib
import signal
import struct
import sys
import tempfile
import time
import socket
from dataclasses import dataclass

from benchmarks.processes import background
from benchmarks.servers import free_port


@dataclass
class RoundTrip:
    """A query and its answer as captured: nanoseconds since 1970, and between the two."""

    sent: int
    answered: int
    id: int

    @property
    def time(self):
        return self.answered - self.sent


class Capture:
    def __init__(self, path, marker_port):
        self.path = path
        self.marker_port = marker_port

    def round_trips(self, port):
        """All answered queries to `port` up to now, in the order of their answers."""
        # A packet of our own ends the wait: once it is in the file, all earlier ones are.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"marker", ("127.0.0.1", self.marker_port))
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            packets = list(read_pcap(self.path))
            if any(packet[2] == self.marker_port for packet in packets):
                return pair(packets, port)
            time.sleep(0.01)
        raise SystemExit("bench: the packet capture stopped")


@contextlib.contextmanager
def capture(port):
    """Captures the UDP packets from and to `port`."""
    marker_port = free_port()
    interface = "lo0" if sys.platform == "darwin" else "lo"
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        path = f"{folder}/lo.pcap"
        command = ["tcpdump", "-i", interface, "-w", path, "-n", "-U", "-Z", "root", "-s", "256"]
        command += ["--immediate-mode", "--time-stamp-precision=nano", "-B", "8192"]
        command += [f"udp port {port} or udp port {marker_port}"]
        with background(command, log=log, stop=signal.SIGINT) as child:
            deadline = time.monotonic() + 10
            while True:
                log.seek(0)
                text = log.read()
                if b"listening on" in text:
                    break
                if child.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"bench: tcpdump does not capture: {text.decode()}")
                time.sleep(0.01)
            yield Capture(path, marker_port)


def read_pcap(path):
    """Gives (nanoseconds, source port, destination port, payload) of each IPv4 UDP packet."""
    with open(path, "rb") as file:
        data = file.read()
    order = "<" if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xd4\xc3\xb2\xa1") else ">"
    magic, link = struct.unpack(order + "I16xI", data[:24])
    unit = {0xA1B23C4D: 1, 0xA1B2C3D4: 1000}[magic]
    skip = {0: 4, 1: 14, 101: 0, 113: 16, 276: 20}[link & 0xFFFF]
    at = 24
    while at + 16 <= len(data):
        seconds, fraction, length = struct.unpack(order + "III", data[at : at + 12])
        frame = data[at + 16 : at + 16 + length]
        at += 16 + length
        ip = frame[skip:]
        if at > len(data) or not ip or ip[0] >> 4 != 4 or ip[9] != 17:
            continue
        udp = ip[(ip[0] & 15) * 4 :]
        source, destination = struct.unpack(">HH", udp[:4])
        yield seconds * 10**9 + fraction * unit, source, destination, udp[8:]


def pair(packets, port):
    """Queries to `port` with their answers, in the order of the answers."""
    waiting = {}
    found = []
    for at, source, destination, payload in packets:
        if len(payload) < 12:
            continue
        id = payload[0] << 8 | payload[1]
        if destination == port:
            waiting[source, id] = at
        elif (destination, id) in waiting:
            found.append(RoundTrip(waiting.pop((destination, id)), at, id))
    return found
