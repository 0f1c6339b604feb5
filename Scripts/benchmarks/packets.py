"""Reads the packets of a capture file."""

import struct
from dataclasses import dataclass


@dataclass
class Packet:
    """A UDP or TCP packet over IPv4. Its time `at` is in nanoseconds since 1970.

    `payload` is the captured part of the content, and `size` the size of the whole content. `sequence`
    is None for UDP. `whole` is the size with the header of UDP or TCP.
    """

    at: int
    is_udp: bool
    source: int
    destination: int
    payload: bytes
    size: int
    sequence: int | None
    whole: int


def read_pcap(path):
    """Yields each UDP and TCP packet over IPv4."""
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
        whole = struct.unpack(">H", ip[2:4])[0] - head
        size = whole - start
        at_time = seconds * 10**9 + fraction * unit
        yield Packet(at_time, is_udp, source, destination, body[start:], size, sequence, whole)
