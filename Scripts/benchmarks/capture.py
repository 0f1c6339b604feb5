"""A packet capture on a link, as the reference for all clocks."""

import contextlib
import dataclasses
import signal
import socket
import tempfile
import time

from benchmarks.link import INTERFACE
from benchmarks.packets import read_pcap
from benchmarks.processes import background
from benchmarks.servers import free_port


class Capture:
    def __init__(self, near, far, marker):
        self.near = near
        self.far = far
        self.marker = marker

    def packets(self):
        """Returns all packets up to now, in order of time."""
        return sorted(map(_middle, self._both()), key=lambda packet: packet.at)

    def flows(self, port):
        """Returns the packets between `port` and each port of a client, in order of time.

        A packet is its direction (True from the client) and its size with the header of UDP or TCP.
        """
        found = {}
        for packet in self.packets():
            is_out = packet.destination == port
            if is_out or packet.source == port:
                client = packet.source if is_out else packet.destination
                found.setdefault(client, []).append((packet.at, is_out, packet.whole))
        return list(found.values())

    def apart(self, port):
        """Returns the nanoseconds between the two stamps of each packet with content to `port`."""
        return [far.at - near.at for near, far in self._both()
                if far and near.destination == port and near.size > 0]  # fmt: skip

    def _both(self):
        """Yields each packet as captured at this end, and at the other end if it left here."""
        # A marker packet ends the wait. Once both files contain it, they contain all earlier packets.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"marker", self.marker)
        arrived = {}
        for packet in self._read(self.far):
            arrived.setdefault(_identity(packet), []).append(packet)
        for packet in self._read(self.near):
            same = arrived.get(_identity(packet))
            yield packet, same.pop(0) if same else None

    def _read(self, path):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            packets = list(read_pcap(path))
            if any(packet.destination == self.marker[1] for packet in packets):
                return packets
            time.sleep(0.01)
        raise SystemExit("bench: the packet capture stopped: no marker packet within 10 s")


def _identity(packet):
    return packet.source, packet.destination, packet.sequence, packet.size, packet.payload


def _middle(both):
    near, far = both
    return dataclasses.replace(near, at=(near.at + far.at) // 2) if far else near


@contextlib.contextmanager
def capture(host, *services):
    """Captures the packets from and to `services` on the link to `host`.

    A packet that leaves this end has two stamps:

    - This end stamps the packet before the driver receives it. The capture's own work, some µs, follows
      the stamp.
    - The other end stamps the packet after it has arrived. A TCP packet holds the time of pacing in the
      field for the stamp. Its stamp is therefore set later, when the capture reads the packet.

    The packet left between the two stamps, so the middle is used. A packet that arrives here is stamped as
    at the other end.

    tcpdump runs without immediate mode. That mode would wake the reader for each packet, after the packet's
    stamp and before the packet goes further.
    """
    marker = (host.address, free_port())
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        ports = " or ".join(f"port {port}" for port in {service.port for service in services})
        wanted = f"({ports} or udp port {marker[1]})"
        near, far = f"{folder}/near.pcap", f"{folder}/far.pcap"
        stack.enter_context(_capturing(_tcpdump(near, wanted)))
        arriving = _tcpdump(far, f"dst host {host.address} and {wanted}")
        stack.enter_context(_capturing(host.command(*arriving)))
        yield Capture(near, far, marker)


def _tcpdump(path, packets):
    command = ["tcpdump", "-i", INTERFACE, "-w", path, "-n", "-U", "-Z", "root", "-s", "256"]
    return [*command, "--time-stamp-precision=nano", "-B", "8192", packets]


@contextlib.contextmanager
def _capturing(command):
    with tempfile.TemporaryFile() as log, background(command, log, signal.SIGINT) as child:
        deadline = time.monotonic() + 10
        while True:
            log.seek(0)
            text = log.read()
            if b"listening on" in text:
                break
            if child.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"bench: tcpdump did not start to capture: {text.decode()}")
            time.sleep(0.01)
        yield
