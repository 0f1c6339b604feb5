"""Simulated resolvers that share a line: python3 bursty.py SEED ADDRESS…

A resolver listens at port 53 of each address. The program runs until a signal ends it. Each resolver has
its own median time and losses. All have the same share of cache misses. In bursts, the line is slow for all
resolvers at the same time.
"""

import heapq
import math
import random
import selectors
import socket
import sys
import time

# Median milliseconds to an answer and share of lost queries, per resolver.
RESOLVERS = [(70, 0.08), (55, 0.005), (90, 0.005)]
MISSES, MISS = 0.05, 150
BURST, GAP, DELAY = 0.1, 1.15, (150, 350)
# The header of an answer with one record, after the ID. The record is 192.0.2.1, with a TTL of 300 s.
ANSWERED = b"\x81\x80\0\1\0\1\0\0\0\0"
RECORD = b"\xc0\x0c\0\1\0\1\0\0\1\x2c\0\4\xc0\0\2\1"


class Line:
    """Bursts on the line. Each burst delays all answers by the same time.

    `now` takes the time in seconds, and returns the delay in milliseconds.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.start = self.end = time.monotonic()
        self.delay = 0

    def now(self, moment):
        while moment >= self.end:
            self.start = self.end + self.random.expovariate(1 / GAP)
            self.end = self.start + BURST
            self.delay = self.random.uniform(*DELAY)
        return self.delay if moment >= self.start else 0


def main(seed, addresses):
    line, drawn = Line(seed), random.Random(seed + 1)
    waiting = []
    with selectors.DefaultSelector() as selector:
        for (median, lost), address in zip(RESOLVERS, addresses):
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            server.bind((address, 53))
            server.setblocking(False)
            selector.register(server, selectors.EVENT_READ, (median, lost))
        while True:
            pause = max(0, waiting[0][0] - time.monotonic()) if waiting else None
            for key, _ in selector.select(pause):
                query, peer = key.fileobj.recvfrom(4096)
                moment = time.monotonic()
                median, lost = key.data
                took = median * math.exp(drawn.gauss(0, 0.15)) + line.now(moment)
                if drawn.random() < MISSES:
                    took += drawn.expovariate(1 / MISS)
                if drawn.random() >= lost:
                    answer = query[:2] + ANSWERED + query[12 : query.index(0, 12) + 5] + RECORD
                    entry = (moment + took / 1000, id(answer), key.fileobj, answer, peer)
                    heapq.heappush(waiting, entry)
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, server, answer, peer = heapq.heappop(waiting)
                server.sendto(answer, peer)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
