"""Compares a run's predictions of strategies with forwarders that use them at the same time."""

import contextlib
import csv
import json
import math
import os
import random
import selectors
import socket
import sys
import tempfile
import threading
import time

from benchmarks import bursty, clients, servers, stub
from benchmarks.hosts import LOOPBACK
from benchmarks.processes import background, run
from benchmarks.table import quantile, table

ADDRESSES = ["127.53.0.1", "127.53.0.2", "127.53.0.3"]
NAMES = [f"{letter}.example.com" for letter in "abcdefghij"]
ROUNDS, RATE, PACE = 800, 10, 10
TIMEOUT = 5
DNSMASQ = """
no-resolv
no-hosts
cache-size=0
{more}
listen-address={address}
bind-interfaces
"""
# dnsdist drops a query without an answer before the client's timeout.
DNSDIST = 'setSecurityPollSuffix("")\naddLocal("{address}:{port}")\nsetServerPolicy({policy})\n'


def strategies():
    """Prints quantiles of look-ups through forwarders, and the predictions for the same strategies."""
    if sys.platform != "linux" or os.geteuid() != 0:
        raise SystemExit("bench: strategies requires root on Linux, for port 53 and a mount "
                         "namespace: run sudo Scripts/bench strategies")  # fmt: skip
    seconds = ROUNDS * len(NAMES) / RATE
    with contextlib.ExitStack() as stack:
        program = [sys.executable, bursty.__file__, "1", *ADDRESSES]
        stack.enter_context(background(program))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        forwarders = {
            "dnsmasq --all-servers": stack.enter_context(_dnsmasq("all-servers")),
            "dnsmasq": stack.enter_context(_dnsmasq()),
            "dnsdist roundrobin": stack.enter_context(_dnsdist("roundrobin")),
            "dnsdist firstAvailable": stack.enter_context(_dnsdist("firstAvailable")),
        }
        measured = {}
        looks = threading.Thread(target=lambda: measured.update(_look_ups(forwarders, seconds)))
        looks.start()
        with _glibc(folder, seconds) as glibc:
            _measure(folder)
            measured["glibc timeout:1"] = [float(line) for line in glibc()]
        looks.join()
        predicted = [_predicted(folder, f"{folder}/{part}.csv") for part in ("run", "apart")]
    _print(measured, predicted, seconds)


def _print(measured, predicted, seconds):
    minutes = f"{seconds / 60:.0f} minutes"
    print(f"Look-ups in ms with three resolvers: {PACE} per second through each forwarder, for {minutes}:\n")
    kinds = {
        "dnsmasq --all-servers": ("race", 3), "dnsmasq": ("winners", None), "glibc timeout:1": ("failover", 2),
        "dnsdist roundrobin": ("shares", 3), "dnsdist firstAvailable": ("alone", 1),
    }  # fmt: skip
    rows = []
    for forwarder, (kind, size) in kinds.items():
        times = measured[forwarder]
        at_once, apart = (_row(part, kind, size) for part in predicted)
        p95, told = quantile(times, 0.95), at_once["p95_ms"]
        both = p95 < math.inf and told is not None
        rows.append([
            forwarder, _ms(quantile(times, 0.5)), _ms(at_once["median_ms"]), _ms(p95), _ms(told),
            " to ".join(map(_ms, at_once["p95_ci_ms"])),
            f"{(told / p95 - 1) * 100:+.1f} %" if both else "",
            " to ".join(map(_ms, apart.get("p95_bracket_ms", [apart["p95_ms"]]))) if apart else "",
        ])  # fmt: skip
    header = ["forwarder", "p50", "predicted", "p95", "predicted", "interval", "error", "without volleys"]
    table(header, rows)
    counts = ", ".join(f"{len(times)}" for times in measured.values())
    print(f"\nLook-ups: {counts}. In the run, {predicted[0][0]['lookups']} names went to all resolvers at "
          f"the same moment. In bursts of {bursty.BURST * 1000:.0f} ms, 8 % of the time, the line is slow "
          "for all resolvers.")  # fmt: skip


def _ms(time):
    return f"> {TIMEOUT} s" if time is None or time == math.inf else f"{time:.1f}"


def _row(predicted, kind, size):
    rows = (row for row in predicted if row["strategy"] == kind)
    return next((row for row in rows if size in (None, len(row["resolvers"]))), None)


