"""The simulated time per processor hour of Scripts/simulate."""

import os
import re
import subprocess
import sys

from benchmarks.table import table

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "simulate")
SECONDS = 300
NAMES = ["place-years", "histories", "processes", "rounds", "queries", "crashes", "writes", "pages"]


def simulation():
    """Prints what the simulation does in some minutes on all processors."""
    jobs = os.cpu_count() or 1
    words = [SCRIPT, "--seconds", str(SECONDS), "--jobs", str(jobs)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    summary = done.stdout.splitlines()[0]
    rate = re.search(r"(\d+) place-years per hour and core", summary)
    counts = [re.search(rf"(\d+) {name}", summary) for name in NAMES]
    if not rate or not all(counts):
        sys.exit(f"an unknown summary: {summary}")
    print(f"{SECONDS} s on {jobs} cores, without a violation:\n")
    rows = [[name.capitalize(), f"{int(count[1]):,}"] for name, count in zip(NAMES, counts)]
    table(["", ""], rows + [["**Place-years per hour and core**", f"{int(rate[1]):,}"]])
