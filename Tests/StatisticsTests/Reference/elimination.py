"""The reference of the elimination: the candidates that each round queries, and the answer.

Resolver 0 is the baseline. Times are in milliseconds. A time is None if a resolver was not
queried, and inf without an answer.
"""

from math import cos, exp, inf, lgamma, log, log1p, pi

ALPHA = 0.05
BETS = [2 * cos(pi * (2 * j - 1) / 128) for j in range(1, 33)]


def log_mean_exp(values):
    top = max(values)
    return top + log(sum(exp(value - top) for value in values) / len(values))


class OneSided:
    """The evidence ln E that shares are above ½, and its maximum so far."""

    def __init__(self):
        self.sums = [0.0] * 32
        self.last = self.greatest = 0.0

    def add(self, share):
        self.sums = [total + log1p(bet * (share - 0.5)) for total, bet in zip(self.sums, BETS)]
        self.last = log_mean_exp(self.sums)
        self.greatest = max(self.greatest, self.last)


def difference(a, b):
    return 0.0 if a == b == inf else a - b


def share_above(pairs, margin):
    """Returns the share of pairs above the margin. A tie and two failures count as half."""
    halves = 0
    for a, b in pairs:
        tie = a == b == inf
        halves += 1 if tie else 2 if a - b > margin else 0 if a - b < margin else 1
    return halves / (2 * len(pairs))


def exceeds(failures, queries, other_failures, other_queries):
    excess = failures * other_queries - other_failures * queries
    return (
        queries > 0
        and other_queries > 0
        and 200 * excess > queries * other_queries
        and excess > other_queries
    )


def excludes(failures, queries, limit=0.04):
    """Returns whether a rate of `limit` or more is excluded (Robbins 1970)."""
    if queries == 0 or failures >= limit * queries:
        return False
    evidence = lgamma(failures + 0.5) + lgamma(queries - failures + 0.5)
    evidence -= lgamma(queries + 1) + log(pi)
    seen = failures * log(limit) if failures else 0.0
    return evidence - seen - (queries - failures) * log1p(-limit) >= -log(ALPHA)


def holm(log_p):
    """Returns the rejections. Values that differ only by the order of a sum count as equal."""
    rejected = [False] * len(log_p)
    tests = len(log_p)
    for index in sorted(range(len(log_p)), key=lambda i: (round(log_p[i] * 1e9), i)):
        if log_p[index] > log(ALPHA / tests):
            continue
        rejected[index] = True
        tests -= 1
    return rejected