def _measure(folder):
    """Runs `compare` on the same resolvers, and writes its samples to run.csv.

    Writes to apart.csv only names that the run did not send to all resolvers at the same moment.
    """
    endpoints = [f"r{k}={address}" for k, address in enumerate(ADDRESSES)]
    clients.compare(
        endpoints, ROUNDS, RATE, RATE * len(endpoints), names=NAMES, limit=1800,
        samples=f"{folder}/run.csv",
        more=["--baseline", "r0", "--timeout", f"{TIMEOUT}s", "--no-check"],
    )  # fmt: skip
    blocks = {}
    with open(f"{folder}/run.csv", newline="") as file:
        for row in csv.DictReader(file):
            blocks.setdefault(row["round"], {}).setdefault(row["name"], []).append(row)
    with open(f"{folder}/apart.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, row.keys())
        writer.writeheader()
        for names in blocks.values():
            apart = [rows for rows in names.values() if len({one["scheduled"] for one in rows}) > 1]
            # A complete round has the same names as the others. So the first names of NAMES replace these
            # names.
            for name, rows in zip(NAMES, apart):
                writer.writerows({**one, "name": name} for one in rows)


def _predicted(folder, samples):
    command = [clients.DNSTEMPO, "report", samples, "--baseline", "r0", "--strategies"]
    finished = run([*command, "--format", "json"], home=folder)
    if finished.status != 0:
        raise SystemExit(f"bench: report failed with status {finished.status}: {finished.errors}")
    return json.loads(finished.output)["strategies"]["rows"]


def _dnsmasq(more=""):
    servers_ = "".join(f"server={address}\n" for address in ADDRESSES)
    return servers.server(
        LOOPBACK, ["dnsmasq", "--keep-in-foreground", "--user=", "--pid-file=", "-C"],
        lambda port: DNSMASQ.format(address=LOOPBACK.address, more=more)
        + f"port={port}\n" + servers_,
    )  # fmt: skip


def _dnsdist(policy):
    backends = "".join(f'newServer("{address}:53"):setUp()\n' for address in ADDRESSES)
    return servers.server(
        LOOPBACK, ["dnsdist", "--supervised", "--disable-syslog", "-C"],
        lambda port: DNSDIST.format(address=LOOPBACK.address, port=port, policy=policy) + backends,
    )  # fmt: skip


@contextlib.contextmanager
def _glibc(folder, seconds):
    """Runs look-ups by glibc, with the first two resolvers in resolv.conf.

    Yields a function that waits for the look-ups and returns their times.
    """
    with open(f"{folder}/resolv.conf", "w") as file:
        file.writelines(f"nameserver {address}\n" for address in ADDRESSES[:2])
        file.write("options timeout:1 attempts:2\n")
    with open(f"{folder}/nsswitch.conf", "w") as file:
        file.write("hosts: dns\n")
    files = ("resolv.conf", "nsswitch.conf")
    mounts = [f"mount --bind {folder}/{name} /etc/{name}" for name in files]
    script = " && ".join([*mounts, 'exec "$@"'])
    words = ["unshare", "--mount", "sh", "-c", script, "sh"]
    command = [*words, sys.executable, stub.__file__, str(seconds), str(PACE)]
    with open(f"{folder}/glibc", "w+") as output, background(command, log=output) as child:

        def times():
            child.wait(timeout=seconds + 60)
            output.seek(0)
            return output.read().split()

        yield times


def _look_ups(forwarders, seconds):
    """Returns the times in ms of look-ups through each forwarder. Each look-up is sent when it is due."""
    drawn = random.Random(2)
    due = sorted(
        (n / PACE + drawn.random() / PACE, name, n)
        for name in forwarders for n in range(int(seconds * PACE))
    )  # fmt: skip
    sent, took = {}, {name: [] for name in forwarders}
    with contextlib.ExitStack() as stack:
        selector = stack.enter_context(selectors.DefaultSelector())
        sockets = {}
        for name, port in forwarders.items():
            client = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            client.connect((LOOPBACK.address, port))
            client.setblocking(False)
            selector.register(client, selectors.EVENT_READ, name)
            sockets[name] = client
        start = time.monotonic()
        end = start + seconds + TIMEOUT
        while time.monotonic() < end:
            while due and start + due[0][0] <= time.monotonic():
                _, name, number = due.pop(0)
                sent[name, number % 65536] = time.monotonic()
                sockets[name].send(_query(number))
            until = start + due[0][0] if due else end
            for key, _ in selector.select(max(0, until - time.monotonic())):
                answer = key.fileobj.recv(4096)
                begun = sent.pop((key.data, int.from_bytes(answer[:2])), None)
                # An error such as SERVFAIL is not an answer.
                if begun is not None and answer[3] & 15 == 0:
                    took[key.data].append((time.monotonic() - begun) * 1000)
    for name in forwarders:
        took[name] += [math.inf] * (int(seconds * PACE) - len(took[name]))
    return took


def _query(number):
    label = f"look{number}".encode()
    name = bytes([len(label)]) + label + b"\7example\3com\0"
    return (number % 65536).to_bytes(2) + b"\1\0\0\1\0\0\0\0\0\0" + name + b"\0\1\0\1"
