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
    id: int | None

    @property
    def time(self):
        return self.answered - self.sent


class Capture:
    def __init__(self, path, marker_port):
        self.path = path
        self.marker_port = marker_port

    def round_trips(self, port):
        """All answered queries to `port` up to now, in the order of their answers."""
        return pair(self.packets(), port)

    def streamed_round_trips(self, port, quiet):
        """The same over encrypted connections, behind a server that is silent for at least `quiet`
        nanoseconds before each answer."""
        return pair_streamed(self.packets(), port, quiet)

    def datagram_round_trips(self, port):
        """The same over connections of QUIC."""
        return pair_datagrams(self.packets(), port)

    def packets(self):
        """All packets up to now."""
        # A packet of our own ends the wait: once it is in the file, all earlier ones are.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"marker", ("127.0.0.1", self.marker_port))
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            packets = list(read_pcap(self.path))
            if any(packet.destination == self.marker_port for packet in packets):
                return packets
            time.sleep(0.01)
        raise SystemExit("bench: the packet capture stopped")


@contextlib.contextmanager
def capture(port):
    """Captures the packets from and to `port`."""
    marker_port = free_port()
    interface = "lo0" if sys.platform == "darwin" else "lo"
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        path = f"{folder}/lo.pcap"
        command = ["tcpdump", "-i", interface, "-w", path, "-n", "-U", "-Z", "root", "-s", "256"]
        command += ["--immediate-mode", "--time-stamp-precision=nano", "-B", "8192"]
        command += [f"port {port} or udp port {marker_port}"]
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


@dataclass
class Packet:
    """An IPv4 packet: ports, what it carries as far as captured, its size, and its place in a TCP
    stream."""

    at: int
    is_udp: bool
    source: int
    destination: int
    payload: bytes
    size: int
    sequence: int | None


def read_pcap(path):
    """Gives each packet of UDP and TCP over IPv4."""
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
        if at > len(data) or not ip or ip[0] >> 4 != 4 or ip[9] not in (6, 17):
            continue
        head = (ip[0] & 15) * 4
        body = ip[head:]
        source, destination = struct.unpack(">HH", body[:4])
        is_udp = ip[9] == 17
        start = 8 if is_udp else (body[12] >> 4) * 4
        sequence = None if is_udp else struct.unpack(">I", body[4:8])[0]
        size = struct.unpack(">H", ip[2:4])[0] - head - start
        at_time = seconds * 10**9 + fraction * unit
        yield Packet(at_time, is_udp, source, destination, body[start:], size, sequence)


def pair(packets, port):
    """Queries to `port` with their answers, in the order of the answers."""
    waiting = {}
    found = []
    for packet in packets:
        if not packet.is_udp or len(packet.payload) < 12:
            continue
        id = packet.payload[0] << 8 | packet.payload[1]
        if packet.destination == port:
            waiting[packet.source, id] = packet.at
        elif (packet.destination, id) in waiting:
            sent = waiting.pop((packet.destination, id))
            found.append(RoundTrip(sent, packet.at, id))
    return found


# A padded query (RFC 8467) has 128 octets, and encryption adds to them; what else a client sends
# once it has shaken hands is smaller.
SMALLEST_QUERY = 128
HANDSHAKE_RECORD = 0x16


def pair_streamed(packets, port, quiet):
    """Queries over connections to `port` with their answers, in the order of the answers.

    What was asked and answered cannot be read, but seen: a query is the last packet large enough
    before the server falls silent, its answer is all that the server says until the next packet of
    the client or the next silence, and ends with the last of that. A query that is sent before the
    last one is answered is left out, as that one is: it cannot be seen whose answer comes.
    """
    queries, answers = {}, {}
    seen, found = set(), []

    def conclude(client):
        if client in answers:
            found.append(RoundTrip(queries.pop(client), answers.pop(client), None))

    for packet in packets:
        place = (packet.source, packet.destination, packet.sequence)
        # What is sent again, because its acknowledgement is late, says nothing new.
        if packet.is_udp or packet.size <= 0 or place in seen:
            continue
        seen.add(place)
        if packet.destination == port:
            conclude(packet.source)
            if packet.size >= SMALLEST_QUERY and packet.payload[0] != HANDSHAKE_RECORD:
                queries[packet.source] = None if packet.source in queries else packet.at
        elif packet.source == port:
            client = packet.destination
            if client in answers and packet.at - answers[client] > quiet:
                conclude(client)
            elif client in queries and queries[client] is None:
                del queries[client]
            elif client in queries and (
                client in answers or packet.at - queries[client] > quiet
            ):
                answers[client] = packet.at
    for client in list(answers):
        conclude(client)
    return sorted(found, key=lambda trip: trip.answered)


# An answer has at least a header, the question and QUIC's own octets; an acknowledgement has fewer.
SMALLEST_ANSWER = 64
LONG_HEADER = 0x80


def pair_datagrams(packets, port):
    """Queries over QUIC to `port` with their answers, in the order of the answers.

    A query is a client's datagram that is large enough, its answer the next of the server's that is
    more than an acknowledgement. What has a long header shakes hands (RFC 9000 §17.2). A query that
    is sent before the last one is answered is left out, as that one is.
    """
    queries = {}
    found = []
    for packet in packets:
        if not packet.is_udp or not packet.payload or packet.payload[0] & LONG_HEADER:
            continue
        if packet.destination == port and packet.size >= SMALLEST_QUERY:
            queries[packet.source] = None if packet.source in queries else packet.at
        elif packet.source == port and packet.size >= SMALLEST_ANSWER:
            sent = queries.pop(packet.destination, None)
            if sent is not None:
                found.append(RoundTrip(sent, packet.at, None))
    return found
