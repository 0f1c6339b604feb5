"""Runs name servers that answer over encrypted transports."""

import contextlib
import ipaddress
import os
import tempfile
from dataclasses import dataclass

from benchmarks.hosts import CERTIFIED, LOOPBACK, Service
from benchmarks.processes import background, run
from benchmarks.servers import delaying, dnsdist, free_port, server, wait_until_ready

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# unbound answers over TLS and HTTPS.
ENCRYPTED = """
server:
interface: {address}@{tls}
interface: {address}@{https}
tls-port: {tls}
https-port: {https}
tls-service-key: "{key}"
tls-service-pem: "{certificate}"
"""
# unbound forwards each query to a backend over UDP, without a cache.
FORWARDING = """
server:
do-daemonize: no
chroot: ""
username: ""
pidfile: ""
use-syslog: no
module-config: "iterator"
access-control: {network} allow
interface: {address}
port: {port}
do-not-query-localhost: no
{beyond}
do-not-query-address: ::/0
local-zone: "." transparent
forward-zone:
name: "."
forward-addr: {address}@{backend}
forward-no-cache: yes
remote-control:
control-enable: no
"""


@dataclass
class Certificate:
    """The files of a server's certificate and of its private key."""

    path: str
    key: str


@contextlib.contextmanager
def certificate(host, more_names=0):
    """Creates a self-signed certificate for a server on `host`. `more_names` names make it longer."""
    with tempfile.TemporaryDirectory() as folder:
        made = Certificate(f"{folder}/certificate.pem", f"{folder}/key.pem")
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"]
        command += ["-pkeyopt", "ec_paramgen_curve:P-256", "-subj", f"/CN={CERTIFIED}"]
        names = [f"DNS:{CERTIFIED}", f"IP:{host.address}"]
        names += [f"DNS:{number:020}.{CERTIFIED}" for number in range(more_names)]
        command += ["-addext", f"subjectAltName={','.join(names)}"]
        finished = run([*command, "-keyout", made.key, "-out", made.path])
        if finished.status != 0:
            raise SystemExit(f"bench: openssl failed to create a certificate: {finished.errors}")
        yield made


@contextlib.contextmanager
def delaying_everywhere(milliseconds, host):
    """Runs a server per transport except TCP. The servers delay every answer. Yields the services.

    - UDP: dnsdist
    - TLS and HTTPS: unbound in front of this dnsdist
    - QUIC and HTTP/3: aioquic, with a fixed delay of 20 ms
    """
    with certificate(host) as proof, delaying(milliseconds, host) as backend:
        tls, https = free_port(), free_port()
        network = ipaddress.ip_network(host.network)
        beyond = ipaddress.ip_network("0.0.0.0/0").address_exclude(network)
        text = lambda port: (FORWARDING + ENCRYPTED).format(
            address=host.address,
            network=host.network,
            port=port,
            tls=tls,
            https=https,
            key=proof.key,
            certificate=proof.path,
            backend=backend,
            beyond="\n".join(f"do-not-query-address: {network}" for network in beyond),
        )
        with (
            server(host, ["unbound", "-c"], text),
            aioquic(host, proof, "doq", "slow") as quic,
            aioquic(host, proof, "h3", "slow") as h3,
        ):
            ports = {"udp": backend, "tls": tls, "https": https, "quic": quic, "h3": h3}
            yield services(host, ports, proof)


@contextlib.contextmanager
def answering_everywhere(host=LOOPBACK):
    """Runs a server per transport. The servers answer at once. Yields the services.

    dnsdist answers from its cache. aioquic answers over QUIC and HTTP/3.
    """
    with certificate(host) as proof:
        tls, https = free_port(), free_port()
        arguments = f'"{proof.path}", "{proof.key}"'
        settings = (
            "pool = newPacketCache(100)\n"
            'getPool(""):setCache(pool)\n'
            f'addTLSLocal("{host.address}:{tls}", {arguments})\n'
            f'addDOHLocal("{host.address}:{https}", {arguments}, "/dns-query")\n'
        )
        with (
            dnsdist(settings, host) as plain,
            aioquic(host, proof, "doq", "plain") as quic,
            aioquic(host, proof, "h3", "plain") as h3,
        ):
            ports = {"udp": plain, "tcp": plain, "tls": tls, "https": https, "quic": quic, "h3": h3}
            yield services(host, ports, proof)


def services(host, ports, proof):
    """Returns the service of each transport in `ports`."""
    return {
        transport: Service(
            transport, host.address, port, None if transport in ("udp", "tcp") else proof.path
        )
        for transport, port in ports.items()
    }


@contextlib.contextmanager
def aioquic(host, proof, protocol, mode):
    port = free_port()
    python = os.path.join(ROOT, ".build", "python", "bin", "python")
    script = os.path.join(ROOT, "Tests", "Servers", "quic-responder.py")
    command = host.command(python, "-B", script, f"{host.address}:{port}")
    command += [proof.path, proof.key, protocol, mode, os.devnull]
    with tempfile.TemporaryFile() as log, background(command, log=log) as child:
        wait_until_ready(host, port, child, log)
        yield port


@contextlib.contextmanager
def encrypted(count):
    """Runs dnsdist on loopback, which answers over TLS. Yields `count` ports and its certificate's path."""
    with certificate(LOOPBACK) as proof:
        ports = set()
        while len(ports) < count:
            ports.add(free_port())
        lines = [
            f'addTLSLocal("{LOOPBACK.address}:{port}", "{proof.path}", "{proof.key}")\n'
            for port in ports
        ]
        with dnsdist("".join(lines)):
            yield sorted(ports), proof.path
