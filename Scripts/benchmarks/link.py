"""A link of its own between two network namespaces: clients at one end, servers at the other."""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys

from benchmarks import processes
from benchmarks.hosts import Host

# RFC 2544 sets 198.18.0.0/15 apart for benchmarks.
NETWORK = "198.18.0.0/30"
SERVER, CLIENT = "198.18.0.1", "198.18.0.2"
INTERFACE = "bench"
CLONE_NEWNET = 0x4000_0000  # sched.h
LIBC = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def link(purpose):
    """Gives the servers' end of a pair of virtual Ethernet interfaces; this process, and what it
    starts, is at the other end for the scope, and reaches nothing else."""
    _check(purpose)
    ends = {f"dnstempo-{os.getpid()}-{end}": address
            for end, address in (("client", CLIENT), ("server", SERVER))}  # fmt: skip
    client, server = ends
    with contextlib.ExitStack() as stack:
        for name in ends:
            # Before it is made, so that nothing comes between.
            stack.callback(_ip, "netns", "delete", name, check=False)
            _ip("netns", "add", name)
        pair = ["type", "veth", "peer", "name", INTERFACE, "netns", server]
        _ip("link", "add", INTERFACE, "netns", client, *pair)
        for name, address in ends.items():
            _ip("-n", name, "address", "add", f"{address}/30", "dev", INTERFACE)
            _ip("-n", name, "link", "set", "lo", "up")
            _ip("-n", name, "link", "set", INTERFACE, "up")
        stack.enter_context(_inside(client))
        stack.enter_context(processes.confined(NETWORK))
        yield Host(SERVER, NETWORK, server)


def _check(purpose):
    """Says in one line what is missing."""
    if sys.platform != "linux":
        raise SystemExit(f"bench: {purpose} makes network namespaces, which only Linux has")
    if os.geteuid() != 0:
        raise SystemExit(
            f"bench: {purpose} makes network namespaces and captures packets, which takes root: "
            f"sudo Scripts/bench {purpose}"
        )
    if not shutil.which("ip"):
        raise SystemExit(
            f"bench: {purpose} needs the command ip (Debian's iproute2): run Scripts/setup --bench"
        )


def _ip(*words, check=True):
    # In a session of its own: an interrupt from the terminal must not end the clean-up.
    done = subprocess.run(["ip", *words], capture_output=True, text=True, start_new_session=True)
    if check and done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
        raise SystemExit(f"bench: ip {' '.join(words)} failed: {reason[0]}")


@contextlib.contextmanager
def _inside(namespace):
    """Has this thread, and what it starts, in a network namespace for the scope."""
    with open("/proc/self/ns/net") as outside, open(f"/run/netns/{namespace}") as inside:
        _enter(inside)
        try:
            yield
        finally:
            _enter(outside)


def _enter(namespace):
    # Python has this from 3.12 on.
    if LIBC.setns(namespace.fileno(), CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
