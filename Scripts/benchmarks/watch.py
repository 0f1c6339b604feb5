"""What a watch of many rounds costs while somebody looks on."""

import contextlib
import os
import pty
import signal
import subprocess
import tempfile
import threading

from benchmarks import clients
from benchmarks.processes import ENVIRONMENT
from benchmarks.servers import many

RESOLVERS = 5
NAMES = 20
SAMPLES = RESOLVERS * NAMES
# A watch has its tables, its connections and the largest log of its store by then.
BEGUN = 400
ROUNDS = BEGUN + 100_000 // SAMPLES


def growth():
    """Prints how much more memory a watch takes after another 100,000 samples."""
    with many(RESOLVERS) as ports, tempfile.TemporaryDirectory() as home:
        command = [clients.DNSTEMPO, "watch", *(f"127.0.0.1:{port}" for port in ports)]
        for number in range(NAMES):
            command += ["-d", f"n{number}.example.com"]
        command += ["--warmup", "0", "--interval", "1ms", "--rate", "500", "--total-rate", "2500"]
        command += ["--store", f"{home}/watch.sqlite", "--rounds", str(ROUNDS)]
        with _terminal() as terminal:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=terminal,
                # One heap: how glibc spreads several over threads is no growth of the program's.
                env={**ENVIRONMENT, "HOME": home, "TERM": "xterm", "MALLOC_ARENA_MAX": "1"},
            )
            try:
                # A line a round, once it is stored.
                memory = {
                    number: _resident(child.pid)
                    for number, _ in enumerate(child.stdout, 1)
                    if number in (BEGUN, ROUNDS)
                }
            finally:
                child.send_signal(signal.SIGKILL)
                child.wait()
    if len(memory) < 2:
        raise SystemExit("bench: the watch ended before its rounds were taken")
    begun, ended = memory[BEGUN], memory[ROUNDS]
    print(f"Memory of a watch with its live view, {SAMPLES} samples a round: {begun:.1f} MiB after")
    print(f"{BEGUN} rounds, {ended - begun:+.2f} MiB after {ROUNDS - BEGUN:,} more.")


def _resident(pid):
    """The memory of a process that is in use: MiB."""
    with open(f"/proc/{pid}/status") as status:
        lines = [line for line in status if line.startswith("VmRSS:")]
    return int(lines[0].split()[1]) / 1024


@contextlib.contextmanager
def _terminal():
    """The end of a terminal that programs see; what they write to it is read and thrown away."""
    near, far = pty.openpty()

    def drain():
        with contextlib.suppress(OSError):
            while os.read(near, 1 << 16):
                pass

    reader = threading.Thread(target=drain)
    reader.start()
    try:
        yield far
    finally:
        os.close(far)
        reader.join()
        os.close(near)
