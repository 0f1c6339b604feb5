"""Generates months of samples in the format of `--samples`, and computes their exact quantiles."""

import array
import datetime
import math
import random

HEADER = (
    "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,rcode,"
    "rtt_ms,connect_ms,handshake_ms,udp_ms,ttl,answers,bytes,late_ms,clock,timeout_ms,cache,site,"
    "ede,connection,detail\n"
)
# Median round trip in milliseconds, standard deviation of its logarithm, share of lost queries.
RESOLVERS = {
    "system": (9.0, 0.35, 0.002),
    "meadow": (12.5, 0.25, 0.001),
    "brook": (14.0, 0.4, 0.0005),
    "harbour": (22.0, 0.3, 0.004),
    "glacier": (48.0, 0.2, 0.01),
}
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
# A usual interval of cron jobs.
EVERY = datetime.timedelta(minutes=5)
# Nanoseconds between queries: 15 queries per second in total, the default rate.
STEP = 1_000_000_000 // 15


def moment(round_number):
    """Returns the start of a round in UTC. Numbers of rounds begin at 0."""
    return START + round_number * EVERY


class Months:
    """Rounds of `names` names to five resolvers, every five minutes. Each round is a separate run."""

    def __init__(self, rounds, names, seed=2009):
        self.rounds = rounds
        self.names = [f"n{number}.example.com" for number in range(names)]
        self.samples = rounds * names * len(RESOLVERS)
        self.random = random.Random(seed)
        # Round trips in milliseconds by resolver, in the order of sending. A lost query is infinite.
        self.times = {name: array.array("d") for name in RESOLVERS}

    def write(self, path):
        """Writes the samples file."""
        with open(path, "w") as file:
            file.write(HEADER)
            for number in range(self.rounds):
                if self.is_measured(number):
                    file.write(self._round(number))

    def is_measured(self, number):
        """Returns whether the machine was on during a round. Subclasses override this."""
        return True

    def model(self, resolver, number):
        """Returns the median, spread and loss of a resolver in a round. Subclasses override this."""
        return RESOLVERS[resolver]

    def exact(self, resolver, part):
        """Returns the nearest-rank quantile of a resolver's round trips. Lost queries are infinite."""
        ordered = sorted(self.times[resolver])
        return ordered[max(0, math.ceil(part * len(ordered)) - 1)]

    def _round(self, number):
        draw = self.random
        start = moment(number)
        run = f"{start:%Y%m%dT%H%M%SZ}-{number:08x}"
        minute = f"{start:%Y-%m-%dT%H:%M:}"
        rows = []
        tick = draw.randrange(STEP)
        for name in self.names:
            ports = list(enumerate(RESOLVERS, 1))
            draw.shuffle(ports)
            for port, resolver in ports:
                median, spread, loss = self.model(resolver, number)
                late = draw.randrange(20_000, 180_000)
                sent = tick + late
                lost = draw.random() < loss
                time = math.inf if lost else round(median * math.exp(draw.gauss(0, spread)), 6)
                self.times[resolver].append(time)
                answer = (
                    "timeout,,,,,,,,"
                    if lost
                    else f"answered,NOERROR,{time:.6f},,,,{300 - number % 300},1,{56 + port % 4}"
                )
                rows.append(
                    f"{run},1,{minute}{tick // 10**9:02d}.{tick % 10**9:09d}Z,"
                    f"{minute}{sent // 10**9:02d}.{sent % 10**9:09d}Z,home,{resolver},"
                    f"192.0.{port}.1:53,udp,cached,{name},A,{answer},"
                    f"{late / 1e6:.6f},kernel,5000.000,,,,,\n"
                )
                tick += STEP
        return "".join(rows)