class Elimination:
    def __init__(self, candidates, margin):
        self.margin = margin
        self.count = candidates
        self.threshold = log(2 * candidates / ALPHA)
        everybody = range(candidates + 1)
        self.asked = list(everybody)
        self.departures = {}
        self.answer = None
        self.rounds = 0
        self.failures = [[0, 0] for _ in everybody]
        # For each pair (a, b): evidence that b is not faster than a by more than the margin.
        self.no_better = {(a, b): OneSided() for a in everybody for b in everybody if a != b and b}
        self.faster = [OneSided() for _ in everybody]
        self.slower = [OneSided() for _ in everybody]
        self.fails = [OneSided() for _ in everybody]
        self.paired = [[[0, 0], [0, 0]] for _ in everybody]
        self.pairs = [[] for _ in everybody]
        self.rounds_of = [0] * (candidates + 1)
        self.is_faster = [None] * (candidates + 1)
        self.is_failing = [False] * (candidates + 1)

    def add(self, rows):
        """Adds a round with one row per resolver and one column per question."""
        self.rounds += 1
        for resolver, row in enumerate(rows):
            known = [time for time in row if time is not None]
            self.failures[resolver][0] += sum(time == inf for time in known)
            self.failures[resolver][1] += len(known)
        for (a, b), evidence in self.no_better.items():
            pairs = self.both(rows[a], rows[b])
            if pairs:
                evidence.add(1 - share_above(pairs, self.margin))
        for k in range(1, self.count + 1):
            pairs = self.both(rows[0], rows[k])
            if not pairs:
                continue
            self.rounds_of[k] += 1
            self.pairs[k] += pairs
            share = share_above(pairs, self.margin)
            self.faster[k].add(share)
            self.slower[k].add(1 - share)
            lost = [sum(pair[side] == inf for pair in pairs) for side in (0, 1)]
            for side in (0, 1):
                self.paired[k][side][0] += lost[side]
                self.paired[k][side][1] += len(pairs)
            if lost[0] != lost[1]:
                self.fails[k].add(1.0 if lost[1] > lost[0] else 0.0)
        self.establish()
        self.decide()

    @staticmethod
    def both(first, second):
        return [(a, b) for a, b in zip(first, second) if a is not None and b is not None]

    def establish(self):
        candidates = range(1, self.count + 1)
        speeds = [
            min(0.0, log(2) - max(self.faster[k].last, self.slower[k].last)) for k in candidates
        ]
        losses = [min(0.0, log(2) - self.fails[k].last) for k in candidates]
        for k, speed, failing in zip(candidates, holm(speeds), holm(losses)):
            enough = self.rounds_of[k] >= 7
            above = self.faster[k].last > self.slower[k].last
            self.is_faster[k] = above if enough and speed else None
            self.is_failing[k] = enough and failing

    def verdict(self, k):
        if self.is_failing[k] or self.is_faster[k] is False:
            return "keep"
        if not self.is_faster[k]:
            return None
        theirs, mine = self.paired[k]
        finite = [a - b for a, b in self.pairs[k] if a < inf and b < inf]
        held = exceeds(*mine, *theirs) or (finite and sum(finite) / len(finite) < 0)
        return None if held else "switch"

    def score(self, k):
        """Returns the lower median of baseline − candidate."""
        if k == 0:
            return 0.0
        values = sorted(a - b for a, b in self.pairs[k] if not a == b == inf)
        return values[(len(values) - 1) // 2] if values else -inf

    def eligible(self):
        def rate(k):
            return self.failures[k][0] / self.failures[k][1] if self.failures[k][1] else 0.0

        usual = sorted(self.asked, key=lambda k: (rate(k), k))[(len(self.asked) - 1) // 2]
        return [
            k
            for k in self.asked
            if not exceeds(*self.failures[k], *self.failures[usual]) and not self.is_failing[k]
        ]

    def hopeful(self, k):
        return self.failures[k][0] <= 3 and self.failures[k][1] < 400

    def is_no_better(self, k, other):
        return self.no_better[other, k].greatest >= self.threshold

    def leave(self, k, betters):
        self.asked.remove(k)
        self.departures[k] = (self.rounds, betters)

    def decide(self):
        for k in [k for k in self.asked if k and self.verdict(k) == "keep"]:
            self.leave(k, [])
        scores = {k: self.score(k) for k in self.asked}
        good = self.eligible()
        order = sorted((k for k in self.asked if k), key=lambda k: (scores[k], k))
        best = [k for k in order if k in good][-4:]
        cut = scores[best[0]] if len(best) == 4 else -inf
        best += [k for k in order if k not in good and scores[k] > cut and self.hopeful(k)]
        for k in order:
            betters = [other for other in good if other != k and self.is_no_better(k, other)]
            if k not in best and len(betters) >= 3:
                self.leave(k, betters[-3:])
                good = [other for other in good if other != k]
        able = self.eligible() or self.asked
        waiting = [k for k in self.asked if k and (k in able or self.hopeful(k))]
        leader = max(able, key=lambda k: scores[k])
        if self.asked == [0]:
            self.answer = "stay"
        elif leader == 0 and not waiting:
            self.answer = "none"
        elif leader and self.verdict(leader) == "switch" and excludes(*self.failures[leader]):
            open_still = any(k not in able and scores[k] > scores[leader] + 1 for k in waiting)
            # A resolver without a pair, or with most pairs lost, does not delay the answer.
            rivals = [k for k in able if k not in (0, leader) and scores[k] > -inf]
            beaten = all(self.is_no_better(k, leader) for k in rivals)
            if beaten and not open_still:
                self.answer = str(leader)


def names_in_round(asked, names, total_rate=15.0):
    fitting = -((-(2 * total_rate / asked - 1e-9)) // 1)
    return int(min(max(fitting, 1), names))


class Example:
    """Times from a formula. Example 0 has eight candidates, one of which fails. The others have
    two to nine candidates, more noise, and failures on either side."""

    def __init__(self, number):
        self.number = number
        if number == 0:
            self.path = [40.0, 8.0, 9.0, 9.5, 12.0, 15.5, 30.0, 45.0, 60.0]
            self.step, self.margin = 0.2, 5.0
        else:
            count = 2 + number % 8
            self.path = [20.0 + number % 5] + [
                4.0 + (number * 31 + k * k * 17 + 7 * k) % 41 for k in range(1, count + 1)
            ]
            self.step = 0.2 * (1 + number % 9)
            self.margin = float([0, 1, 5][number % 3])

    def fails(self, k, round_, name):
        if self.number == 0:
            return k == 2 and (5 * round_ + 3 * name) % 11 == 0
        if k == self.number % len(self.path):
            return (5 * round_ + 3 * name + self.number) % (7 + self.number % 60) == 0
        return (round_ + 10 * name + 13 * k + self.number) % 197 == 0

    def time(self, k, round_, name):
        if self.fails(k, round_, name):
            return inf
        if self.number == 0:
            noise = (37 * round_ + 101 * name + 17 * k) % 23
        else:
            noise = (37 * round_ + 101 * name + 17 * k + round_ * k * self.number) % 23
        return self.path[k] + noise * self.step

    def trace(self, most=120):
        """Returns the queried resolvers after each change, with the round, and the elimination."""
        elimination = Elimination(len(self.path) - 1, self.margin)
        trace = []
        while elimination.answer is None and elimination.rounds < most:
            round_, asked = elimination.rounds, list(elimination.asked)
            if not trace or trace[-1][1] != asked:
                trace.append((round_ + 1, asked))
            wanted = names_in_round(len(asked), 10)
            names = [(round_ * wanted + index) % 10 for index in range(wanted)]
            elimination.add(
                [
                    [self.time(k, round_, name) if k in asked else None for name in names]
                    for k in range(len(self.path))
                ]
            )
        return trace, elimination


def row(number):
    """Returns the number, the trace, the eliminated candidates, the answer, the count of rounds,
    and the sum of the evidence."""
    trace, end = Example(number).trace()
    asked = " ".join(f"{start}:{','.join(map(str, asked))}" for start, asked in trace)
    left = " ".join(
        f"{k}@{start}:{','.join(map(str, betters))}"
        for k, (start, betters) in sorted(end.departures.items())
    )
    evidence = sum(one.greatest for one in end.no_better.values())
    return f"{number}\t{asked}\t{left or '-'}\t{end.answer or '-'}\t{end.rounds}\t{evidence:.10g}"


def rows():
    return "\n".join(row(number) for number in range(1001)) + "\n"
