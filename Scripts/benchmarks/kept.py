"""Times of kdig on one kept connection, with queries as far apart as those of other tools."""

import contextlib
import fcntl
import os
import re
import select
import time

from benchmarks import clients, processes
from benchmarks.clients import KDIG_TIME, NAME, Report, Unavailable, kdig_command

PATIENCE = 10


def kdig(service, count, rate):
    """Runs one kdig that sends `rate` queries per second. The first query opens the connection.

    kdig has no option for a pause between queries. It writes the result of each query before it sends the
    next query. Its output is a pipe that holds one write (pipe(2), O_DIRECT). So kdig sends one query for
    each result that is read.
    """
    # kdig has sent three queries once the first result is read. These three queries are not counted.
    command = kdig_command(service, *[NAME] * (count + 3))
    reader, writer = os.pipe2(os.O_DIRECT | os.O_CLOEXEC)
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, reader)
        with open(writer, "wb") as output:
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            stack.enter_context(processes.background(command, log=output))
        text = ""
        while output := _next(reader):
            text += output
            if re.search(KDIG_TIME, output):
                time.sleep(1 / rate)
    return _reports(text, count)


def kdig_at_once(service, count):
    """Runs one kdig that sends each query as soon as the previous query is answered."""
    return _reports(processes.run(kdig_command(service, *[NAME] * (count + 1))).output, count)


def _next(reader):
    """Returns one write of kdig; an empty text at its end."""
    ready, _, _ = select.select([reader], [], [], PATIENCE)
    if not ready:
        raise Unavailable("kdig got no answers on a kept connection")
    return os.read(reader, 65_536).decode()


def _reports(output, count):
    """Returns the reports of the last `count` queries."""
    times = re.findall(KDIG_TIME, output)
    if len(times) < count:
        raise Unavailable("kdig got no answers on a kept connection")
    return [Report(clients.from_milliseconds(text)) for text in times[-count:]]
