"""Costs of the program: processor time, start, memory, and the time to build."""

import multiprocessing
import os
import re
import statistics
import subprocess
import tempfile

from benchmarks import clients
from benchmarks.encrypted_servers import encrypted
from benchmarks.hosts import CERTIFIED, LOOPBACK, Service
from benchmarks.processes import own_peak, run
from benchmarks.servers import many, unbound
from benchmarks.table import table

RATE = 20_000
SECONDS = 5
RUNS = 5
DIGS = 200
STARTS = 100
RESOLVERS = 1_000
NAMES = 20
ENCRYPTED = 500


def cpu():
    """Prints the processor time per query at one rate, and its ratio to dnsperf's in alternating runs."""
    with unbound() as port:
        service = Service("udp", LOOPBACK.address, port)
        # The runs alternate, so that other load of the machine affects both programs equally.
        runs = [(run_or_none(dnstempo_cpu, service), run_or_none(dnsperf_cpu, service))
                for _ in range(RUNS)]  # fmt: skip
        dig = run_or_none(dig_cpu, service)
    print(f"Processor time (user and system) per query over UDP. The requested rate is {RATE:,}")
    print(f"queries/s for {SECONDS} s. Medians of {RUNS} alternating runs. dnstempo writes report and")
    print("samples. dig runs one process per query, in sequence.\n")
    rows = []
    for name, found in [("dnstempo", [run[0] for run in runs]), ("dnsperf", [run[1] for run in runs]),
                        ("dig", [dig])]:  # fmt: skip
        found = sorted(run for run in found if run)
        cost, rate = found[len(found) // 2] if found else (None, None)
        rows.append([name, f"{cost:,.1f}" if cost else "–", f"{rate:,.0f}" if rate else "–"])
    table(["", "µs/query", "achieved queries/s"], rows)
    ratios = sorted(ours[0] / theirs[0] for ours, theirs in runs if ours and theirs)
    if ratios:
        middle = statistics.median(ratios)
        print(f"\ndnstempo takes {middle:.2f} times dnsperf's time ({ratios[0]:.2f} to {ratios[-1]:.2f}).")


def run_or_none(measure, service):
    """Returns microseconds per query and queries per second; None if the program is unavailable."""
    try:
        return measure(service)
    except clients.Unavailable as reason:
        print(f"{reason}\n")
        return None


def dnstempo_cpu(service):
    count = RATE * SECONDS
    with tempfile.TemporaryDirectory() as folder:
        options = {"samples": f"{folder}/x.csv", "more": ["-o", f"{folder}/x.json"]}
        finished = clients.compare([service.endpoint], count, RATE, RATE, **options)
    return finished.cpu / count * 1e6, count / finished.wall


def dnsperf_cpu(service):
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["-Q", str(RATE), "-l", str(SECONDS)]
        finished = run(clients.dnsperf_command(service, folder, *arguments))
    sent = re.search(r"Queries completed:\s+(\d+)", finished.output)
    rate = re.search(r"Queries per second:\s+([\d.]+)", finished.output)
    if not sent or not rate:
        raise clients.Unavailable(f"dnsperf failed: {finished.errors.strip()}")
    return finished.cpu / int(sent[1]) * 1e6, float(rate[1])


def dig_cpu(service):
    command = clients.dig_command(service)
    runs = [run(command, limit=30) for _ in range(DIGS)]
    cpu, wall = sum(run.cpu for run in runs), sum(run.wall for run in runs)
    return cpu / DIGS * 1e6, DIGS / wall


def start():
    """Prints processor time and time from start to exit, compared with dig in alternating runs."""
    commands = {
        "dig -v": ["dig", "-v"],
        "dnstempo --version": [clients.DNSTEMPO, "--version"],
        "dnstempo compare --help": [clients.DNSTEMPO, "compare", "--help"],
    }
    runs = {name: [] for name in commands}
    for _ in range(STARTS + 1):
        for name, command in commands.items():
            finished = run(command, limit=30)
            if finished.status != 0:
                raise SystemExit(f"bench: {name} failed: {finished.errors.strip()}")
            runs[name].append((finished.cpu * 1000, finished.wall * 1000))
    print(f"Processor time and time from start to exit: medians of {STARTS} alternating runs, after a")
    print("warm-up run. × is the median ratio to dig's run of the same turn.\n")
    rows = []
    digs = runs["dig -v"][1:]
    for name, values in runs.items():
        row = [name]
        for kind in range(2):
            own = [one[kind] for one in values[1:]]
            ratio = statistics.median(one / dig[kind] for one, dig in zip(own, digs))
            row += [f"{statistics.median(own):.2f}", f"{ratio:.2f}"]
        rows.append(row)
    table(["", "processor ms", "×", "elapsed ms", "×"], rows)


def memory():
    """Prints the peak memory of a round over many resolvers."""
    with many(RESOLVERS) as ports:
        endpoints = [f"127.0.0.1:{port}" for port in ports]
        names = [f"n{number}.example.com" for number in range(NAMES)]
        peak(f"{RESOLVERS:,} resolvers × {NAMES} names", endpoints, 2_000, names)
    with encrypted(ENCRYPTED) as (ports, certificate):
        endpoints = [f"tls://{LOOPBACK.address}:{port}#{CERTIFIED}" for port in ports]
        # All at the same time. Each resolver keeps a connection, and opens another for each first query.
        peak(f"{ENCRYPTED} resolvers over TLS", [*endpoints, "--ca", certificate], 1_000)


def peak(what, endpoints, total_rate, names=(clients.NAME,)):
    """Prints the peak memory and the time of one round."""
    floor = own_peak()
    try:
        finished = clients.compare(endpoints, 1, 20, total_rate, names=names)
    except clients.Unavailable as reason:
        print(f"Peak memory of {what}: {reason}")
        return
    bound = "at most " if finished.peak <= floor else ""
    print(f"Peak memory of {what}: {bound}{finished.peak / 2**20:.1f} MiB, ", end="")
    print(f"in {finished.wall:.1f} s.")


def build(revision=None):
    """Prints the time of a clean release build.

    With `revision`, builds this earlier revision at the same time. Both builds then run one job at a time.
    """
    with tempfile.TemporaryDirectory(
        dir=clients.ROOT, prefix=".build-bench-", ignore_cleanup_errors=True
    ) as folder:
        sources = [(clients.ROOT, os.path.join(folder, "build"))]
        if revision:
            before = os.path.join(folder, "before")
            os.mkdir(before)
            archive = subprocess.run(
                ["git", "-C", clients.ROOT, "archive", revision], capture_output=True
            )
            if archive.returncode != 0:
                raise SystemExit(f"bench: unknown revision '{revision}': use a revision that git knows")
            subprocess.run(["tar", "-x", "-C", before], input=archive.stdout, check=True)
            sources.append((before, os.path.join(before, ".build")))
        # The time of a build excludes the download of dependencies, so download them first.
        for source, scratch in sources:
            place = ["--package-path", source, "--scratch-path", scratch]
            subprocess.run(["swift", "package", *place, "resolve"], check=True, capture_output=True)
        jobs = 1 if revision else os.cpu_count()
        # The builds end with this scope, even after an interrupt.
        with multiprocessing.Pool(len(sources)) as pool:
            built = pool.starmap(clean_build, [(*source, jobs) for source in sources])
        for finished in built:
            if finished.status != 0:
                raise SystemExit(f"bench: the build failed:\n{finished.output}{finished.errors}")
        sizes = [os.path.getsize(f"{scratch}/release/dnstempo") / 2**20 for _, scratch in sources]
    finished = built[0]
    print(f"Clean release build on {os.cpu_count()} cores: {finished.wall:.0f} s", end="")
    print(f" ({finished.cpu:.0f} s of processor time). Size of the binary: {sizes[0]:.1f} MiB.")
    if revision:
        earlier = built[1]
        print(f"{revision}: {earlier.wall:.0f} s ({earlier.cpu:.0f} s), {sizes[1]:.1f} MiB. ", end="")
        print(f"The present build takes {finished.cpu / earlier.cpu:.2f} times its processor time.")


def clean_build(source, scratch, jobs):
    """Builds from an empty folder, and returns the finished process."""
    flags = f". '{source}/Scripts/flags'; exec swift build "
    # Earlier revisions also have `swift_flags`, in addition to the flags of a release.
    flags += '"${swift_flags[@]}" "${release_flags[@]}" "$@"'
    place = ["--package-path", source, "--scratch-path", scratch, "--jobs", str(jobs)]
    return run(["bash", "-c", flags, "swift", *place, "--product", "dnstempo"], limit=3_600)
