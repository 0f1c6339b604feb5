"""kdig's times on one connection that it keeps, its queries as far apart as another's."""

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
    """One kdig that sends `rate` queries a second, the first of which opens the connection.

    kdig knows no pause between its queries, but writes what came of each, at once, before it sends
    the next. Its output is a pipe that holds one write (pipe(2), O_DIRECT): for each that is read,
    one query goes out.
    """
    # The first three are sent before or as the first of them is read.
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
    """One kdig that sends a query as soon as the one before is answered."""
    return _reports(processes.run(kdig_command(service, *[NAME] * (count + 1))).output, count)


def _next(reader):
    """What kdig has written at once; nothing at its end."""
    ready, _, _ = select.select([reader], [], [], PATIENCE)
    if not ready:
        raise Unavailable("kdig had no answers on a connection that it keeps")
    return os.read(reader, 65_536).decode()


def _reports(output, count):
    """Those of the last `count` queries."""
    times = re.findall(KDIG_TIME, output)
    if len(times) < count:
        raise Unavailable("kdig had no answers on a connection that it keeps")
    return [Report(clients.from_milliseconds(text)) for text in times[-count:]]
