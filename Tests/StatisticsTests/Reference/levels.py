"""The reference of levels: python3 levels.py > levels.json

An independent implementation of the scan with numpy, over whole arrays. It reads a series of hours at once.
"""

import json
import math, numpy as np

from datasets import Generator

SCALES = np.array(
    [2, 3, 4, 6, 8, 12, 16, 24, 36, 48, 72, 96, 144, 192]
)  # lengths of the last window, in measured hours
WEEKLY = 60  # hours: longer episodes, except working weeks, are no part of a weekly pattern
REACH = 336  # hours of the reference (14 days)
KEEP = 28 * 24  # hours that profile and noise are estimated from
SURE = 5.0  # standard deviations of the difference of two window means
EPISODE = 240  # hours: what ends sooner is an episode, what lasts longer is a step
MARKS = (0.75, 2.0)  # in dead bands: an hour beyond the first is out, beyond the second far out
CHANCE = 3e-6  # of so many hours in a row beyond a mark
RETURN = np.array([2, 3, 4, 6, 8, 12, 24])
BLOCK = 6  # hours of a block of the step-or-drift choice
MARGIN = 6.0  # 2 ln(likelihood ratio) that "drift" needs over "step", and "has ended" over "goes on"


def band(level):
    return max(2.0, 0.1 * level)  # the dead band in ms: smaller changes are no incidents


# ---- profile and noise
def consistent(middle, own):
    """A deviation that three of four days of its hour have; otherwise 0."""
    return middle if np.sum(own > 0 if middle > 0 else own < 0) >= 0.75 * len(own) else 0.0


def profile(dev, how):
    """Hour-of-week profile (168) of deviations from the level.

    Hours of the day need 3 days, hours of the week 3 weeks.
    """
    hod = how % 24
    day = np.zeros(24)
    seen = np.zeros(24, bool)
    by = [dev[hod == k] for k in range(24)]
    for k in range(24):
        near = np.concatenate([by[(k - 1) % 24], by[k], by[k], by[(k + 1) % 24]])
        if len(by[k]) >= 3:
            day[k] = consistent(np.median(near), by[k])
            seen[k] = True
    if not seen.any():
        return np.zeros(168), np.zeros(168)
    day -= day[seen].mean()
    day[~seen] = 0
    week = np.tile(day, 7)
    rest = dev - week[how]
    by = [rest[how == w] for w in range(168)]
    for w in range(168):
        if len(by[w]) < 3:
            continue
        near = np.concatenate([by[(w + k) % 168] for k in (-2, -1, 0, 1, 2)])
        m = consistent(np.median(near), by[w])
        if abs(m) >= 0.5:
            week[w] += m
    return week, week - np.tile(day, 7)


class Noise:
    """Standard deviation of the mean of L hours, from the resolver's own windows of L hours.
    Correlation and tails are in it. Four blocks of a quarter of the dead band count as seen before."""

    LS = np.array([1, 2, 4, 8, 24])

    def __init__(self, e, prior):
        s = []
        for L in self.LS:
            n = len(e) // L
            if n < 1:
                s.append(prior)
                continue
            c = np.concatenate([[0.0], np.cumsum(e)])
            v = (c[L:] - c[:-L]) / L
            q = 1.4826 * np.median(np.abs(v))
            s.append(math.sqrt((n * q * q + 4 * prior**2) / (n + 4)))
        self.s = np.minimum.accumulate(np.maximum(s, 0.02))
        self.table = np.array([self._at(L) for L in range(1, REACH + 1)])

    def _at(self, L):
        if L >= 24:
            return self.s[-1] * math.sqrt(
                24 / min(L, 96)
            )  # a drift of days does not average out: no gain beyond 4 days
        return math.exp(np.interp(math.log(L), np.log(self.LS), np.log(self.s)))

    def __call__(self, L):
        return self.table[np.clip(np.asarray(L, int), 1, REACH) - 1]

    @property
    def per_hour(self):
        return self.s[-1] ** 2 * 24  # long-run variance of one hour


def suffix_start(w):
    """Index from which on the weights have the largest sum."""
    return len(w) - 1 - int(np.argmax(np.cumsum(w[::-1])))


