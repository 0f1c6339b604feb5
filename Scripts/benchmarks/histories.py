"""Generates samples of many places over weeks, as `watch` would have measured them."""

import datetime
import json
import math
import os
import random
import tempfile

from benchmarks import clients
from benchmarks.store import finish

HEADER = (
    "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,rcode,"
    "rtt_ms,clock,timeout_ms,origin,warmup_hits,warmup_misses\n"
)
# A Monday.
START = datetime.datetime(2026, 1, 5, tzinfo=datetime.timezone.utc)
# Base in milliseconds, scale of the jitter, and standard deviation of its logarithm.
PATHS = {"wired": (15.0, 1.5, 0.8), "wifi": (12.0, 8.0, 0.7)}
# Share of cache misses, which take 80 to 300 ms longer.
MISSES = 0.05
LOSSES = 0.005
# Standard deviation of the level in milliseconds, and the correlation of neighbouring hours.
DRIFT, CORRELATION = 0.4, 0.9
# Share of slow hours, and the mean of their additional milliseconds.
SLOW_HOURS, SLOWER = 0.015, 3.0
# Names of one warm-up.
WARMUP = 12


def moment(hour):
    """Returns a number of hours after the start as time in UTC."""
    return START + datetime.timedelta(hours=hour)


def hours(text):
    """Returns the hours from the start to a time of a report."""
    return (datetime.datetime.fromisoformat(text) - START).total_seconds() / 3600


class Place:
    """A place that measures resolvers. Each resolver has noise of its own."""

    def __init__(self, number, days, queries_a_day, path="wired", resolvers=5, shift=None, loss=None):
        """`shift` and `loss` return the milliseconds and the share of losses for a resolver and an hour."""
        self.name = f"place{number}"
        self.hours = 24 * days
        # Three names per round.
        self.every = 3 * 24 * 60 / queries_a_day
        self.path = path
        self.resolvers = resolvers
        self.shift = shift or (lambda resolver, hour: 0.0)
        self.loss = loss or (lambda resolver, hour: LOSSES)
        self.random = random.Random(number)

    def write(self, file):
        """Writes the rows of the place. Returns the number of samples."""
        draw = self.random
        levels = [self._levels() for _ in range(self.resolvers)]
        caches = [draw.uniform(0.4, 0.9) for _ in range(self.resolvers)]
        base, jitter, spread = PATHS[self.path]
        rounds = int(60 * self.hours / self.every)
        for number in range(rounds):
            at = number * self.every / 60
            hour = int(at)
            scheduled = f"{moment(at):%Y-%m-%dT%H:%M:%S}"
            prefix = f"{self.name},{number + 1},{scheduled}Z,{scheduled}.5Z,{self.name}"
            for resolver in range(self.resolvers):
                level = base + levels[resolver][hour] + self.shift(resolver, at)
                loss = self.loss(resolver, at)
                line = f"{prefix},r{resolver},192.0.{resolver}.1,udp,cached"
                tally = self._tally(caches[resolver], hour)
                for name in range(3):
                    warmup, tally = tally, ","
                    if draw.random() < loss:
                        file.write(
                            f"{line},n{name}.example.com,A,timeout,,,kernel,5000,watch,{warmup}\n"
                        )
                        continue
                    time = level + jitter * math.exp(draw.gauss(0, spread))
                    if draw.random() < MISSES:
                        time += draw.uniform(80, 300)
                    file.write(
                        f"{line},n{name}.example.com,A,answered,NOERROR,{time:.3f},kernel,5000,watch,"
                        f"{warmup}\n"
                    )
        return rounds * self.resolvers * 3

    def _levels(self):
        """Returns the additional milliseconds of each hour: a course of the day, a slow drift, slow hours."""
        draw = self.random
        course = draw.uniform(2, 3)
        state = draw.gauss(0, DRIFT)
        rest = DRIFT * math.sqrt(1 - CORRELATION**2)
        levels = []
        for hour in range(self.hours):
            state = CORRELATION * state + draw.gauss(0, rest)
            evening = max(0.0, math.sin((hour % 24 - 12) * math.pi / 12)) ** 2
            weekend = 1.0 if hour // 24 % 7 >= 5 else 0.0
            slow = draw.expovariate(1 / SLOWER) if draw.random() < SLOW_HOURS else 0.0
            levels.append(state + course * evening + weekend + slow)
        return levels

    def _tally(self, share, hour):
        """Returns the names that a warm-up found in the cache, and those that it did not find."""
        odds = math.log(share / (1 - share)) + 0.4 * math.sin((hour % 24 - 8) * math.pi / 12)
        hits = sum(self.random.random() < 1 / (1 + math.exp(-odds)) for _ in range(WARMUP))
        return f"{hits},{WARMUP - hits}"


def report(places):
    """Writes the samples of `places`, imports them into a store, and returns the report on changes.

    The second result is the number of samples.
    """
    with tempfile.TemporaryDirectory() as folder:
        samples, store = f"{folder}/samples.csv", f"{folder}/store.sqlite"
        with open(samples, "w") as file:
            file.write(HEADER)
            count = sum(place.write(file) for place in places)
        last = max(place.hours for place in places)
        return changes(samples, store, START, moment(last), folder), count


def changes(samples, store, start, end, folder):
    """Imports a samples file into a new store. Returns the report on the changes of a window as JSON."""
    finish([clients.DNSTEMPO, "store", "import", samples, "--store", store], home=folder)
    os.remove(samples)
    window = ["--since", f"{start:%Y-%m-%dT%H:%MZ}", "--until", f"{end:%Y-%m-%dT%H:%MZ}"]
    command = [clients.DNSTEMPO, "report", store, "--origin", "all", *window, "--changes"]
    return json.loads(finish([*command, "--format", "json"], home=folder).output)
