"""Writes tail.tsv: the changes of the slow answers in two hundred generated fortnights, in plain
Python.

One row per fortnight: its number, the evidence of a rise half a day after some answers became
slower, the evidence of a fall half a day after their return, and the changes. A change has its
kind, its first hour and the hour of the alarm.
"""

import math
import pathlib

HOURS, ANSWERS = 14 * 24, 20
SHARES = [0.05, 0.1, 0.2, 0.4, 0.8]
MOST, THRESHOLD, DAYS = 0.2, 1000.0, 3


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def quantile(values, tenths):
    return sorted(values)[-(-len(values) * tenths // 10) - 1]


def band(level):
    return max(2.0, 0.1 * level)


class Detector:
    def __init__(self):
        self.m, self.began, self.seen = [1.0] * 5, [0] * 5, 0

    def observe(self, u, mean):
        for j, share in enumerate(SHARES):
            if self.m[j] <= 1:
                self.m[j], self.began[j] = 1.0, self.seen
            self.m[j] *= 1 + share * (u / mean - 1)
        self.seen += 1

    @property
    def evidence(self):
        return sum(self.m) / 5

    @property
    def length(self):
        return self.seen - self.began[self.m.index(max(self.m))]


class Levels:
    """The expected value of one quantile, for each hour."""

    def __init__(self, values):
        self.values, self.expected, self.steps = values, [None] * len(values), [(0, 0.0)]

    def offset(self, hour):
        return [offset for start, offset in self.steps if start <= hour][-1]

    def expect(self, hour):
        same = [self.values[h] - self.offset(h) for h in range(hour % 24, hour, 24)]
        if len(same) >= DAYS:
            self.expected[hour] = median(same) + self.offset(hour)
        return self.expected[hour]

    def rest(self, alarm):
        """Returns the difference from the expected value, per hour of the current level."""
        first = self.steps[-1][0] + 1 if len(self.steps) > 1 else 0
        return {
            h: self.values[h] - self.expected[h]
            for h in range(first, alarm + 1)
            if self.expected[h] is not None
        }

    def start(self, alarm, length):
        rest = self.rest(alarm)
        hours = list(rest)
        step = median([rest[h] for h in hours[-max(1, length) :]])
        best, total, start = -math.inf, 0.0, hours[-1]
        for h in reversed(hours):
            total += 0 if step == 0 else min(max(rest[h] / step, 0), 1) - 0.5
            if total > best:
                best, start = total, h
        return start

    def begin(self, start, alarm):
        step = median([v for h, v in self.rest(alarm).items() if h >= start])
        self.steps.append((start, self.offset(alarm) + step))


def changes(answers):
    high = Levels([quantile(hour, 9) for hour in answers])
    low = Levels([quantile(hour, 8) for hour in answers])
    rise, fall, found = Detector(), Detector(), []
    for hour, times in enumerate(answers):
        usual, least = high.expect(hour), low.expect(hour)
        if usual is None:
            continue
        share = sum(time > usual + band(usual) for time in times) / len(times)
        rise.observe(min(share, 2 * MOST), MOST)
        now = high.values[hour]
        fall.observe(1.0 if now + band(now) < least else 0.0, 0.5)
        for word, detector in (("slower-tail", rise), ("faster-tail", fall)):
            if detector.evidence >= THRESHOLD:
                start = high.start(hour, detector.length)
                high.begin(start, hour)
                low.begin(start, hour)
                found.append((word, start, hour))
                rise, fall = Detector(), Detector()
                break
    return rise.evidence, fall.evidence, found


def fortnight(number):
    """Returns the hours in which a slowdown of some answers begins and ends, and all answers."""
    size, count = 4 + number % 13, 2 + number % 8
    start = 100 + number % 50
    end = start + 40 + number * 7 % 120
    answers = []
    for hour in range(HOURS):
        cycle = (number % 4) * (hour % 24 - 12) / 6
        times = []
        for k in range(ANSWERS):
            noise = (hour * 31 + k * 17 + number * 7) * 0.618033988749895 % 1
            slow = start <= hour < end and (k * 7 + number) % ANSWERS < count
            times.append(15 + cycle + k * 0.5 + 2 * noise + (size if slow else 0))
        answers.append(times)
    return start, end, answers


def row(number):
    start, end, answers = fortnight(number)
    rise = changes(answers[: start + 12])[0]
    fall = changes(answers[: end + 12])[1]
    found = changes(answers)[2]
    told = ",".join(f"{word} {start} {alarm}" for word, start, alarm in found)
    return f"{number}\t{rise:.12g}\t{fall:.12g}\t{told or '-'}"


if __name__ == "__main__":
    table = pathlib.Path(__file__).with_name("tail.tsv")
    table.write_text("".join(row(number) + "\n" for number in range(1, 201)))
