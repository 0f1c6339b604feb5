"""Child processes: run to the end with their cost, or kept in the background for a while."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

# What a benchmark may send to: loopback, whatever the caller's environment says.
ENVIRONMENT = {**os.environ, "DNSTEMPO_ALLOW_NET": "127.0.0.0/8,::1/128", "LC_ALL": "C.UTF-8"}


@contextlib.contextmanager
def confined(network):
    """Has what is started within the scope send to `network` alone."""
    before = ENVIRONMENT["DNSTEMPO_ALLOW_NET"]
    ENVIRONMENT["DNSTEMPO_ALLOW_NET"] = network
    try:
        yield
    finally:
        ENVIRONMENT["DNSTEMPO_ALLOW_NET"] = before


@dataclass
class Finished:
    """A process that has ended: seconds of wall and processor time, peak bytes of memory."""

    status: int
    output: str
    errors: str
    wall: float
    cpu: float
    peak: int


def run(arguments, limit=300, home=None):
    """Runs a program to its end; what takes longer than `limit` seconds is killed."""
    environment = {**ENVIRONMENT, "HOME": home} if home else ENVIRONMENT
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        child = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment
        )
        # Not child.kill(): that reaps a child which has just ended, and its cost is lost.
        previous = signal.signal(signal.SIGALRM, lambda *_: os.kill(child.pid, signal.SIGKILL))
        signal.alarm(limit)
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            os.kill(child.pid, signal.SIGKILL)
            os.wait4(child.pid, 0)
            raise
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, previous)
            wall = time.monotonic() - start
        # The child is reaped: the object must not wait for it, or signal its number, again.
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Finished(
            child.returncode,
            output.read().decode(errors="replace"),
            errors.read().decode(errors="replace"),
            wall,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        )


def own_peak():
    """This process's peak memory in bytes: a child's figure cannot be told apart below it."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024)


@contextlib.contextmanager
def background(arguments, log=subprocess.DEVNULL, stop=signal.SIGTERM):
    """Keeps a program running for the scope; it is stopped by its process ID at the end."""
    child = subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=ENVIRONMENT
    )
    try:
        yield child
    finally:
        child.send_signal(stop)
        try:
            child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


@contextlib.contextmanager
def hogs(count):
    """Keeps `count` processes computing; each ends by itself should this process be killed."""
    code = "import os\np = os.getppid()\nwhile os.getppid() == p: sum(range(100000))"
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(background([sys.executable, "-c", code]))
        yield
