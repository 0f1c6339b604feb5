"""A relay of datagrams to 127.0.0.1:TARGET that is also an attacker: ADDRESS PORT TARGET MODE LOG.

Before each datagram that it returns, the relay sends an attack to the client. The attack has the
relay's source address. To the client, the relay is the server. MODE is one of:
- empty: a datagram without bytes
- noise: meaningless datagrams in the forms of QUIC packets
- unquoted: an ICMP error that quotes no payload
- other: an ICMP error that quotes another datagram
- own: an ICMP error that quotes the client's last datagram
- narrow: an ICMP error that reports a smaller path MTU
- refused: an ICMP error that quotes each datagram of the client; nothing reaches the server

LOG gets a line before each attack.
"""

import os
import select
import socket
import struct
import sys

address, port, target, mode, log = sys.argv[1:]
port, target = int(port), int(target)


def note(line):
    with open(log, "a") as file:
        file.write(line + "\n")


def checksum(octets):
    octets += bytes(len(octets) % 2)
    total = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


def icmp_error(client, quoted, code=3, mtu=0):
    """Returns a Destination Unreachable (RFC 792) about a datagram from the client to the relay."""
    udp = struct.pack("!HHHH", client[1], port, 8 + len(quoted), 0) + quoted
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 1, 0, 64, socket.IPPROTO_UDP, 0)
    ends = socket.inet_aton(client[0]) + socket.inet_aton(address)
    rest = struct.pack("!HH", 0, mtu) + ip + ends + udp
    sum = checksum(struct.pack("!BBH", 3, code, 0) + rest)
    return struct.pack("!BBH", 3, code, sum) + rest


def noise():
    """Returns datagrams in the forms of QUIC (RFC 9000 §17) that any host can create without seeing the
    client's datagrams.
    """
    random = os.urandom
    ids = b"\x08" + random(8) + b"\x08" + random(8)
    versions = b"\0\0\0\1" + b"\x6b\x33\x43\xcf"
    return [
        random(1),
        random(20),
        # Short headers: of a packet, and of a stateless reset (RFC 9000 §10.3).
        b"\x40" + random(20),
        b"\x5f" + random(60),
        # Long headers: Initial, 0-RTT, Handshake, Retry, and Version Negotiation.
        *(bytes([0xC0 | kind << 4]) + b"\0\0\0\1" + ids + random(80) for kind in range(4)),
        b"\xc0\0\0\0\0" + ids + versions,
        # Packets whose length fields point beyond the end.
        b"\xc0\0\0\0\1\xff" + random(30),
        b"\xe0\0\0\0\1" + ids + b"\x7f\xff" + random(30),
        b"\xc0\0\0\0\1",
        b"\xc0",
    ]


def harass(client, last):
    # Logged first: a test that has received the datagram finds the line.
    note(mode)
    if mode == "empty":
        listener.sendto(b"", client)
    elif mode == "noise":
        for octets in noise():
            listener.sendto(octets, client)
    elif mode == "other":
        raw.sendto(icmp_error(client, bytes([last[0]]) + os.urandom(len(last) - 1)), client)
    elif mode == "narrow":
        raw.sendto(icmp_error(client, last, code=4, mtu=576), client)
    else:
        raw.sendto(icmp_error(client, b"" if mode == "unquoted" else last), client)


listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
listener.bind((address, port))
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
raw.bind((address, 0))
# The socket to the server for each client, and for each such socket the client and its last datagram.
ways, clients = {}, {}
while True:
    for ready in select.select([listener, *clients], [], [])[0]:
        if ready is listener:
            octets, client = listener.recvfrom(65536)
            if octets[:2] == b"dt" and len(octets) < 64:
                # The tests check with a plain DNS query whether the server is ready.
                listener.sendto(octets[:2] + bytes([octets[2] | 0x80]) + octets[3:], client)
                continue
            if client not in ways:
                ways[client] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                ways[client].connect(("127.0.0.1", target))
            clients[ways[client]] = (client, octets)
            if mode == "refused":
                harass(client, octets)
            else:
                ways[client].send(octets)
        else:
            try:
                octets = ready.recv(65536)
            except OSError:
                continue
            client, last = clients[ready]
            harass(client, last)
            listener.sendto(octets, client)
