"""Name servers on loopback, in the foreground, asking nobody else."""

import contextlib
import os
import random
import resource
import selectors
import socket
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

from benchmarks.processes import background, run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

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

# Answers over TLS and HTTPS, each query anew from a backend that is asked over UDP.
ENCRYPTING = """
server:
do-daemonize: no
chroot: ""
username: ""
pidfile: ""
use-syslog: no
module-config: "iterator"
interface: 127.0.0.1
port: {port}
interface: 127.0.0.1@{tls}
interface: 127.0.0.1@{https}
tls-port: {tls}
https-port: {https}
tls-service-key: "{key}"
tls-service-pem: "{certificate}"
do-not-query-localhost: no
{beyond}
local-zone: "." transparent
forward-zone:
name: "."
forward-addr: 127.0.0.1@{backend}
forward-no-cache: yes
remote-control:
control-enable: no
"""
# All of IPv4 but 127.0.0.0/8, and all of IPv6.
BEYOND = ["0.0.0.0/2", "64.0.0.0/3", "96.0.0.0/4", "112.0.0.0/5", "120.0.0.0/6", "124.0.0.0/7",
          "126.0.0.0/8", "128.0.0.0/1", "::/0"]  # fmt: skip

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


@dataclass
class Encrypting:
    """The ports where answers come encrypted, and the certificate to trust."""

    tls: int
    https: int
    quic: int
    h3: int
    certificate: str


@contextlib.contextmanager
def encrypting(backend):
    """unbound with a certificate of its own, which asks the server at `backend` each time, and
    aioquic, which waits for 20 ms before it answers itself."""
    with tempfile.TemporaryDirectory() as folder:
        ports = [free_port() for _ in range(4)]
        place = Encrypting(*ports, f"{folder}/certificate.pem")
        key = f"{folder}/key.pem"
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"]
        command += ["-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=bench.test"]
        command += ["-addext", "subjectAltName=DNS:bench.test,IP:127.0.0.1"]
        made = run([*command, "-keyout", key, "-out", place.certificate])
        if made.status != 0:
            raise SystemExit(f"bench: openssl makes no certificate: {made.errors}")
        text = lambda port: ENCRYPTING.format(
            port=port,
            tls=place.tls,
            https=place.https,
            key=key,
            certificate=place.certificate,
            backend=backend,
            beyond="\n".join(f"do-not-query-address: {network}" for network in BEYOND),
        )
        with (
            _server(["unbound", "-c"], text),
            _aioquic(place.quic, place.certificate, key, "doq"),
            _aioquic(place.h3, place.certificate, key, "h3"),
        ):
            yield place


@contextlib.contextmanager
def _aioquic(port, certificate, key, protocol):
    python = os.path.join(ROOT, ".build", "python", "bin", "python")
    script = os.path.join(ROOT, "Tests", "Servers", "quic-responder.py")
    command = [python, "-B", script, str(port), certificate, key, protocol, "slow", os.devnull]
    with tempfile.TemporaryFile() as log, background(command, log=log) as child:
        wait_until_ready(port, child, log)
        yield


@contextlib.contextmanager
def encrypted(count):
    """dnsdist that answers over TLS as dot.test; gives `count` ports, and who vouches for it."""
    with tempfile.TemporaryDirectory() as folder, unbound() as backend:
        certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
        command = ["openssl", "req", "-x509", "-days", "2", "-subj", "/CN=dot.test", "-nodes"]
        command += ["-addext", "subjectAltName=DNS:dot.test", "-out", certificate]
        command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", key]
        subprocess.run(command, check=True, capture_output=True)
        ports = set()
        while len(ports) < count:
            ports.add(free_port())
        lines = [f'addTLSLocal("127.0.0.1:{port}", "{certificate}", "{key}")' for port in ports]
        text = lambda port: "\n".join(
            [DNSDIST.format(port=port, backend=backend, delay=0), *lines]
        )
        with _server(["dnsdist", "--supervised", "--disable-syslog", "-C"], text):
            yield sorted(ports), certificate


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
