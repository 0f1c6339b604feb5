"""A relay of datagrams to 127.0.0.1:TARGET with a stranger beside it: ADDRESS PORT TARGET MODE LOG.

Before each datagram that goes back the client gets what the stranger sends, as if it came from the server:
MODE is empty (a datagram without octets), noise (datagrams that mean nothing, in the forms that QUIC has),
unquoted (an ICMP error that quotes nothing), other (one that quotes another datagram), own (one that quotes
the client's last one), narrow (one for a smaller path MTU) or refused (one that quotes the client's datagram
for each of those, and nothing from the server). LOG gets a line before each time that something is sent.
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
    """Destination unreachable (RFC 792), about a datagram from the client to the relay."""
    udp = struct.pack("!HHHH", client[1], port, 8 + len(quoted), 0) + quoted
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 1, 0, 64, socket.IPPROTO_UDP, 0)
    ends = socket.inet_aton(client[0]) + socket.inet_aton(address)
    rest = struct.pack("!HH", 0, mtu) + ip + ends + udp
    sum = checksum(struct.pack("!BBH", 3, code, 0) + rest)
    return struct.pack("!BBH", 3, code, sum) + rest


def noise():
    """Datagrams of QUIC's forms (RFC 9000 §17) that nobody made who has seen the client's."""
    random = os.urandom
    ids = b"\x08" + random(8) + b"\x08" + random(8)
    versions = b"\0\0\0\1" + b"\x6b\x33\x43\xcf"
    return [
        random(1),
        random(20),
        # Short headers, as of packets and of a stateless reset (RFC 9000 §10.3).
        b"\x40" + random(20),
        b"\x5f" + random(60),
        # Long headers: Initial, 0-RTT, Handshake, Retry, and Version Negotiation.
        *(bytes([0xC0 | kind << 4]) + b"\0\0\0\1" + ids + random(80) for kind in range(4)),
        b"\xc0\0\0\0\0" + ids + versions,
        # Their lengths lead beyond the end.
        b"\xc0\0\0\0\1\xff" + random(30),
        b"\xe0\0\0\0\1" + ids + b"\x7f\xff" + random(30),
        b"\xc0\0\0\0\1",
        b"\xc0",
    ]


def harass(client, last):
    # A test that has received the datagram finds the line.
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
# The sockets to the server, of each client; the client and the last datagram of each of those.
ways, clients = {}, {}
while True:
    for ready in select.select([listener, *clients], [], [])[0]:
        if ready is listener:
            octets, client = listener.recvfrom(65536)
            if octets[:2] == b"dt" and len(octets) < 64:
                # The tests ask in plain DNS whether the server is there.
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
