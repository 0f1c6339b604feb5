"""Runs child processes to their end and measures their cost, or keeps them in the background."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

# A benchmark may send only to loopback, even if the caller's environment allows more.
ENVIRONMENT = {**os.environ, "DNSTEMPO_ALLOW_NET": "127.0.0.0/8,::1/128", "LC_ALL": "C.UTF-8"}


@contextlib.contextmanager
def variable(name, value):
    """Sets a variable of the programs that start within the scope."""
    before = dict(ENVIRONMENT)
    ENVIRONMENT[name] = value
    try:
        yield
    finally:
        ENVIRONMENT.clear()
        ENVIRONMENT.update(before)


def confined(network):
    """Allows programs that start within the scope to send only to `network`."""
    return variable("DNSTEMPO_ALLOW_NET", network)


@dataclass
class Finished:
    """A finished process. `wall` and `cpu` are in seconds, `peak` is the peak memory in bytes."""

    status: int
    output: str
    errors: str
    wall: float
    cpu: float
    peak: int


def run(arguments, limit=300, home=None):
    """Runs a program to its end, and kills it after `limit` seconds."""
    environment = {**ENVIRONMENT, "HOME": home} if home else ENVIRONMENT
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        child = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment
        )
        # child.kill() could reap a child that has just ended, and would lose its cost.
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
        # The child is reaped. The return code stops the object from another wait or signal to its ID.
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
    """Returns the peak memory of this process in bytes. A lower peak of a child is not measurable."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024)


@contextlib.contextmanager
def background(arguments, log=subprocess.DEVNULL, stop=signal.SIGTERM):
    """Keeps a program running for the scope, and stops it by its process ID at the end."""
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
    """Runs `count` busy processes for the scope. They end by themselves if this process is killed."""
    code = "import os\np = os.getppid()\nwhile os.getppid() == p: sum(range(100000))"
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(background([sys.executable, "-c", code]))
        yield
