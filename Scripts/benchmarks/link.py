"""A separate link between two network namespaces. Clients are at one end, servers at the other."""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys

from benchmarks import processes
from benchmarks.hosts import Host

# RFC 2544 reserves 198.18.0.0/15 for benchmarks.
NETWORK = "198.18.0.0/30"
SERVER, CLIENT = "198.18.0.1", "198.18.0.2"
INTERFACE = "bench"
CLONE_NEWNET = 0x4000_0000  # sched.h
LIBC = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def link(purpose):
    """Creates a pair of virtual Ethernet interfaces, and yields the servers' end.

    For the scope, this process and its children are at the clients' end, and reach no other network.
    """
    require(purpose)
    with contextlib.ExitStack() as stack:
        client, server = stack.enter_context(namespaces("client", "server"))
        pair = ["type", "veth", "peer", "name", INTERFACE, "netns", server]
        ip("link", "add", INTERFACE, "netns", client, *pair)
        for name, address in ((client, CLIENT), (server, SERVER)):
            ip("-n", name, "address", "add", f"{address}/30", "dev", INTERFACE)
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", INTERFACE, "up")
        stack.enter_context(inside(client))
        stack.enter_context(processes.confined(NETWORK))
        yield Host(SERVER, NETWORK, server)


@contextlib.contextmanager
def namespaces(*ends):
    """Creates a network namespace for each of `ends`, and yields their names."""
    names = [f"dnstempo-{os.getpid()}-{end}" for end in ends]
    with contextlib.ExitStack() as stack:
        for name in names:
            # Register the clean-up first, so that an interrupt cannot leave the namespace behind.
            stack.callback(ip, "netns", "delete", name, check=False)
            ip("netns", "add", name)
        yield names


def require(purpose):
    """Exits with a message in one line if a requirement is missing."""
    if sys.platform != "linux":
        raise SystemExit(f"bench: {purpose} requires Linux, for network namespaces")
    if os.geteuid() != 0:
        raise SystemExit(
            f"bench: {purpose} requires root, for network namespaces and packet captures: run "
            f"sudo Scripts/bench {purpose}"
        )
    if not shutil.which("ip"):
        raise SystemExit(
            f"bench: {purpose} requires the command ip (Debian package iproute2): run Scripts/setup --bench"
        )


def ip(*words, check=True):
    # The command has its own session, so an interrupt from the terminal does not stop the clean-up.
    done = subprocess.run(["ip", *words], capture_output=True, text=True, start_new_session=True)
    if check and done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        raise SystemExit(f"bench: ip {' '.join(words)} failed: {reason[0]}")


@contextlib.contextmanager
def inside(namespace):
    """Moves this thread into a network namespace for the scope. Its child processes start there."""
    with open("/proc/self/ns/net") as outside, open(f"/run/netns/{namespace}") as other:
        _enter(other)
        try:
            yield
        finally:
            _enter(outside)


def _enter(namespace):
    # Python itself has setns since 3.12.
    if LIBC.setns(namespace.fileno(), CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
