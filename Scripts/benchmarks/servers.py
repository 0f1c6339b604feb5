"""Runs name servers in the foreground. They send no queries to the internet."""

import contextlib
import random
import resource
import selectors
import socket
import tempfile
import threading
import time

from benchmarks.hosts import LOOPBACK
from benchmarks.processes import background

UNBOUND = """
server:
do-daemonize: no
chroot: ""
username: ""
pidfile: ""
use-syslog: no
module-config: "iterator"
interface: {address}
access-control: {network} allow
port: {port}
so-rcvbuf: 4m
do-not-query-address: 0.0.0.0/0
do-not-query-address: ::/0
local-zone: "." static
local-zone: "example.com." redirect
local-data: "example.com. 300 IN A 192.0.2.1"
remote-control:
control-enable: no
"""

# The first line stops dnsdist's query to the internet about its version. The last line stops its checks of
# the backend.
DNSDIST = """
setSecurityPollSuffix("")
setACL("{network}")
addLocal("{address}:{port}")
newServer({{address="{address}:{backend}"}})
getServer(0):setUp()
"""

QUERY = bytes.fromhex("647401000001000000000000") + b"\5ready\7invalid\0\0\1\0\1"


given = set()


def free_port():
    """Returns a port that is free for UDP and TCP, below the system's range of ports for clients.

    Each port is returned once, because the free ports of another network namespace are unknown.
    """
    while True:
        port = random.randrange(10_000, 32_000)
        if port in given:
            continue
        try:
            for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
                with socket.socket(socket.AF_INET, kind) as probe:
                    probe.bind((LOOPBACK.address, port))
            given.add(port)
            return port
        except OSError:
            continue


def wait_until_ready(host, port, child, log):
    """Sends queries until the server answers. Exits with a message after 10 s."""
    _wait_until(lambda: _answers(host, port), child, log)


def wait_until_listening(host, port, child, log):
    """Connects until the server accepts a connection. Exits with a message after 10 s."""
    _wait_until(lambda: _accepts(host, port), child, log)


def _wait_until(is_ready, child, log):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and child.poll() is None:
        with contextlib.suppress(TimeoutError):
            if is_ready():
                return
            time.sleep(0.01)
    log.seek(0)
    command = " ".join(child.args)
    raise SystemExit(f"bench: '{command}' does not answer: {log.read().decode().strip()}")


def _answers(host, port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(0.1)
        client.connect((host.address, port))
        try:
            client.send(QUERY)
            client.recv(4096)
            return True
        except ConnectionRefusedError:
            return False


def _accepts(host, port):
    try:
        socket.create_connection((host.address, port), timeout=1).close()
        return True
    except OSError:
        return False


@contextlib.contextmanager
def server(host, command, config):
    """Runs `command` with a configuration file. `config` makes its text for a port. Yields the port."""
    port = free_port()
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file, tempfile.TemporaryFile() as log:
        file.write(config(port))
        file.flush()
        with background(host.command(*command, file.name), log=log) as child:
            wait_until_ready(host, port, child, log)
            yield port


def unbound(host=LOOPBACK):
    """Runs unbound, which answers every name below example.com. Yields its port."""
    return server(
        host,
        ["unbound", "-c"],
        lambda port: UNBOUND.format(address=host.address, network=host.network, port=port),
    )


@contextlib.contextmanager
def dnsdist(settings="", host=LOOPBACK, backend=None):
    """Runs dnsdist in front of the port `backend`, by default of unbound, with additional `settings`.

    Yields its port, which is {port} in `settings`.
    """
    with contextlib.nullcontext(backend) if backend else unbound(host) as backend:
        text = lambda port: (DNSDIST + settings).format(
            address=host.address, network=host.network, port=port, backend=backend
        )
        command = ["dnsdist", "--supervised", "--disable-syslog", "-C"]
        with server(host, command, text) as port:
            yield port


def delaying(milliseconds, host=LOOPBACK):
    """Runs dnsdist, which delays each answer over UDP. Yields its port."""
    return dnsdist(f"addAction(DSTPortRule({{port}}), DelayAction({milliseconds}))\n", host)


@contextlib.contextmanager
def delaying_each(delays):
    """Runs dnsdist with one port per delay in `delays`, in ms. Yields the ports."""
    ports = [free_port() for _ in delays]
    lines = [
        f'addLocal("{LOOPBACK.address}:{port}")\n'
        f"addAction(DSTPortRule({port}), DelayAction({delay}))\n"
        for port, delay in zip(ports, delays)
    ]
    with dnsdist("".join(lines)):
        yield ports


@contextlib.contextmanager
def many(count):
    """Opens `count` sockets, which answer with the question and without records. Yields their ports."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, count + 256)), hard))
    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as stack:
        ports = []
        while len(ports) < count:
            responder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            stack.enter_context(responder)
            responder.bind((LOOPBACK.address, 0))
            responder.setblocking(False)
            selector.register(responder, selectors.EVENT_READ)
            ports.append(responder.getsockname()[1])
        stop = threading.Event()
        thread = threading.Thread(target=_answer, args=(selector, stop))
        thread.start()
        try:
            yield ports
        finally:
            stop.set()
            thread.join()


def _answer(selector, stop):
    while not stop.is_set():
        for key, _ in selector.select(timeout=0.1):
            with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
                while True:
                    query, peer = key.fileobj.recvfrom(4096)
                    end = query.index(0, 12) + 5
                    answer = query[:2] + b"\x81\x80\0\1\0\0\0\0\0\0" + query[12:end]
                    key.fileobj.sendto(answer, peer)
