"""Random data sets. A generator of integers gives the same numbers in every language."""

import math

MASK = (1 << 64) - 1


class Generator:
    """The linear congruential generator of Knuth's MMIX. It returns the upper 31 bits of its
    state."""

    def __init__(self, seed):
        self.state = seed
        for _ in range(3):
            self.below(1)

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK
        return (self.state >> 33) % bound


class Dataset:
    """The outcomes per resolver, round and name. The first resolver is the baseline."""

    def __init__(self, seed):
        source = Generator(seed)
        resolvers = 2 + source.below(3) * source.below(2)
        names = 1 + source.below(10)
        rounds = 3 + source.below(38)
        self.margin = (0.0, 0.5, 5.0)[source.below(3)]
        self.interrupted = source.below(8) == 0
        self.tampering = [0] if source.below(10) == 0 else []
        # Whole milliseconds produce ties.
        step = (1, 1, 1000)[source.below(3)]
        jitter = (1_000, 8_000, 30_000)[source.below(3)]
        shifts = [source.below(24_000) for _ in range(resolvers)]
        losses = [(0, 0, 0, 5, 30, 100, 400)[source.below(7)] for _ in range(resolvers)]
        if source.below(20) == 0:
            losses[0] = 1000
        tails = [(50, 50, 300)[source.below(3)] for _ in range(resolvers)]
        self.outcomes = [[[] for _ in range(rounds)] for _ in range(resolvers)]
        for r in range(rounds):
            for resolver in range(resolvers):
                for _ in range(names):
                    u = source.below(1000)
                    time = 5_000 + shifts[resolver] + jitter * u * u // 1_000_000
                    if source.below(1000) < tails[resolver]:
                        time += 80_000 + source.below(220_000)
                    fate = source.below(1000)
                    if fate < losses[resolver]:
                        outcome = math.inf
                    elif fate >= 990:
                        outcome = None
                    else:
                        outcome = time // step * step / 1000
                    self.outcomes[resolver][r].append(outcome)


def split_mix(state):
    """Returns the next state of SplitMix64 and its number."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
    return state, mixed ^ (mixed >> 31)


def rotated(number, count):
    return ((number << count) | (number >> (64 - count))) & MASK


class RandomSequence:
    """xoshiro256**, filled by SplitMix64, with a separate sequence for each part of a seed."""

    def __init__(self, seed, part):
        filler = split_mix(seed)[1] ^ part
        self.state = []
        for _ in range(4):
            filler, number = split_mix(filler)
            self.state.append(number)

    def next(self):
        a, b, c, d = self.state
        result = (rotated((b * 5) & MASK, 7) * 9) & MASK
        c, d = c ^ a, d ^ b
        self.state = [a ^ d, b ^ c, c ^ ((b << 17) & MASK), rotated(d, 45)]
        return result

    def below(self, bound):
        """Returns a number below a bound. Lemire's method rejects numbers that would bias the
        result."""
        while True:
            product = self.next() * bound
            if product & MASK >= (MASK + 1) % bound:
                return product >> 64
