"""A link between two network namespaces on which a line delays every packet."""

import contextlib
import os
import subprocess
import sys

from benchmarks import processes
from benchmarks.hosts import Host
from benchmarks.link import (
    CLIENT, INTERFACE, NETWORK, SERVER, inside, ip, namespaces, require,
)  # fmt: skip

# Both ends know these addresses in advance, so that no packet waits for ARP.
HARDWARE = {CLIENT: "02:00:00:00:00:02", SERVER: "02:00:00:00:00:01"}


class Line:
    """The line between both ends. It forwards packets only within `at` or `bridged`."""

    def __init__(self, namespace, ends):
        self.namespace = namespace
        self.ends = ends

    @contextlib.contextmanager
    def at(self, milliseconds):
        """Delays each frame by `milliseconds` in each direction, for the scope."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "delay_line.py")
        command = ["ip", "netns", "exec", self.namespace, sys.executable, "-B", script]
        command += [*self.ends, str(milliseconds)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            try:
                if child.stdout.readline() != b"ready\n":
                    raise SystemExit("bench: the delay line did not start")
                yield
            finally:
                child.kill()

    @contextlib.contextmanager
    def bridged(self, mtu=1500):
        """Forwards frames at once, for the scope. Larger packets than `mtu` are lost without a report."""
        words = ["-n", self.namespace, "link"]
        ip(*words, "add", "bridge", "type", "bridge")
        try:
            for end in self.ends:
                ip(*words, "set", end, "master", "bridge", "mtu", str(mtu))
            ip(*words, "set", "bridge", "up")
            yield
        finally:
            ip(*words, "delete", "bridge")
            for end in self.ends:
                ip(*words, "set", end, "mtu", "1500")


@contextlib.contextmanager
def delayed_link(purpose):
    """Yields the servers' end and the line. For the scope, this process is at the clients' end."""
    require(purpose)
    with contextlib.ExitStack() as stack:
        client, middle, server = stack.enter_context(namespaces("client", "line", "server"))
        for name, address in ((client, CLIENT), (server, SERVER)):
            far = "to-client" if name == client else "to-server"
            pair = ["type", "veth", "peer", "name", far, "netns", middle]
            ip("link", "add", INTERFACE, "netns", name, "address", HARDWARE[address], *pair)
            ip("-n", name, "address", "add", f"{address}/30", "dev", INTERFACE)
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", INTERFACE, "up")
            # The line forwards frames as they are. A frame must be a packet with its checksum.
            for namespace, interface in ((name, INTERFACE), (middle, far)):
                words = ["tx", "off", "rx", "off", "sg", "off", "tso", "off", "gso", "off", "gro", "off"]
                run_in(namespace, "ethtool", "-K", interface, *words)
            ip("-n", middle, "link", "set", far, "up")
        for name, other in ((client, SERVER), (server, CLIENT)):
            known = ["lladdr", HARDWARE[other], "nud", "permanent", "dev", INTERFACE]
            ip("-n", name, "neighbour", "add", other, *known)
        stack.enter_context(inside(client))
        stack.enter_context(processes.confined(NETWORK))
        yield Host(SERVER, NETWORK, server), Line(middle, ("to-client", "to-server"))


def run_in(namespace, *words):
    """Runs a command in a network namespace. Exits with a message if it fails."""
    ip("netns", "exec", namespace, *words)
