"""Bytes and packets of a resumed query, compared with a capture and with a paper."""

import contextlib
import statistics
import tempfile

from benchmarks import clients, processes
from benchmarks.capture import capture
from benchmarks.paper_servers import NAME
from benchmarks.table import table

DELAY_MS = 10
ROUNDS = 30
# Medians of Kosek et al., "DNS privacy with speed?", IMC 2022: bytes out, bytes in, packets. The query has a
# cookie and no padding. The paper counts whole connections, with their end.
PAPER = {
    "udp": (59, 63, 2),
    "tcp": (221, 161, 8),
    "tls": (812, 710, 15),
    "https": (1148, 1015, 22),
    "quic": (2754, 1691, 12),
}
# The columns are: the name, the transport in the paper, the service, and whether GnuTLS offers less.
ROWS = [
    ("UDP, unbound", "udp", "udp", False),
    ("TCP, unbound", "tcp", "tcp", False),
    ("TCP, HAProxy", "tcp", "tcp-late", False),
    ("TLS, dnsdist", "tls", "tls", False),
    ("TLS, dnsdist, short hello", "tls", "tls", True),
    ("TLS, HAProxy, short hello", "tls", "tls-named", True),
    ("HTTPS, unbound", "https", "https", False),
    ("HTTPS, unbound, short hello", "https", "https", True),
    ("QUIC, aioquic", "quic", "quic-resumed", False),
    ("HTTP/3 with early data, Caddy", "quic", "h3", False),
]
# GnuTLS offers two key shares, nine groups and seventeen cipher suites. Other libraries offer one key share
# and fewer suites.
SHORT_HELLO = """
[overrides]
disabled-version = tls1.2
tls-disabled-cipher = CAMELLIA-256-GCM
tls-disabled-cipher = AES-128-CCM
tls-disabled-cipher = AES-256-CCM
""" + "".join(
    f"tls-disabled-group = {group}\n"
    for group in ("secp256r1", "secp384r1", "secp521r1", "x448", "ffdhe2048", "ffdhe3072",
                  "ffdhe4096", "ffdhe6144", "ffdhe8192")
)  # fmt: skip
COLUMNS = ("wire_bytes_out", "wire_bytes_in", "wire_packets")


def sizes(host, line, found, authority):
    """Prints the sizes of one query by transport."""
    rows = []
    with line.at(DELAY_MS):
        for name, transport, server, is_short in ROWS:
            service = found[server]
            with capture(host, service) as captured, _hello(is_short):
                samples = _samples(service, authority)
                flows = captured.flows(service.port)
            known = [tuple(int(row[column]) for column in COLUMNS) for row in samples]
            flows = [flow for flow in flows if _opens(flow, known)]
            equal = sum(any(_begins(flow, one) for flow in flows) for one in known)
            whole = [_sum(flow) for flow in flows]
            rows.append([
                name, _text(PAPER[transport]), _medians(whole), _medians(known),
                f"{equal} of {len(known)}",
            ])  # fmt: skip
    print("\nBytes out / bytes in / packets of a resumed query: medians. Bytes include the headers of UDP")
    print("or TCP, and not those of IP. The last column is the number of samples whose values are those")
    print("of the first packets of a connection in the capture.\n")
    header = ["", "paper, whole connection", "whole connection", "until the answer", "equal"]
    table(header, rows)


@contextlib.contextmanager
def _hello(is_short):
    """Lets GnuTLS offer less within the scope, if `is_short`."""
    if not is_short:
        yield
        return
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(SHORT_HELLO)
        file.flush()
        with processes.variable("GNUTLS_SYSTEM_PRIORITY_FILE", file.name):
            yield


def _samples(service, authority):
    more = ["--interval", f"{12 * 2 * DELAY_MS}ms", "--cookie", "--wire", "--no-check"]
    if service.authority:
        more += ["--ca", authority, "--connections", "resume", "--no-padding"]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/samples.csv"
        clients.compare(
            [service.endpoint], ROUNDS + 1, 100, 1000, names=(NAME,), samples=path, more=more
        )
        rows = clients.rows(path)
    uses = ("resumed", "early") if service.authority else ("new", "")
    return [row for row in rows if row["connection"] in uses and row["wire_packets"]]


def _sum(flow):
    sent = sum(size for _, is_out, size in flow if is_out)
    received = sum(size for _, is_out, size in flow if not is_out)
    return sent, received, len(flow)


def _begins(flow, sizes):
    """Returns whether the first packets of `flow` in each direction have these sizes."""
    sent, received = ([size for _, is_out, size in flow if is_out == way] for way in (True, False))
    out, into, packets = sizes
    return any(
        sum(sent[:count]) == out and sum(received[: packets - count]) == into
        for count in range(packets + 1)
    )


def _opens(flow, known):
    """Returns whether the flow is the connection of a known sample, and not of another query."""
    return any(_begins(flow, one) for one in known)


def _medians(values):
    return _text([statistics.median(part) for part in zip(*values)]) if values else "–"


def _text(values):
    return " / ".join(f"{value:,.0f}" for value in values)
