"""A central store in PostgreSQL, compared with SQLite on the same rounds."""

import contextlib
import datetime
import glob
import os
import pwd
import random
import shutil
import subprocess
import tempfile
import time

from benchmarks import clients
from benchmarks.processes import background
from benchmarks.samples import Months
from benchmarks.servers import free_port
from benchmarks.store import finish, remove, size
from benchmarks.table import table

ROUNDS, NAMES = 50_000, 8
SHIPPERS = 20
# For hourly ships: number of resolvers, names, rounds per ship, and ships.
HOURLY = 20, 10, 12, 8
# For the report over a year.
PLACES, RESOLVERS, HOURS = 100, 10, 8760


@contextlib.contextmanager
def postgresql():
    """Runs PostgreSQL with an empty database. Yields the server's process and its port.

    If this process is root, the server runs as the user postgres.
    """
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not programs:
        raise SystemExit("bench: PostgreSQL is missing: install the package postgresql")
    with tempfile.TemporaryDirectory() as folder:
        data, port = f"{folder}/data", free_port()
        os.mkdir(data, 0o700)
        prefix = []
        if os.getuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(data, owner.pw_uid, owner.pw_gid)
            os.chmod(folder, 0o755)
            prefix = [
                "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"
            ]  # fmt: skip
        made = [f"{programs[-1]}/initdb", "-D", data, "-A", "trust", "-U", "postgres"]
        subprocess.run(prefix + made, check=True, stdout=subprocess.DEVNULL)
        command = [f"{programs[-1]}/postgres", "-D", data, "-p", str(port), "-k", data]
        with background(prefix + command + ["-h", "127.0.0.1"]) as server:
            for _ in range(600):
                if psql(port, "SELECT 1", check=False) == "1":
                    break
                time.sleep(0.1)
            yield server, port
            shutil.rmtree(data, ignore_errors=True)


def url(port, role="postgres"):
    return f"postgresql://{role}@127.0.0.1:{port}/postgres?sslmode=disable"


def psql(port, sql, check=True):
    finished = subprocess.run(
        ["psql", "-X", "-q", "-A", "-t", "-d", url(port), "-c", sql],
        capture_output=True,
        text=True,
        check=check,
    )
    return finished.stdout.strip()


def server_cpu(server):
    """Returns the processor time of the server and its child processes in seconds.

    The sum includes ended children, even before the server has waited for them.
    """
    ticks = 0
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError), open(path) as file:
            text = file.read()
            fields = text.rsplit(")", 1)[1].split()
            if str(server.pid) in (text.split(" ", 1)[0], fields[1]):
                ticks += sum(int(fields[place]) for place in range(11, 15))
    return ticks / os.sysconf("SC_CLK_TCK")


def database_size(port):
    psql(port, "VACUUM")
    return int(psql(port, "SELECT pg_database_size('postgres')"))


def fleet():
    """Prints the cost of shipping compared with a merge, and the size of rounds."""
    with tempfile.TemporaryDirectory() as folder, postgresql() as (server, port):
        samples = Months(ROUNDS, NAMES)
        file, own = f"{folder}/samples.csv", f"{folder}/own.sqlite"
        samples.write(file)
        finish([clients.DNSTEMPO, "store", "import", file, "--store", own, "-q"], home=folder)
        finish([clients.DNSTEMPO, "store", "init", "--store", url(port)], home=folder)
        empty = database_size(port)
        merged, shipped, again = [], [], []
        for number in range(1, 4):
            other = f"{folder}/other.sqlite"
            command = [clients.DNSTEMPO, "store", "merge", own, "--store", other, "-q"]
            merged.append(finish(command, home=folder).cpu)
            remove(other)
            enrol(port, number, folder)
            shipped.append(ship(own, port, number, server, folder))
            again.append(finish(shipping(own, port, number), home=folder).wall)
        room = (database_size(port) - empty) / 3 / samples.samples
        few = several(folder, server, port, first=4)
        merge, client, central = (
            sorted(merged)[1], sorted(one[0] for one in shipped)[1],
            sorted(one[1] for one in shipped)[1],
        )  # fmt: skip
        print(f"{samples.samples:,} samples in {ROUNDS:,} rounds. Medians of three alternating runs.\n")
        table(
            ["", "client, CPU s", "server, CPU s", "share of a merge", "bytes per sample"],
            [
                ["store merge", f"{merge:.1f}", "–", "1.00", f"{size(own) / samples.samples:.1f}"],
                [
                    "store ship", f"{client:.1f}", f"{central:.1f}",
                    f"{(client + central) / merge:.2f}", f"{room:.1f}",
                ],
            ],
        )  # fmt: skip
        print(f"\nA ship without new rounds: {sorted(again)[1] * 1000:.0f} ms from start to exit.")
        print(f"{SHIPPERS} concurrent shippers take {few:.2f} times the server's CPU time of {SHIPPERS}")
        print("shippers in sequence.")
    hourly()
    year()


def enrol(port, number, folder):
    command = [clients.DNSTEMPO, "store", "enrol", f"place {number}", "--store", url(port)]
    finish(command, home=folder)


def shipping(store, port, number):
    role = url(port, f"dnstempo_{number}")
    return [clients.DNSTEMPO, "store", "ship", "--store", store, "--to", role, "-q"]


def ship(store, port, number, server, folder):
    """Ships a store. Returns the CPU seconds of the client and of the server."""
    before = server_cpu(server)
    client = finish(shipping(store, port, number), home=folder).cpu
    return client, server_cpu(server) - before


