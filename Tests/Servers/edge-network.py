"""Runs a command in a network with near and distant addresses: LURE-MS SAME-MS HOME-MS COMMAND …

Run this program in its own network namespace. Three resolvers listen on 127.0.0.1: home on port 5301, lure on
port 5302 and same on port 5303. Each answers after its given delay. Every name has one address under
127.9.0.0/16. The resolver lure returns an address at a distance of 35 ms, the others
return an address at 5 ms.

This program receives the packets to these addresses. It answers each SYN after the time of the address, so
that the handshake itself has the delay.
"""

import fcntl
import heapq
import os
import select
import socket
import struct
import subprocess
import sys
import threading
import time

NEAR, FAR = 0.005, 0.035
delays = dict(zip((5302, 5303, 5301), (float(word) / 1000 for word in sys.argv[1:4])))


def configure():
    """Creates and returns the device that receives the packets to 127.9.0.0/16."""
    device = os.open("/dev/net/tun", os.O_RDWR)
    set_interface, tun, no_header = 0x400454CA, 0x0001, 0x1000
    fcntl.ioctl(device, set_interface, struct.pack("16sH", b"edge0", tun | no_header))
    commands = [
        "ip link set lo up",
        "ip address del 127.0.0.1/8 dev lo",
        "ip address add 127.0.0.1/16 dev lo",
        "ip link set edge0 up",
        "ip route add 127.9.0.0/16 dev edge0 src 127.0.0.1",
    ]
    for name in ("all", "edge0"):
        with open(f"/proc/sys/net/ipv4/conf/{name}/route_localnet", "w") as file:
            file.write("1")
    for command in commands:
        subprocess.run(command.split(), check=True)
    return device


def checksum(octets):
    octets += b"\0" * (len(octets) % 2)
    total = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~total & 0xFFFF)


def accepted(packet):
    """Returns the delay and the SYN-ACK for a SYN; None for any other packet."""
    start = (packet[0] & 15) * 4
    if packet[0] >> 4 != 4 or packet[9] != 6:
        return None
    source, port, sequence, _, _, flags = struct.unpack("!HHIIBB", packet[start : start + 14])
    syn, ack = 0x02, 0x10
    if flags & (syn | ack) != syn:
        return None
    near, far = packet[16:20], packet[12:16]
    numbers = (port, source, 1, (sequence + 1) & 0xFFFFFFFF, 5 << 4, syn | ack, 65535)
    segment = struct.pack("!HHIIBBHHH", *numbers, 0, 0)
    pseudo = near + far + struct.pack("!BBH", 0, 6, len(segment))
    segment = segment[:16] + checksum(pseudo + segment) + segment[18:]
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(segment), 0, 0, 64, 6, 0, near, far)
    header = header[:10] + checksum(header) + header[12:]
    return (FAR if packet[19] >= 100 else NEAR), header + segment


def answer(query, port):
    """Returns an answer with one address. A resolver always returns the same address for a name."""
    question = query[12:]
    name = question[: question.index(b"\0") + 5]
    host = sum(name) % 50
    address = bytes([127, 9, sum(name) % 200, host + 100 if port == 5302 else host + 1])
    record = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 300, 4) + address
    return query[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + name + record


def serve(device):
    sockets = {}
    for port in delays:
        listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        listener.bind(("127.0.0.1", port))
        sockets[listener] = port
    due = []
    number = 0
    while True:
        wait = max(0, due[0][0] - time.monotonic()) if due else None
        for source in select.select([device, *sockets], [], [], wait)[0]:
            number += 1
            if source == device:
                reply = accepted(os.read(device, 2048))
                if reply:
                    moment = time.monotonic() + reply[0]
                    heapq.heappush(due, (moment, number, os.write, (device, reply[1])))
                continue
            query, client = source.recvfrom(2048)
            moment = time.monotonic() + delays[sockets[source]]
            reply = (answer(query, sockets[source]), client)
            heapq.heappush(due, (moment, number, source.sendto, reply))
        while due and due[0][0] <= time.monotonic():
            _, _, send, arguments = heapq.heappop(due)
            send(*arguments)


# The device is configured before the command starts. It keeps packets until the thread reads them.
threading.Thread(target=serve, args=[configure()], daemon=True).start()
sys.exit(subprocess.run(sys.argv[4:]).returncode)
