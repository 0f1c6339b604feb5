"""A central store in PostgreSQL, beside what SQLite does with the same rounds."""

import contextlib
import glob
import os
import pwd
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


@contextlib.contextmanager
def postgresql():
    """PostgreSQL with an empty database, as a user of its own where this one is root."""
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not programs:
        raise SystemExit("bench: install the package postgresql")
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
    """Seconds of the server and of its processes that have ended."""
    with open(f"/proc/{server.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(fields[place]) for place in range(11, 15)) / os.sysconf("SC_CLK_TCK")


def database_size(port):
    psql(port, "VACUUM")
    return int(psql(port, "SELECT pg_database_size('postgres')"))


def fleet():
    """Prints what shipping costs beside a merge, and the room that rounds take."""
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
        print(f"{samples.samples:,} samples in {ROUNDS:,} rounds; the middle of three runs in turn.\n")
        table(
            ["", "client, CPU s", "server, CPU s", "of a merge", "bytes a sample"],
            [
                ["store merge", f"{merge:.1f}", "–", "1.00", f"{size(own) / samples.samples:.1f}"],
                [
                    "store ship", f"{client:.1f}", f"{central:.1f}",
                    f"{(client + central) / merge:.2f}", f"{room:.1f}",
                ],
            ],
        )  # fmt: skip
        print(f"\nNothing to ship: {sorted(again)[1] * 1000:.0f} ms from start to exit.")
        print(f"{SHIPPERS} shippers at once: {few:.2f} of the server's CPU of one after the other.")


def enrol(port, number, folder):
    command = [clients.DNSTEMPO, "store", "enrol", f"place {number}", "--store", url(port)]
    finish(command, home=folder)


def shipping(store, port, number):
    role = url(port, f"dnstempo_{number}")
    return [clients.DNSTEMPO, "store", "ship", "--store", store, "--to", role, "-q"]


def ship(store, port, number, server, folder):
    """Seconds of the client and of the server."""
    before = server_cpu(server)
    client = finish(shipping(store, port, number), home=folder).cpu
    return client, server_cpu(server) - before


def several(folder, server, port, first):
    """The server's processor time of shippers at once, as a share of those one after the other."""
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