def several(folder, server, port, first):
    """Returns the server's CPU time of concurrent shippers, as a multiple of the same number in sequence."""
    samples = Months(1_000, NAMES)
    file, own = f"{folder}/few.csv", f"{folder}/few.sqlite"
    samples.write(file)
    finish([clients.DNSTEMPO, "store", "import", file, "--store", own, "-q"], home=folder)
    for number in range(first, first + 2 * SHIPPERS):
        enrol(port, number, folder)
    before = server_cpu(server)
    for number in range(first, first + SHIPPERS):
        finish(shipping(own, port, number), home=folder)
    alone = server_cpu(server) - before
    before = server_cpu(server)
    numbers = range(first + SHIPPERS, first + 2 * SHIPPERS)
    running = [subprocess.Popen(shipping(own, port, number)) for number in numbers]
    if any(child.wait() for child in running):
        raise SystemExit("bench: a shipper failed")
    return (server_cpu(server) - before) / alone


def hourly():
    """Prints the share of a core that the server takes for hourly ships of 1,000 places."""
    resolvers, names, rounds, ships = HOURLY
    with tempfile.TemporaryDirectory() as folder, postgresql() as (server, port):
        file, own = f"{folder}/hour.csv", f"{folder}/own.sqlite"
        finish([clients.DNSTEMPO, "store", "init", "--store", url(port)], home=folder)
        enrol(port, 1, folder)
        costs = []
        for hour in range(ships):
            write(file, [(hour, 5 * number) for number in range(rounds)], resolvers, names)
            finish([clients.DNSTEMPO, "store", "import", file, "--store", own, "-q"], home=folder)
            costs.append(ship(own, port, 1, server, folder)[1])
        cost = sum(costs) / ships
        print(
            f"\n1,000 places × {resolvers} resolvers × {names} names every five minutes, shipped every "
            f"hour: {cost * 1000:.0f} ms of the server per ship, {cost * 1000 / 36:.1f} % of a core "
            "in total.\n"
        )


def year():
    """Prints the time of a report over a year of many places, from sums of days and from sums of hours.

    One place ships a year of hourly rounds. The other places get copies of its rows, with their own numbers
    and names. Copies suffice, because this benchmark measures only reading.
    """
    with tempfile.TemporaryDirectory() as folder, postgresql() as (server, port):
        file, own = f"{folder}/year.csv", f"{folder}/year.sqlite"
        write(file, [(hour, 7) for hour in range(HOURS)], RESOLVERS, 8)
        finish([clients.DNSTEMPO, "store", "import", file, "--store", own, "-q"], home=folder)
        finish([clients.DNSTEMPO, "store", "init", "--store", url(port)], home=folder)
        enrol(port, 1, folder)
        ship(own, port, 1, server, folder)
        for number in range(2, PLACES + 1):
            enrol(port, number, folder)
        copy_first_place(port)
        rows = []
        for name, options in [("days", []), ("hours", ["--by", "weekday"])]:
            results = []
            for _ in range(3):
                before = server_cpu(server)
                report = [clients.DNSTEMPO, "report", "--store", url(port), "--since", "2025-01-01"]
                report += ["--until", "2026-01-01", *options, "-o", f"{folder}/report.json"]
                client = finish(report, home=folder)
                results.append((client.wall, client.cpu, server_cpu(server) - before))
            rows.append((name, *sorted(results)[1]))
        table(
            [f"a year, {PLACES} places × {RESOLVERS} resolvers", "wall s", "client, CPU s", "server, CPU s"],
            [[name, *(f"{figure:.2f}" for figure in figures)] for name, *figures in rows],
        )
        print(f"\nThe report from days takes {rows[0][1] / rows[1][1]:.3f} of the time from hours.")


def write(path, rounds, resolvers, names):
    """Writes a samples file. `rounds` has the hour of the year 2025 and the minute of each round."""
    draw = random.Random(2009)
    start = datetime.datetime(2025, 1, 1, tzinfo=datetime.timezone.utc)
    with open(path, "w") as file:
        file.write("run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,")
        file.write("outcome,rcode,rtt_ms,timeout_ms\n")
        for hour, minute in rounds:
            moment = start + datetime.timedelta(hours=hour, minutes=minute)
            time = f"{moment:%Y-%m-%dT%H:%M:%SZ}"
            for resolver in range(resolvers):
                for name in range(names):
                    took = (10 + 3 * resolver) * draw.lognormvariate(0, 0.3)
                    file.write(
                        f"r{hour}-{minute},1,{time},{time},place 1,resolver{resolver},"
                        f"192.0.2.{resolver}:53,udp,cached,n{name}.example,A,answered,NOERROR,"
                        f"{took:.6f},5000\n"
                    )


def copy_first_place(port):
    """Copies the rows of the first place to every other place."""
    tables = psql(
        port,
        "SELECT string_agg(table_name, ' ') FROM information_schema.columns "
        "WHERE table_schema = 'dnstempo' AND column_name = 'source' AND table_name IN "
        "(SELECT tablename FROM pg_tables WHERE schemaname = 'dnstempo') AND table_name <> 'shipped'",
    ).split()
    for name in tables:
        columns = psql(
            port,
            "SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) "
            f"FROM information_schema.columns WHERE table_schema = 'dnstempo' AND table_name = '{name}' "
            "AND column_name <> 'source'",
        )
        others = columns.replace("name", "'place ' || place") if name == "vantage" else columns
        psql(
            port,
            f'INSERT INTO dnstempo."{name}" (source, {columns}) SELECT place, {others} '
            f'FROM dnstempo."{name}", generate_series(2, {PLACES}) AS place WHERE source = 1',
        )
    psql(
        port,
        "UPDATE dnstempo.shipped SET (identity, round, rounds, longest) = "
        "(SELECT identity, round, rounds, longest FROM dnstempo.shipped WHERE source = 1) "
        "WHERE source > 1",
    )
    psql(port, "VACUUM ANALYZE")