# ---- step or drift
def shapes(t, x, per_hour, stairs=False):
    """The best step, drift and ended drift through x(t) (hours), on medians of blocks.
    per_hour: long-run variance.
    Returns {kind: (2 ln L penalised, start, end, from, to, rate, se)}."""
    n = len(x) // BLOCK
    if n < 4:
        return {}
    T = t[: n * BLOCK].reshape(n, BLOCK).mean(1)
    X = x[: n * BLOCK].reshape(n, BLOCK)
    X = np.median(X, 1)
    v = per_hour / BLOCK
    out = {}
    c = np.concatenate([[0.0], np.cumsum(X)])
    c2 = np.concatenate([[0.0], np.cumsum(X * X)])
    k = np.arange(1, n)
    rss = c2[n] - c[k] ** 2 / k - (c[n] - c[k]) ** 2 / (n - k)
    s = int(np.argmin(rss))
    a, b = c[k[s]] / k[s], (c[n] - c[k[s]]) / (n - k[s])
    out["step"] = (-rss[s] / v, t[k[s] * BLOCK], None, a, b, 0.0, 0.0)
    if stairs and n >= 8:  # two steps, where two were found
        i, j = np.triu_indices(n - 4, 2)
        i, j = i + 2, j + 2
        two = c2[n] - c[i] ** 2 / i - (c[j] - c[i]) ** 2 / (j - i) - (c[n] - c[j]) ** 2 / (n - j)
        k = int(np.argmin(two))
        out["stairs"] = (-two[k] / v - math.log(n) - 2,)
    for h in range(0, n - 3):  # the drift begins with block h
        for e in [n - 1] if n - h < 10 else [n - 1] + list(range(h + 5, n - 5, max(1, n // 28))):
            u = np.clip(T, T[h], T[e]) - T[h]
            uu = u.mean()
            q = ((u - uu) ** 2).sum()
            if q <= 0:
                continue
            rate = ((u - uu) * X).sum() / q
            lo = X.mean() - rate * uu
            r = ((X - lo - rate * u) ** 2).sum()
            kind = "drift" if e == n - 1 else "ended"
            score = -r / v - (math.log(n) + 2 if e < n - 1 else 0)
            if kind not in out or score > out[kind][0]:
                out[kind] = (
                    score,
                    t[h * BLOCK],
                    None if e == n - 1 else t[e * BLOCK],
                    lo,
                    lo + rate * u[-1],
                    rate,
                    math.sqrt(v / q),
                )
    return out


# ---- levels (median, p90)
class Levels:
    """Episodes, steps and drifts of one resolver's hourly values."""

    def __init__(self, hours, values, how):
        self.h = np.asarray(hours)
        self.y = np.asarray(values, float)
        self.how = np.asarray(how)
        n = len(self.h)
        self.own = np.zeros(n, int)
        self.base = np.full(n, np.nan)
        self.under = np.full(n, np.nan)
        self.rows = []
        self.P = np.zeros(168)
        self.x = self.y.copy()
        self.cur = self.ids = 0
        self.open = None
        self.back = None
        self.line = self.due = None
        self.stack = []
        i = 0
        while i < n:  # a day, or what is left of it after a change
            j = int(np.searchsorted(self.h, (self.h[i] // 24 + 1) * 24))
            self._refresh(i)
            i = self._day(i, j)
        self._refit(n - 1)

    def _refresh(self, i):
        """Profile and noise from the hours before i: every day of the first four weeks, then once a week."""
        due = self.h[i] // 24 if self.h[i] - self.h[0] < KEEP else self.h[i] // 168
        if due == self.due:
            return
        self.due = due
        lo = int(np.searchsorted(self.h, self.h[i] - KEEP))
        known = np.arange(lo, i)
        known = known[~np.isnan(self.base[known])]
        if len(known) >= 24:
            self.P, self.week = profile(
                self.y[known] - np.where(np.isnan(self.under[known]), self.base[known], self.under[known]),
                self.how[known],
            )
            self._fold(lo)
        self.x = self.y - self.P[self.how]
        e = self.x[known] - self.base[known]
        if len(e) >= 24:  # a drift is no noise: less the line through the medians of thirds
            n = len(e) // 3
            e = e - np.arange(len(e)) * (np.median(e[-n:]) - np.median(e[:n])) / (len(e) - n)
            e = e - np.median(e)
        level = np.median(self.y[max(0, i - 24) : i + 1])
        self.band = band(level)
        self.noise = Noise(e if len(known) >= 24 else np.zeros(0), self.band / 4)
        # Hours in a row that are needed. As many hours beyond the mark are too many for chance, as often as
        # single hours were beyond it.
        self.need = [
            math.log(CHANCE) / math.log(min(0.8, (np.sum(np.abs(e) > k * self.band) + 1) / (len(e) + 2)))
            for k in MARKS
        ]

    def _weekly(self, start, end):
        """Short episodes, and working weeks: from Monday to Saturday, six hours on either side."""
        a, b = np.searchsorted(self.h, [start, end])
        return end - start <= WEEKLY or (
            end - start < 168
            and b < len(self.h)
            and (self.how[a] + 6) % 168 <= 12
            and 114 <= self.how[b] <= 126
        )

    def _fold(self, lo):
        """Episodes that are found to come back every week are the pattern."""
        for r in self.rows[-8:]:
            if r["kind"] != "episode" or r["end"] < self.h[lo] or not self._weekly(r["start"], r["end"]):
                continue
            a, b = np.searchsorted(self.h, [r["start"], r["end"]])
            w = self.how[a:b]
            if len(w) and np.median(self.week[w] * np.sign(r["size"])) >= 0.5 * abs(r["size"]):
                r["kind"] = "pattern"

    def _learn(self, j):
        """The levels of the first three days: of the hours between sharp changes."""

        def cost(a, b):
            return np.abs(self.y[a:b] - np.median(self.y[a:b])).sum()

        def split(a, b):
            best, least = None, 0.5 * cost(a, b)
            for s in range(a + 12, b - 11):
                left = cost(a, s) + cost(s, b)
                if left < least:
                    best, least = s, left
            if best is None:
                return [(a, b)]
            old, new = np.median(self.y[a:best]), np.median(self.y[best:b])
            if abs(new - old) < band(min(old, new)) or not self._sharp(best, new - old, b):
                return [(a, b)]
            return split(a, best) + split(best, b)

        parts = split(0, j)
        parts = parts if len(parts) <= 3 else [(0, j)]
        for a, b in parts:
            self.base[a:b] = np.median(self.y[a:b])

    def _members(self, i, j):  # hours of the present level, and the values compared: x, less the drift
        lo = int(np.searchsorted(self.h, self.h[i] - 3 * REACH))
        J = lo + np.flatnonzero(self.own[lo:j] == self.cur)
        z = self.x[J] if self.line is None else self.x[J] - self.line[1] * (self.h[J] - self.line[0])
        return J, z

    def _day(self, i, j):
        self.own[i:j] = self.cur
        J, z = self._members(i, j)
        p0 = len(J) - (j - i)
        first = self.cur == 0 and not self.rows
        if self.h[i] - self.h[0] < 72 or p0 < 24 and first:
            self._learn(j)
            return j
        m = np.median(z[max(0, p0 - REACH) : p0]) if p0 else np.median(z)
        q = np.clip(z, m - 4 * self.band, m + 4 * self.band)
        c = np.concatenate([[0.0], np.cumsum(q)])
        beyond = [
            [np.concatenate([[0], np.cumsum(d * (z - m) > k * self.band)]) for k in MARKS] for d in (1, -1)
        ]
        p = np.arange(p0, len(J))[:, None]
        L = SCALES[None, :]
        a = p + 1 - L
        r = np.clip(np.minimum(a, REACH), 0, None)
        ok = a >= (24 if first else 2)
        a = np.maximum(a, 1)
        r = np.maximum(r, 1)
        ref = (c[a] - c[a - r]) / r
        D = (c[p + 1] - c[a]) / L - ref
        se = np.sqrt(self.noise(L) ** 2 + self.noise(r) ** 2)
        many = [
            np.any(
                [
                    (b[p + 1] - b[a] >= 0.75 * L) & (b[p + 1] - b[a] >= need)
                    for b, need in zip(side, self.need)
                ],
                axis=0,
            )
            for side in beyond
        ]
        hit = ok & (np.abs(D) >= np.maximum(self.band, SURE * se)) & np.where(D > 0, many[0], many[1])
        back = self._returns(J, p0) if self.open is not None and self.back is not None else None
        rows = np.flatnonzero(hit.any(1))
        stop = rows[0] if len(rows) else None
        if back is not None and (stop is None or back[0] <= stop):
            return self._end(J, *back)
        reg = J[p0 : p0 + (len(J) - p0 if stop is None else stop + 1)]
        self.base[reg] = m + (0 if self.line is None else self.line[1] * (self.h[reg] - self.line[0]))
        if stop is None:
            self._daily(J, z, j)
            return j
        k = int(np.argmax(np.where(hit[stop], np.abs(D[stop]) / se[0 if se.shape[0] == 1 else stop], -1)))
        return self._alarm(J[: p0 + stop + 1], z[: p0 + stop + 1], ref[stop, k], D[stop, k], int(SCALES[k]))

    # -------- a change is found
    def _alarm(self, J, z, m, D, L):
        i = J[-1]
        self.own[i + 1 :] = self.cur
        if self.open and self.open["kind"] == "drift" and self._ended(i):
            return i + 1
        w0 = max(0, len(J) - max(48, 3 * L))
        w = np.clip((z[w0:] - m) / D, 0, 1) - 0.5
        s = w0 + suffix_start(w)
        if s > len(J) - 2:
            return i + 1  # one hour is no change: wait for the next
        level = np.median(z[s:])
        o = self.open
        if (
            o
            and o["kind"] != "drift"
            and self.back
            and self.h[J[s]] - o["start"] <= EPISODE
            and self._is_back(self.back["m"], J[s:])
        ):
            return self._end(J, len(J) - 1, s)
        for d, (p, b) in enumerate(self.stack):  # back at a level before the last: all above end here
            if o and self.h[J[s]] - p["start"] <= EPISODE and self._is_back(b["m"], J[s:]):
                e = int(self.h[J[s]])
                o.update(end=e, kind="episode", closed=int(self.h[i]))
                self._refit(J[s] - 1)
                for q, _ in self.stack[d + 1 :]:
                    q.update(end=e, kind="episode", closed=int(self.h[i]))
                self.open, self.back, self.stack = p, b, self.stack[:d]
                self.own[np.searchsorted(self.h, p["start"]) : J[s]] = -1
                return self._end(J, len(J) - 1, s)
        if (
            o
            and o["kind"] != "drift"
            and self.h[J[s]] - o["start"] < 48
            and D * o["size"] > 0
            and not self._sharp(J[s], level - m)
        ):
            o["size"] = float(np.median(self.x[J[s:]]) - self.back["m"])
            self._open_level(J, s, keep=True)
            return i + 1  # second stage of one change
        if o:
            self._refit(J[s] - 1)
        line = self.line
        m_here = m + (0 if line is None else line[1] * (self.h[J[s]] - line[0]))
        rests = (
            o and o["kind"] == "drift" and o["end"] is None and self._sharp(J[s], level - m)
        )  # an episode on top of a drift?
        if o and o["kind"] == "drift" and o["end"] is None and not rests:
            o["end"] = int(self.h[J[s]])
        lo, hi = self._where(w, w0, J, s, D)
        row = dict(
            kind="step",
            start=int(self.h[J[s]]),
            within=(lo, hi),
            end=None,
            established=int(self.h[i]),
            size=float(level - m),
            before=float(m_here),
            rate=None,
        )
        last = [r for r in self.rows if r["kind"] == "step"][-1:]
        row["root"] = (
            last[0]["root"]
            if last and last[0]["size"] * row["size"] > 0 and row["start"] - last[0]["start"] <= REACH
            else row["start"]
        )
        if (
            o
            and o["kind"] == "step"
            and o["end"] is None
            and self.h[i] - o["start"] <= EPISODE
            and line is None
            and (self._sharp(J[s], level - m) or o["size"] * (level - m) <= 0)
        ):
            self.stack.append((o, self.back))
        else:
            for q, _ in self.stack:
                q["end"] = o["start"] if q["end"] is None and q["kind"] == "drift" else q["end"]
            self.stack = [(o, dict(self.back, line=line))] if rests else []
        self.back = dict(id=self.cur, m=float(m_here), at=J[s], line=line)
        self.open = row
        self.rows.append(row)
        self.line = None
        self._open_level(J, s)
        self._refit(i)
        return i + 1

    def _is_back(self, m, now):
        """Whether hours are at the level m: within the dead band, and within the error of their level."""
        error = math.sqrt(float(self.noise(len(now))) ** 2 + float(self.noise(REACH)) ** 2)
        return abs(np.median(self.x[now]) - m) < max(self.band / 2, min(self.band, 2 * error))

    def _join(self, i):
        """A step back of the last three days that proves to be the return of the level before."""
        o = self.open
        if not o or o["kind"] != "step" or not self.stack:
            return
        p, b = self.stack[-1]
        if (
            p["kind"] != "step"
            or p["size"] * o["size"] >= 0
            or self.h[i] - o["start"] > 72
            or o["start"] - p["start"] > EPISODE
        ):
            return
        first = int(np.searchsorted(self.h, o["start"]))
        now = first + np.flatnonzero(self.own[first : i + 1] == self.cur)
        if not self._is_back(b["m"], now):
            return
        o["kind"] = "part"
        self.stack.pop()
        self.open, self.back = p, b
        self._end(np.arange(first, i + 1), 0, 0, i - first)

    def _again(self, i):
        """The start of the open step, from the hours on both sides of it."""
        o = self.open
        if not o or o["kind"] != "step" or not 12 <= self.h[i] - o["start"] <= 72 or o["size"] == 0:
            return
        first = int(np.searchsorted(self.h, o["start"]))
        a, b = np.searchsorted(self.h, [o["start"] - 48, o["start"] + 48])
        near = []
        for k in range(a, min(i, b) + 1):
            if self.own[k] in (self.cur, self.back["id"]):
                near.append(k)
            elif k < first:
                near = []
        line = self.back.get("line")
        near = np.array(near)
        before = self.back["m"] + (line[1] * (self.h[near] - o["start"]) if line else 0)
        s = near[suffix_start(np.clip((self.x[near] - before) / o["size"], 0, 1) - 0.5)]
        if s == first or i - s < 2:
            return
        o["start"] = int(self.h[s])
        o["within"] = (min(o["within"][0], o["start"]), max(o["within"][1], o["start"]))
        self.own[min(s, first) : max(s, first)] = self.cur if s < first else self.back["id"]

    def _where(self, w, w0, J, s, D):
        """Hours in which the change may have begun: ln likelihood less than 3 below the best."""
        g = np.cumsum(w[::-1])[::-1] * D * D / self.noise.per_hour
        ok = np.flatnonzero(g >= g.max() - 3)
        ok = ok[np.abs(ok + w0 - s) <= 48]
        return int(self.h[J[w0 + ok[0]]]), int(self.h[J[w0 + ok[-1]]])

    def _sharp(self, a, size, end=None):
        """Whether most of a change happened at once: six hours before against six hours after."""
        lo, hi = self.x[max(0, a - 6) : a], self.x[a : a + 6 if end is None else min(end, a + 6)]
        return (
            len(lo) > 1 and len(hi) > 1 and (np.median(hi) - np.median(lo)) * np.sign(size) >= 0.6 * abs(size)
        )

    def _open_level(self, J, s, keep=False):
        if not keep:
            self.ids += 1
            self.cur = self.ids
        self.own[J[s] :] = self.cur
        part = np.arange(J[s], J[-1] + 1)
        self.base[part] = np.median(self.x[part])

    def _returns(self, J, p0):
        """First hour of the day after which the old level is back, and where it began."""
        m0 = self.back["m"]
        own = J >= np.searchsorted(self.h, self.open["start"])
        x = self.x[J]
        if self.open["kind"] == "drift" or self.h[J[p0]] - self.open["start"] > EPISODE + 24:
            return None
        m1 = self.open["size"] + m0
        r = np.clip((x - m1) / (m0 - m1), 0, 1)
        c = np.concatenate([[0.0], np.cumsum(r)])
        for p in range(p0, len(J)):
            for L in RETURN:
                if p + 1 - L < 1 or self.noise(L) * 6 > abs(m1 - m0):
                    continue
                if (c[p + 1] - c[p + 1 - L]) / L >= 0.8 and r[p] > 0.5:
                    lo = max(1, p - 3 * L - 12)
                    return p - p0, lo + suffix_start(r[lo : p + 1] - 0.5), p
        return None

    def _end(self, J, stop, s, p=None):
        o = self.open
        p = len(J) - 1 if p is None else p
        i = J[p]
        b = np.searchsorted(self.h, o["start"])
        e = J[s]
        o["end"] = int(self.h[e])
        o["kind"] = "episode" if o["end"] - o["start"] <= EPISODE else "step"
        o["closed"] = int(self.h[i])
        x = self.x[b:e]
        n = max(1, len(x))
        o["size"] = float(np.median(x) - self.back["m"]) if len(x) else o["size"]
        o["ci"] = self._interval(o["size"], n, REACH)
        self.base[b:e] = np.median(x) if len(x) else self.back["m"]
        self.under[b:e] = (
            self.back["m"] if self._weekly(o["start"], o["end"]) else self.base[b:e]
        )  # only these can be a weekly pattern
        self.own[b:e] = -1
        self.cur = self.back["id"]
        self.own[e:] = self.cur
        self.base[e : i + 1] = self.back["m"]
        self.line = None
        self.open, self.back = (
            self.stack.pop() if self.stack and self.stack[-1][0]["end"] is None else (None, None)
        )
        if self.back:
            self.line = self.back.get("line")
        return i + 1

    def _interval(self, size, n1, n0):
        h = 2.2 * math.sqrt(float(self.noise(n1)) ** 2 + float(self.noise(n0)) ** 2)
        return (size - h, size + h)

    # -------- what is open is fitted again; what drifts is looked for
    def _span(self, i):  # the hours of the level before (14 days) and of the present one
        lo = int(np.searchsorted(self.h, self.h[i] - 45 * 24))
        own = self.own[lo : i + 1]
        now = lo + np.flatnonzero(own == self.cur)
        old = lo + np.flatnonzero(own == self.back["id"])[-REACH:] if self.back else np.zeros(0, int)
        return old, now

    def _refit(self, i):
        o = self.open
        if not o or o["kind"] == "drift" or o["end"] is not None:
            return
        old, now = self._span(i)
        now = now[:REACH]
        if not len(now):
            return
        line = self.back.get("line")
        was = self.x[old] - (line[1] * (self.h[old] - o["start"]) if line else 0)
        m0 = np.median(was) if len(old) >= 24 else self.back["m"]
        self.back["m"] = float(m0)
        o["before"] = float(m0)
        o["size"] = float(np.median(self.x[now]) - m0)
        o["ci"] = self._interval(o["size"], len(now), max(1, len(old)))

    def _daily(self, J, z, j):
        i = j - 1
        o = self.open
        if o and o["kind"] == "drift":
            self._ended(i)
            return
        if o and self.stack and self.stack[-1][0]["kind"] == "drift" and self.h[i] - o["start"] > EPISODE:
            self.stack[-1][0]["end"] = o["start"]
            self.stack = []
        self._refit(i)
        self._join(i)
        self._again(i)
        o = self.open
        if self.stack and self.stack[-1][0]["kind"] == "drift":
            return
        if o is not None and o["end"] is None and 36 <= self.h[i] - o["start"] <= 45 * 24 and self.back:
            self._choose(i)
        elif len(J) >= 72:
            self._search(J, i)

    def _search(self, J, i):
        """A drift within the present level, without a step: hinges at the scales, slope and standard error."""
        x = self.x[J]
        t = self.h[J].astype(float)
        best = None
        for W in (48, 72, 96, 144, 192, 288, 384, 576, 768):
            if len(x) < W + 24:
                break
            r = x[-W - REACH : -W]
            m = r.mean()
            tau = t[-W:] - t[-W]
            q = (tau * tau).sum()
            rate = (tau * (x[-W:] - m)).sum() / q
            se = math.sqrt(self.noise.per_hour / q + (float(self.noise(len(r))) * tau.sum() / q) ** 2)
            g = abs(rate) / se
            if g >= SURE and abs(rate) * tau[-1] >= self.band and (best is None or g > best):
                best = g
        if best is not None:
            self._choose(i, J)

    def _choose(self, i, J=None):
        o = self.open
        stairs = False
        if J is None:
            chain = [
                r
                for r in self.rows
                if r["kind"] == "step" and r["start"] >= o["root"] and r["size"] * o["size"] > 0
            ]
            at_once = sum(
                abs(r["size"])
                for r in chain
                if self._sharp(int(np.searchsorted(self.h, r["start"])), r["size"])
            )
            past = max(
                [r["end"] for r in self.rows if r["kind"] == "drift" and r["end"] is not None], default=0
            )
            lo = np.searchsorted(self.h, max(past, o["root"] - REACH))
            idx = lo + np.flatnonzero(self.own[lo : i + 1] >= 0)
            stairs = o["root"] < o["start"]
        else:
            idx = J[-45 * 24 :]
        f = shapes(self.h[idx].astype(float), self.x[idx], self.noise.per_hour, stairs)
        if "drift" not in f:
            return
        kind = max(("drift", "ended"), key=lambda k: f[k][0] if k in f else -np.inf)
        d = f[kind]
        length = (d[2] or self.h[i]) - d[1]
        if o and J is None and ((d[4] - d[3]) * o["size"] < 0 or at_once >= 0.5 * abs(d[4] - d[3])):
            return
        if (
            d[0] < max(f["step"][0], f["stairs"][0] if "stairs" in f else -np.inf) + MARGIN
            or length < 36
            or abs(d[4] - d[3]) < self.band
        ):
            return
        if J is not None or o is None:
            o = dict(kind="drift", established=int(self.h[i]))
            self.rows.append(o)
            self.back = dict(id=self.cur, m=d[3], at=0)
            self.ids += 1
            self.cur = self.ids
        self.open = o
        o.update(kind="drift")
        self.stack = []
        self._set_drift(o, d, i, idx)

    def _set_drift(self, o, d, i, idx):
        _, start, end, lo, hi, rate, se = d
        o.update(
            start=int(start),
            end=None if end is None else int(end),
            before=float(lo),
            size=float(hi - lo),
            rate=float(rate * 24),
            rate_ci=(float((rate - 3 * se) * 24), float((rate + 3 * se) * 24)),
            within=(
                int(start) - int(min(72, self.band / abs(rate) / 2)),
                int(start) + int(min(72, self.band / abs(rate) / 2)),
            ),
        )
        for r in self.rows[-6:]:  # one drift that was thought to have ended
            if (
                r is not o
                and r["kind"] == "drift"
                and r["end"] is not None
                and r["end"] >= start - 48
                and r["rate"] * rate > 0
                and r["start"] < start
            ):
                r["kind"] = "part"
                o.update(
                    start=r["start"],
                    before=r["before"],
                    size=float(hi - r["before"]),
                    established=min(o["established"], r["established"]),
                )
                n = max(1, (end or self.h[i]) - r["start"])
                o["rate"] = o["size"] / n * 24
                start = r["start"]
                lo = r["before"]
        for r in self.rows[-6:]:  # earlier parts of the same movement
            if (
                r is not o
                and r["kind"] in ("step", "drift")
                and r["start"] >= start - 24
                and r["size"] * rate > 0
            ):
                r["kind"] = "part"
                o["established"] = min(o["established"], r["established"])
        n = (end or self.h[i]) - start
        o["ci"] = tuple(sorted((float(hi - lo - 3 * se * n), float(hi - lo + 3 * se * n))))
        a = idx[self.h[idx] >= start]
        self.own[a] = self.cur
        self.own[i + 1 :] = self.cur
        self.line = (float(start), rate)
        self.base[a] = lo + rate * (np.minimum(self.h[a], end or self.h[i]) - start)
        if end is not None:
            self.line = None
            self.ids += 1
            self.cur = self.ids
            self.own[a[self.h[a] >= end]] = self.cur
            self.own[i + 1 :] = self.cur
            self.open = None
            self.back = None

    def _ended(self, i):
        """Fits the open drift again; true where it has ended."""
        o = self.open
        old, now = self._span(i)
        idx = np.concatenate([old, now])
        f = shapes(self.h[idx].astype(float), self.x[idx], self.noise.per_hour)
        if "drift" not in f:
            return False
        ended = "ended" in f and f["ended"][0] > f["drift"][0] + MARGIN
        d = f["ended" if ended else "drift"]
        if d[1] > o["start"] + 96:  # its beginning is no longer in doubt
            if not ended:
                return False
            rate = (d[4] - o["before"]) / max(1, d[2] - o["start"])
            d = (d[0], o["start"], d[2], o["before"], d[4], rate, d[6])
        if d[5] * o["rate"] > 0:
            self._set_drift(o, d, i, idx)
        return ended

    def incidents(self):  # beyond the dead band
        return [
            r
            for r in self.rows
            if r["kind"] not in ("pattern", "part")
            and abs(r["size"]) >= band(max(0.0, min(r["before"], r["before"] + r["size"])))
        ]


# The series of LevelSeries.swift.
FIRST = 20454 * 24


def step(index, size, start, end=math.inf):
    return size if start <= index < end else 0.0


def ramp(index, size, start, end):
    return size * (min(max(index, start), end) - start) / (end - start)


def rise(index):
    return 9 / 624 * min(max(index - 500, 0), 624)


def series(added=lambda i: 0.0, days=60, level=15.0, phase=0.0, skew=math.inf, keep=lambda i: True):
    """Returns hours, values and hours of the week of a series of sines."""
    hours, values, week = [], [], []
    for i in range(days * 24):
        if not keep(i):
            continue
        local = i + (1 if i >= skew else 0)
        evening = max(0.0, math.sin((local % 24 - 12) * math.pi / 12))
        fast = 0.6 * math.sin(i * 0.7)
        slow = 0.5 * math.sin(i * i * 0.013 + phase)
        hours.append(FIRST + i)
        values.append(level + fast + slow + 1.5 * evening * evening + added(i))
        week.append((FIRST + 72 + local) % 168)
    return hours, values, week


def weekend(index):
    return 4.0 if (FIRST + 72 + index) % 168 >= 120 else 0.0


SERIES = {
    "quiet": series(),
    "step": series(lambda i: step(i, 5, 720)),
    "step below the band": series(lambda i: step(i, 1.2, 720)),
    "faster": series(lambda i: step(i, -4, 720)),
    "episode of 3 h": series(lambda i: step(i, 8, 720, 723), days=45),
    "episode of a week": series(lambda i: step(i, 4, 720, 888)),
    "drift of 9 ms in 26 days": series(rise),
    "drift that goes on": series(lambda i: 0.5 / 24 * max(i - 600, 0), days=45),
    "staircase": series(lambda i: step(i, 5, 720) + step(i, 5, 800) + step(i, 5, 900)),
    "overlap": series(lambda i: step(i, 6, 720, 816) + step(i, 8, 760, 800)),
    "drift with an episode": series(lambda i: rise(i) + step(i, 10, 800, 824)),
    "gap of ten days": series(lambda i: step(i, 5, 800), keep=lambda i: not 790 <= i < 1030),
    "night only": series(lambda i: step(i, 5, 720), keep=lambda i: i % 24 < 8),
    "few data": series(lambda i: step(i, 5, 40), days=3),
    "two weeks": series(lambda i: step(i, 5, 200), days=14),
    "clock change": series(skew=720),
    "weekend": series(weekend),
    "weekend at first": series(weekend, keep=lambda i: i >= 48),
    "far": series(lambda i: step(i, 25, 720) + step(i, -15, 1000), level=180.0),
    "drift with a step": series(lambda i: rise(i) + step(i, 10, 800), days=70),
    "return in two steps": series(lambda i: step(i, 8, 720, 800) + step(i, -4, 760, 800), days=45),
    "step in two stages": series(lambda i: step(i, 3, 720) + ramp(i, 4, 724, 784), days=45),
    "drift after a step": series(lambda i: step(i, 4, 720) + ramp(i, 6, 724, 804), days=45),
    "drift that steepens": series(
        lambda i: ramp(i, 0.15 / 24 * 1100, 500, 1600) + ramp(i, 0.5 / 24 * 400, 1200, 1600), days=90
    ),
    "change in the first days": series(lambda i: step(i, 30, 20, 60) + step(i, 5, 400)),
    "return from a noisy level": series(
        lambda i: step(i, 4, 700, 800) + 1.6 * math.sin(i * i * 0.37), level=20.0
    ),
    **{
        f"resolver {k}": series(
            lambda i, k=k: step(i, 4 + k, 720, 888) + (step(i, 6, 1100) if k == 2 else 0),
            level=12.0 + 6 * k,
            phase=float(k),
        )
        for k in range(5)
    },
    "p90": series(lambda i: 4 + step(i, 9, 720), level=20.0),
}
SEEDS = [1, 4, 6, 14, 20, 24, 28, 68, 99, 129, 185, 196]


def random_series(seed):
    """Returns a series with random noise and up to five random changes."""
    source = Generator(seed)
    count = (30 + source.below(50)) * 24
    level = [8.0, 15.0, 30.0, 180.0][source.below(4)]
    noise = [0.2, 0.6, 2.0][source.below(3)]
    slow_weekend = [0.0, 0.0, 4.0][source.below(3)]
    has_gaps = source.below(4) == 0
    added = random_changes(count, source)
    hours, values, week, walk = [], [], [], 0.0
    for i in range(count):
        total = source.below(1000) + source.below(1000) + source.below(1000)
        walk = 0.9 * walk + noise * (total / 1000 - 1.5)
        bump = (source.below(6000) if source.below(50) == 0 else 0) / 1000
        if has_gaps and source.below(10) < 3:
            continue
        hour_of_week = (72 + i) % 168
        hours.append(FIRST + i)
        values.append(level + walk + bump + added[i] + (slow_weekend if hour_of_week >= 120 else 0.0))
        week.append(hour_of_week)
    return hours, values, week


def random_changes(count, source):
    """Returns the milliseconds that random changes add to each hour."""
    added = [0.0] * count
    for _ in range(source.below(6)):
        kind, start = source.below(4), source.below(count)
        sign = -1.0 if source.below(2) == 0 else 1.0
        size = sign * [2.5, 4.0, 6.0, 10.0][source.below(4)]
        length = [2, 4, 12, 48, 168, 300][source.below(6)]
        for age in range(count - start):
            inner = length // 4 <= age < length // 2
            share = {
                0: 1.0,
                1: 1.0 if age < length else 0.0,
                2: min(1.0, age / (4 * length)),
                3: (1.0 if age < length else 0.0) + (1.0 if inner else 0.0),
            }[kind]
            added[start + age] += size * share
    return added


def fields(row):
    """Returns the fields of a row in the order of the file."""
    found = {"kind": row["kind"], "start": row["start"], "within": list(row["within"])}
    if row.get("end") is not None:
        found["end"] = row["end"]
    found |= {name: row[name] for name in ("established", "size", "before")}
    if row.get("rate") is not None:
        found["rate"] = row["rate"]
    found["interval"] = list(row["ci"])
    if row.get("rate_ci") is not None:
        found["rateInterval"] = list(row["rate_ci"])
    return found


def profiles():
    """Yields the profiles of the tests."""
    for days in (2, 10, 28):
        i = np.arange(days * 24)
        week = (72 + i) % 168
        slow = 2 * np.sin((i % 24) * math.pi / 12) + 0.4 * np.sin(i * i * 0.013)
        deviations, weekly = profile(slow + np.where(week >= 120, 3.0, 0.0), week)
        yield {"days": days, "deviations": list(deviations), "weeklyPart": list(weekly)}


def noises():
    """Yields the noise of the tests."""
    lengths = [1, 2, 3, 5, 8, 12, 24, 48, 96, 200, 336]
    for count in (0, 10, 100, 672):
        i = np.arange(count)
        noise = Noise(0.8 * np.sin(i * 0.05) + 0.5 * np.sin(i * i * 0.013), 0.5)
        yield {
            "count": count,
            "lengths": lengths,
            "deviations": [float(noise(length)) for length in lengths],
            "variancePerHour": float(noise.per_hour),
        }


def shape_cases():
    """Yields the steps and drifts of the tests."""
    cases = {
        "step": lambda i: step(i, 5, 200),
        "stairs": lambda i: step(i, 4, 150) + step(i, 4, 300),
        "drift": lambda i: 0.02 * max(0, i - 100),
        "ended": lambda i: 0.03 * min(max(0, i - 100), 250),
    }
    hours = [i for i in range(500) if i % 7 != 3]
    for kind, added in cases.items():
        values = [15 + 0.6 * math.sin(i * 0.7) + 0.5 * math.sin(i * i * 0.013) + added(i) for i in hours]
        found = shapes(np.array(hours, float) + FIRST, np.array(values), 0.4, True)
        yield {
            "kind": kind,
            "step": found["step"][0],
            "stairs": found["stairs"][0],
            "drift": fit(found["drift"]),
            "ended": fit(found["ended"]),
        }


def fit(found):
    names = ("score", "start", "end", "before", "after", "rate", "rateError")
    values = {name: value for name, value in zip(names, found) if value is not None}
    return {name: int(v) if name in ("start", "end") else float(v) for name, v in values.items()}


def main():
    for seed in SEEDS:
        SERIES[f"random {seed}"] = random_series(seed)
    found = [
        {"name": name, "rows": [fields(row) for row in Levels(*map(np.array, hours)).rows]}
        for name, hours in SERIES.items()
    ]
    lines = ",\n".join(
        f'{{"name":{json.dumps(one["name"])},"rows":['
        + ",".join("\n " + dump(row) for row in one["rows"])
        + "]}"
        for one in found
    )
    print(f'{{"series":[\n{lines}\n],')
    for name, values in (("profiles", profiles()), ("noises", noises()), ("shapes", shape_cases())):
        rest = ",\n".join(dump(one) for one in values)
        print(f'"{name}":[\n{rest}\n]' + ("}" if name == "shapes" else ","))


def dump(value):
    return json.dumps(value, separators=(",", ":"), default=lambda number: number.item())


if __name__ == "__main__":
    main()
