"""Checks that a watch stays on time with a malicious central store or receiver."""

import datetime
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from benchmarks import clients
from benchmarks.processes import ENVIRONMENT, background
from benchmarks.table import table

ROUNDS = 20
# Upper bounds in seconds: for the delay until a round is stored, and for the end after SIGTERM.
LATEST, LAST = 2, 5
SERVER = f"{os.path.dirname(__file__)}/../../Tests/Servers/hostile-server.py"
CENTRES = (
    "silent", "drips-greeting", "drips-row", "drips-notices", "floods-greeting", "floods-rows",
    "floods-nulls", "floods-parameters", "floods-notifications", "copies-in", "copies-out",
    "copies-both", "empties", "errs", "notices",
)
RECEIVERS = ("takes-silently", "drips-head", "drips-body", "floods-head", "floods-body")


def targets():
    """Prints the delay until rounds of 1 s are stored and the time to end after SIGTERM, per attack."""
    rows = []
    for mode in CENTRES + RECEIVERS:
        late, end, peak, count = watch(mode)
        rows.append([mode, f"{count}", f"{late:.2f}", f"{end:.2f}", f"{peak:.0f}"])
        if late > LATEST or end > LAST or count < ROUNDS:
            raise SystemExit(f"bench: {mode}: a result missed its target: {rows[-1][1:]}")
    print(f"A watch with rounds of 1 s stores at least {ROUNDS} rounds. Late: the longest time from a")
    print("round's last query to its line of output. The watch prints the line after it stores the round.\n")
    table(["attack", "rounds", "late s", "SIGTERM s", "peak MiB"], rows)


def watch(mode):
    """Returns the longest delay of a round and the time to end in seconds, the peak memory in MiB, and the
    number of rounds."""
    with tempfile.TemporaryDirectory() as home, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        log, store = f"{home}/harm", f"{home}/watch.sqlite"
        if mode in RECEIVERS:
            target = ["--remote-write", f"http://127.0.0.1:{port}/api/v1/write"]
        else:
            url = f"postgresql://dnstempo_1@127.0.0.1:{port}/dns?sslmode=disable"
            target = ["--ship", url, "--ship-every", "1s"]
        command = [clients.DNSTEMPO, "watch", "--lab", "meadow", "--interval", "1s", "--no-check"]
        with background([sys.executable, SERVER, str(port), log, mode]):
            child = subprocess.Popen(
                [*command, "--store", store, *target],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={**ENVIRONMENT, "HOME": home},
            )
            lines = []

            def read():
                lines.extend(time.time() for line in child.stdout if line.startswith(b"round "))

            reader = threading.Thread(target=read)
            try:
                reader.start()
                time.sleep(ROUNDS + 3)
            finally:
                start = time.monotonic()
                child.send_signal(signal.SIGTERM)
                _, _, usage = os.wait4(child.pid, 0)
                child.returncode = 0
                end = time.monotonic() - start
                reader.join()
        if not os.path.exists(log):
            raise SystemExit(f"bench: {mode}: the attack did not start")
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
            stops = [stop for stop, in database.execute("SELECT stop FROM rounds ORDER BY round")]
        moments = [datetime.datetime.fromisoformat(stop[:26] + "+00:00").timestamp() for stop in stops]
        late = max(line - moment for line, moment in zip(lines, moments, strict=True))
        return late, end, usage.ru_maxrss / 1024, len(stops)
