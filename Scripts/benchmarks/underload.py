"""The time that a loaded line adds to queries, compared with the queue in the kernel."""

import contextlib
import json
import os
import statistics
import subprocess
import tempfile
import threading
import time

from benchmarks import clients, processes, servers
from benchmarks.encrypted_servers import answering_everywhere
from benchmarks.hosts import Host
from benchmarks.link import CLIENT, INTERFACE, SERVER, link
from benchmarks.processes import background
from benchmarks.table import table

RATES = [2, 10, 50]
# The time in seconds for which a full queue delays a packet.
QUEUE = 0.5
NAMES = ["example.com", "a.example.com", "b.example.com", "c.example.com", "d.example.com"]
PORT = 8054
DSCP = 45
# A queue of as few packets loses many.
SHORT_QUEUE = 15
# Each run transfers more than that without a limit, in MB.
LIMITS = [10, 20, 40]
DOWNLOAD = ["--load", f"http://{SERVER}:{PORT}/download"]


def under_load():
    """Prints the added time beside the queue, for transports, and the transferred bytes beside their limit."""
    _downloads()
    _uploads()
    _transports()
    _limits()


def _downloads():
    print(
        "A download from `dnstempo load-peer` fills a link whose server end has `tbf latency 500ms`. *Queue*: "
        "backlog ÷ rate, by `tc -s`, when each query was sent. *Line*: bytes at the client's device. Times are "
        "medians in ms.\n"
    )
    rows = []
    with _network() as (host, name_server):
        for rate in RATES:
            with _limited(host, rate), _Backlog(host) as backlog:
                report, samples, used = _compare(
                    [f"bench={SERVER}:{name_server}"], DOWNLOAD, limit=rate * 16
                )
            rows.append(_queue_row(rate, report, samples, backlog, used))
    header = ["rate", "idle", "loaded", "added", "queue", "difference", "throughput", "line", "limit"]
    table(header, rows)


def _uploads():
    print(
        f"\nAn upload fills the client's device, where a class of `htb` precedes the others for DSCP {DSCP}. "
        "Times are medians in ms.\n"
    )
    rows = []
    with _network() as (host, name_server):
        for rate in RATES:
            with _classes(rate):
                load = ["--load-upload", f"http://{SERVER}:{PORT}/upload", "--dscp", str(DSCP)]
                report, _, _ = _compare([f"bench={SERVER}:{name_server}"], load, limit=rate * 16)
            rows.append(_marked_row(rate, report))
    table(["rate", "idle", "loaded", "marked", "marked − idle", "marking saves"], rows)


def _transports():
    rate = RATES[1]
    print(
        f"\nA download at {rate} Mbit/s through a queue of {SHORT_QUEUE} packets. Queries over kept connections. "
        "Times are quantiles in ms of answered queries.\n"
    )
    with _network() as (host, _), answering_everywhere(host) as found, _limited(host, rate):
        short = ["parent", "1:1", "pfifo", "limit", str(SHORT_QUEUE)]
        _tc(host, "qdisc", "add", "dev", INTERFACE, *short)
        services = [found[name] for name in ("udp", "tls", "quic")]
        endpoints = [f"{service.transport}={service.endpoint}" for service in services]
        more = ["--ca", services[1].authority, "--rounds", "60", "--timeout", "2s"]
        _, samples, _ = _compare(endpoints, DOWNLOAD, limit=2000, more=more)
    table(["", "queries", "no answer", "idle", "loaded", "p90", "p95", "highest"],
          [_transport_row(service.transport, samples) for service in services])  # fmt: skip


def _limits():
    rate = RATES[1]
    print(f"\nDownloads at {rate} Mbit/s that their limit ends. *Line*: bytes at the client's device.\n")
    rows = []
    with _network() as (host, name_server), _limited(host, rate):
        for limit in LIMITS:
            report, _, used = _compare([f"bench={SERVER}:{name_server}"], DOWNLOAD, limit=limit)
            told = report["load"]["bytes"]
            rows.append([
                f"{limit} MB", f"{told / 1e6:.2f} MB", f"{used / 1e6:.2f} MB", str(report["rounds"])
            ])  # fmt: skip
    table(["limit", "reported", "line", "rounds"], rows)


@contextlib.contextmanager
def _network():
    """Starts a name server and the peer at the server's end of a link."""
    with contextlib.ExitStack() as stack:
        host = stack.enter_context(link("under-load"))
        port = stack.enter_context(servers.unbound(host))
        # The user's configuration may allow other networks only.
        home = stack.enter_context(tempfile.TemporaryDirectory())
        peer = ["env", f"HOME={home}", clients.DNSTEMPO, "load-peer", "--listen", SERVER, "--port", str(PORT)]
        stack.enter_context(background(host.command(*peer)))
        yield host, port


@contextlib.contextmanager
def _limited(host, rate):
    _tc(host, "qdisc", "add", "dev", INTERFACE, "root", "handle", "1:", "tbf", "rate", f"{rate}mbit",
        "burst", "5kb", "latency", f"{QUEUE * 1000:.0f}ms")  # fmt: skip
    try:
        yield
    finally:
        _tc(host, "qdisc", "del", "dev", INTERFACE, "root")


