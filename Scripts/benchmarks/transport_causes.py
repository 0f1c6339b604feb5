"""Causes of failures of encrypted transports, compared with the known fault."""

import contextlib
import tempfile

from benchmarks import clients
from benchmarks.delayed import delayed_link, run_in
from benchmarks.hosts import CERTIFIED
from benchmarks.paper_servers import paper_servers
from benchmarks.processes import run
from benchmarks.servers import free_port
from benchmarks.table import table

RUNS = 50
MTU = 1400
TIMEOUT = "500ms"


def transport_causes():
    """Prints the number of runs with the right cause, for each fault."""
    with delayed_link("transport-causes") as (host, line), contextlib.ExitStack() as stack:
        with line.bridged():
            found, authority = stack.enter_context(paper_servers(host))
            late = found["quic-late"].port
            closed, dropped = free_port(), free_port()
            run_in(host.namespace, "nft", "add table inet bench")
            rule = "{ type filter hook input priority 0; }"
            run_in(host.namespace, "nft", f"add chain inet bench input {rule}")
            for protocol in ("tcp", "udp"):
                drop = f"add rule inet bench input {protocol} dport {dropped} drop"
                run_in(host.namespace, "nft", drop)
            place = lambda kind, port, name=CERTIFIED: f"{kind}://{host.address}:{port}#{name}"
            nginx = found["https-early"].port
            faults = {
                "not offered: port closed": (place("tls", closed), "refused"),
                "not offered: other protocol": (place("tls", nginx), "alpn"),
                "port blocked (nftables)": (place("tls", dropped), "silence connection"),
                "port blocked (nftables), QUIC": (place("quic", dropped), "silence connection"),
                "certificate for another name": (
                    place("tls", found["tls"].port, "other.test"), "certificate"),
                "HTTP status 404": (
                    f"https://{host.address}:{found['https'].port}/other#{CERTIFIED}",
                    "http-status 404"),
                "protocol error: HTTP without TLS": (place("tls", found["unencrypted"].port), "handshake"),
                "early data refused": (place("quic", late), "early-refused"),
            }  # fmt: skip
            counts = _counts(faults, host, found["udp"].port, authority)
        with line.bridged(MTU):
            # Each is the largest size of the ladder that passes.
            sizes = {
                f"path MTU {MTU}, TLS": (found["tls-long"].endpoint, f"mtu {MTU}"),
                f"path MTU {MTU}, QUIC": (found["quic-large"].endpoint, "mtu 1388"),
            }
            counts |= _counts(sizes, host, found["udp"].port, authority)
    print(f"Runs with the right cause. Each of {RUNS} runs sends a query to each server.\n")
    table(["", "cause", "right"], counts.values())


def _counts(faults, host, plain, authority):
    """Returns the table's row of each fault in `faults`: its name, the cause, and the right runs."""
    with tempfile.TemporaryDirectory() as home:
        store = f"{home}/store.sqlite"
        endpoints = [f"r{number}={endpoint}" for number, (endpoint, _) in enumerate(faults.values())]
        command = [clients.DNSTEMPO, "sample", f"plain={host.address}:{plain}", *endpoints]
        command += ["--store", store, "--no-check", "--no-floor", "--ca", authority]
        # The second query of a resolver resumes the session of the first one.
        command += ["-d", "a.example.com", "-d", "b.example.com", "--connections", "resume"]
        command += ["--timeout", TIMEOUT, "--rate", "20", "--total-rate", "400", "--warmup", "0"]
        for _ in range(RUNS):
            finished = run(command, home=home)
            if finished.status != 0:
                raise SystemExit(f"bench: dnstempo sample failed: {finished.errors}")
        path = f"{home}/samples.csv"
        run([clients.DNSTEMPO, "export", store, "-o", path], home=home)
        samples = clients.all_rows(path)
    rows = {}
    for number, (name, (_, cause)) in enumerate(faults.items()):
        right = {
            row["run"]
            for row in samples
            if row["resolver"] == f"r{number}" and cause in _told(row)
        }
        rows[name] = [name, f"`{cause}`", f"{len(right)} of {RUNS}"]
    return rows


def _told(sample):
    """Returns the texts of a sample that may name the cause: the cause without and with parts, the flags."""
    words = f"{sample['cause']} {sample['cause_value']}".split()
    causes = [" ".join(words[:count]) for count in range(1, len(words) + 1)]
    return [*causes, *sample["flags"].split()]
