"""Growth of a watch's memory over many rounds, with its live view on a terminal."""

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
# After this number of rounds, a watch has its tables, its connections and the largest log of its store.
BEGUN = 400
ROUNDS = BEGUN + 100_000 // SAMPLES


def growth():
    """Prints the growth of a watch's memory over another 100,000 samples."""
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
                # One heap. Growth of glibc's heaps per thread is not growth of the program.
                env={**ENVIRONMENT, "HOME": home, "TERM": "xterm", "MALLOC_ARENA_MAX": "1"},
            )
            try:
                # The watch prints a line per round, after it stores the round.
                memory = {
                    number: _resident(child.pid)
                    for number, _ in enumerate(child.stdout, 1)
                    if number in (BEGUN, ROUNDS)
                }
            finally:
                child.send_signal(signal.SIGKILL)
                child.wait()
    if len(memory) < 2:
        raise SystemExit("bench: the watch ended before its last round")
    begun, ended = memory[BEGUN], memory[ROUNDS]
    print(f"Memory of a watch with its live view, {SAMPLES} samples per round: {begun:.1f} MiB after")
    print(f"{BEGUN} rounds. Growth over the next {ROUNDS - BEGUN:,} rounds: {ended - begun:+.2f} MiB.")


def _resident(pid):
    """Returns the resident memory of a process in MiB."""
    with open(f"/proc/{pid}/status") as status:
        lines = [line for line in status if line.startswith("VmRSS:")]
    return int(lines[0].split()[1]) / 1024


@contextlib.contextmanager
def _terminal():
    """Yields the programs' end of a pseudo-terminal. Their output is read and discarded."""
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