@contextlib.contextmanager
def _classes(rate):
    """Limits the client's device. Packets with the DSCP have their own class, which comes first."""
    here, device = Host(CLIENT, ""), ["dev", INTERFACE]
    bursts = ["burst", "3k", "cburst", "3k"]
    full = f"{rate}mbit"
    _tc(here, "qdisc", "add", *device, "root", "handle", "1:", "htb", "default", "20")
    try:
        _tc(here, "class", "add", *device, "parent", "1:", "classid", "1:1", "htb", "rate", full, *bursts)
        for number, share, first in ((10, f"{rate * 50}kbit", "0"), (20, f"{rate * 950}kbit", "1")):
            _tc(here, "class", "add", *device, "parent", "1:1", "classid", f"1:{number}", "htb", "rate", share,
                "ceil", full, "prio", first, *bursts)  # fmt: skip
        _tc(here, "qdisc", "add", *device, "parent", "1:20", "bfifo", "limit", str(int(rate * 125_000 * QUEUE)))
        _tc(here, "filter", "add", *device, "parent", "1:", "protocol", "ip", "u32", "match", "ip", "tos",
            hex(DSCP << 2), "0xfc", "flowid", "1:10")  # fmt: skip
        yield
    finally:
        _tc(here, "qdisc", "del", *device, "root")


def _tc(host, *words):
    subprocess.run(host.command("tc", *words), check=True)


class _Backlog:
    """Reads the backlog of the server's queue every 5 ms."""

    def __init__(self, host):
        self.command = host.command("tc", "-s", "-j", "qdisc", "show", "dev", INTERFACE)
        self.readings = []
        self.goes_on = True
        self.thread = threading.Thread(target=self._read)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.goes_on = False
        self.thread.join()

    def _read(self):
        while self.goes_on:
            before = time.time_ns()
            done = subprocess.run(self.command, capture_output=True, text=True)
            after = time.time_ns()
            with contextlib.suppress(ValueError, IndexError, KeyError):
                self.readings.append(((before + after) // 2, json.loads(done.stdout)[0]["backlog"]))
            time.sleep(0.005)

    def at(self, moment):
        """Returns the bytes in the queue at a time in nanoseconds since 1970, interpolated."""
        earlier = [reading for reading in self.readings if reading[0] <= moment]
        later = [reading for reading in self.readings if reading[0] > moment]
        if not earlier or not later:
            return None
        (first, low), (second, high) = earlier[-1], later[0]
        return low + (high - low) * (moment - first) / (second - first)


def _compare(endpoints, load, limit, more=()):
    """Runs a comparison under load. Returns its report, its samples, and the bytes at the client's device."""
    with tempfile.TemporaryDirectory() as folder:
        report, samples = os.path.join(folder, "r.json"), os.path.join(folder, "s.csv")
        command = [clients.DNSTEMPO, "compare", *endpoints, "--under-load", *load, *more]
        command += ["--load-limit", f"{limit}MB", "--no-check", "--no-store", "--quiet", "--rate", "10"]
        for name in NAMES:
            command += ["-d", name]
        before = _device_bytes()
        done = processes.run(command + ["-o", report, "--samples", samples], limit=600, home=folder)
        if done.status != 0:
            raise SystemExit(f"bench: compare --under-load failed: {done.errors.strip()}")
        used = _device_bytes() - before
        with open(report) as file:
            return json.load(file)["under_load"], clients.all_rows(samples), used


def _device_bytes():
    show = ["ip", "-s", "-j", "link", "show", "dev", INTERFACE]
    counts = json.loads(subprocess.run(show, capture_output=True, check=True).stdout)[0]["stats64"]
    return counts["rx"]["bytes"] + counts["tx"]["bytes"]


def _queue_row(rate, report, samples, backlog, used):
    row = report["rows"][0]
    idle = row["idle_median_ms"]
    added, queued = [], []
    for sample in samples:
        if sample["series"] != "loaded" or sample["outcome"] != "answered":
            continue
        size = backlog.at(clients.nanoseconds(sample["sent"]))
        if size is not None:
            added.append(float(sample["rtt_ms"]) - idle)
            queued.append(size * 8 / (rate * 1e6) * 1e3)
    measured, expected = statistics.median(added), statistics.median(queued)
    load = report["load"]
    return [
        f"{rate} Mbit/s", f"{idle:.2f}", f"{row['loaded_median_ms']:.1f}", f"{measured:.1f}", f"{expected:.1f}",
        f"{(measured / expected - 1) * 100:+.1f} %", f"{load['download_bps'] / 1e6:.2f} Mbit/s",
        f"{used / 1e6:.1f} MB", f"{load['limit_bytes'] / 1e6:.0f} MB",
    ]  # fmt: skip


def _marked_row(rate, report):
    row = report["rows"][0]
    idle, marked = row["idle_median_ms"], row["marked_median_ms"]
    return [
        f"{rate} Mbit/s", f"{idle:.2f}", f"{row['loaded_median_ms']:.1f}", f"{marked:.2f}",
        f"{marked - idle:.2f}", f"{row['saved']['median_ms']:.1f}",
    ]  # fmt: skip


def _transport_row(transport, samples):
    def times(series):
        return sorted(
            float(sample["rtt_ms"])
            for sample in samples
            if (sample["transport"], sample["series"], sample["outcome"]) == (transport, series, "answered")
        )

    sent = sum((sample["transport"], sample["series"]) == (transport, "loaded") for sample in samples)
    idle, loaded = times("cached"), times("loaded")
    tail = statistics.quantiles(loaded, n=20)
    numbers = [statistics.median(idle), statistics.median(loaded), tail[17], tail[18], loaded[-1]]
    return [transport.upper(), str(sent), str(sent - len(loaded)), *(f"{number:.1f}" for number in numbers)]
