"""Change detection over months: changes that are found, and false alarms."""

from benchmarks import clients
from benchmarks.processes import run
from benchmarks.table import table

HEADER = [
    "path, step in ms",
    "found",
    "after h, median",
    "max",
    "error of size in ms, median",
    "max",
    "error of time in h, max",
]


def changes():
    """Prints the results of change detection on generated histories of sixty days."""
    command = ["env", "DNSTEMPO_BENCH=1", "swift", "test", "--package-path", clients.ROOT]
    finished = run([*command, "--disable-xctest", "--filter", "ChangeBenchTests"], limit=1_800)
    lines = [line for line in finished.output.splitlines() if line.startswith("changes|")]
    rows = []
    for line in sorted(lines):
        _, path, step, *figures = line.split("|")
        rows.append([f"{path}, {step}", *figures])
    if rows:
        table(HEADER, rows)
    if finished.status != 0:
        raise SystemExit(f"bench: a result missed its target:\n{finished.output}{finished.errors}")
