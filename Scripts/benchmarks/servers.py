"""Name servers on loopback, in the foreground, asking nobody else."""

import contextlib
import random
import resource
import selectors
import socket
import tempfile
import threading
import time

from benchmarks.processes import background

UNBOUND = """
server:
do-daemonize: no
chroot: ""
username: ""
pidfile: ""
use-syslog: no
module-config: "iterator"
interface: 127.0.0.1
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

# Before all else, no question to the internet about the version; and no check of the backend.
DNSDIST = """
setSecurityPollSuffix("")
addLocal("127.0.0.1:{port}")
newServer({{address="127.0.0.1:{backend}"}})
getServer(0):setUp()
addAction(DSTPortRule({port}), DelayAction({delay}))
"""

QUERY = bytes.fromhex("647401000001000000000000") + b"\5ready\7invalid\0\0\1\0\1"


def free_port():
    """A port that UDP and TCP have free, below those that the system gives to clients."""
    while True:
        port = random.randrange(10_000, 32_000)
        try:
            for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
                with socket.socket(socket.AF_INET, kind) as probe:
                    probe.bind(("127.0.0.1", port))
            return port
        except OSError:
            continue


def wait_until_ready(port, child, log):
    """Asks until an answer comes."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and child.poll() is None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(0.1)
            client.connect(("127.0.0.1", port))
            try:
                client.send(QUERY)
                client.recv(4096)
                return
            except ConnectionRefusedError:
                time.sleep(0.01)
            except TimeoutError:
                pass
    log.seek(0)
    raise SystemExit(f"bench: {child.args[0]} does not answer: {log.read().decode()}")


@contextlib.contextmanager
def _server(command, config):
    port = free_port()
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file, tempfile.TemporaryFile() as log:
        file.write(config(port))
        file.flush()
        with background([*command, file.name], log=log) as child:
            wait_until_ready(port, child, log)
            yield port


def unbound():
    """unbound that answers every name below example.com; gives its port."""
    return _server(["unbound", "-c"], lambda port: UNBOUND.format(port=port))


@contextlib.contextmanager
def delaying(milliseconds):
    """unbound behind dnsdist's delay; gives dnsdist's port."""
    with unbound() as backend:
        command = ["dnsdist", "--supervised", "--disable-syslog", "-C"]
        text = lambda port: DNSDIST.format(port=port, backend=backend, delay=milliseconds)
        with _server(command, text) as port:
            yield port


@contextlib.contextmanager
def many(count):
    """`count` sockets that answer with the question and no record; gives their ports."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, count + 256)), hard))
    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as stack:
        ports = []
        while len(ports) < count:
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            stack.enter_context(server)
            server.bind(("127.0.0.1", 0))
            server.setblocking(False)
            selector.register(server, selectors.EVENT_READ)
            ports.append(server.getsockname()[1])
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
