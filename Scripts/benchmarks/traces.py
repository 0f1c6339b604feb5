"""Changes that people labelled in measured traces: precision and recall, compared with Otava and PELT."""

import collections
import csv
import datetime
import json
import lzma
import os
import shutil
import statistics
import subprocess
import tempfile

from benchmarks import clients, histories
from benchmarks.table import table

# 25 traces of round trips every four minutes over months, with labels (WenqinSHAO/rtt).
FOLDER = os.path.join(os.path.dirname(clients.ROOT), "shared", "realdata")
TRACES, LABELS = "near-25.csv.xz", "near-25-labels.csv"
# Hours within which a change point is that of a label.
TOLERANCES = [2, 24]
# The fewest hours of the level after a label.
LENGTHS = [3, 15]


def traces():
    """Prints precision and recall on the labelled traces."""
    if not os.path.exists(os.path.join(FOLDER, TRACES)):
        print(f"The labelled traces were not measured: {FOLDER} has no {TRACES}.\n")
        return []
    labels, hours = _labels(), _hourly_medians()
    found = {"dnstempo": _reported(), **_computed(hours)}
    print(
        "A change point is correct if a label beyond the dead band is within 2 or 24 hours. Each label"
    )
    print(
        "counts once. Otava and PELT read hourly medians of the whole trace, and their changes within the"
    )
    print(
        "dead band are dropped. dnstempo reads each hour with the hours before it. *Visible*: the label is"
    )
    print(
        "within two hours, or the medians of the three hours before and after the change point differ by"
    )
    print("more than the dead band:\n")
    rows = [[tool, *_scores(points, labels, hours)] for tool, points in found.items()]
    header = ["", "change points", "precision, 2 h / 24 h", "visible"]
    for least in LENGTHS:
        count = sum(label[1] >= least for own in labels.values() for label in own)
        header.append(f"recall of levels ≥ {least} h ({count}), 2 h / 24 h")
    table(header, rows)
    print()
    return []


def _scores(found, labels, hours):
    count = sum(len(points) for points in found.values())

    def matches(least):
        return [
            sum(
                len(matched([at for at, length in own if length >= least], found[name], tolerance))
                for name, own in labels.items()
            )
            for tolerance in TOLERANCES
        ]

    visible = 0
    for name, own in labels.items():
        right = matched([at for at, _ in own], found[name], TOLERANCES[0])
        medians = dict(hours[name])
        visible += sum(point in right or _is_visible(point, medians) for point in found[name])

    def shares(part, whole):
        return " / ".join(f"{one / max(1, whole):.2f}" for one in part)

    recalls = []
    for least in LENGTHS:
        whole = sum(length >= least for own in labels.values() for _, length in own)
        recalls.append(shares(matches(least), whole))
    return [str(count), shares(matches(0), count), f"{visible / max(1, count):.2f}", *recalls]


def _is_visible(point, medians):
    """Returns whether three hours before and three after a point differ by more than the dead band."""
    sides = [
        [medians[hour] for hour in range(int(point) + first, int(point) + first + 3) if hour in medians]
        for first in (-3, 0)
    ]
    if not all(sides):
        return False
    old, new = (statistics.median(side) for side in sides)
    return abs(new - old) > max(2.0, 0.1 * min(old, new))


def matched(labels, points, tolerance):
    """Returns the points that are paired with a label. The nearest are paired first, each once."""
    pairs = sorted(
        (abs(label - point), i, j)
        for i, label in enumerate(labels)
        for j, point in enumerate(points)
        if abs(label - point) <= tolerance
    )
    left, right = set(), set()
    for _, i, j in pairs:
        if i not in left and j not in right:
            left.add(i)
            right.add(j)
    return {points[j] for j in right}


def _hour(text):
    """Returns hours since 1970 of a time in UTC."""
    moment = datetime.datetime.fromisoformat(text[:19] + "+00:00")
    return moment.timestamp() / 3600


def _labels():
    """Returns the labels beyond the dead band by trace: the hour, and the length of the level after it."""
    labels = {}
    with open(os.path.join(FOLDER, LABELS), newline="") as file:
        for row in csv.DictReader(file):
            own = labels.setdefault(row["resolver"], [])
            if row["beyond_band"] == "1":
                own.append((_hour(row["time"]), float(row["hours_after"])))
    return labels


def _reported():
    """Returns the starts and ends of the changes of latency that dnstempo reports, by trace."""
    with tempfile.TemporaryDirectory() as folder:
        samples = f"{folder}/traces.csv"
        with lzma.open(os.path.join(FOLDER, TRACES)) as packed, open(samples, "wb") as file:
            shutil.copyfileobj(packed, file)
        window = [datetime.datetime(year, 1, 1) for year in (2016, 2018)]
        report = histories.changes(samples, f"{folder}/store.sqlite", *window, folder)
    points = collections.defaultdict(set)
    for change in report["changes"]:
        if change.get("change_ms") is not None:
            ends = [change["since"], change["end"]]
            points[change["resolver"]].update(_hour(time) for time in ends if time)
    return {name: sorted(points[name]) for name in _labels()}


def _computed(hours):
    """Returns the change points of the other tools, by tool and trace."""
    series = [[value for _, value in own] for own in hours.values()]
    python = os.path.join(clients.ROOT, ".build", "python", "bin", "python")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "changepoints.py")
    finished = subprocess.run(
        [python, "-B", "-W", "ignore", script],
        input=json.dumps(series),
        stdout=subprocess.PIPE,
        text=True,
    )
    if finished.returncode != 0:
        raise SystemExit(f"bench: {script} failed")
    return {
        tool: {
            name: [own[index][0] for index in indices]
            for (name, own), indices in zip(hours.items(), found)
        }
        for tool, found in json.loads(finished.stdout).items()
    }


def _hourly_medians():
    """Returns the median round trip of each hour with answers, by trace."""
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    with lzma.open(os.path.join(FOLDER, TRACES), "rt", newline="") as file:
        for row in csv.DictReader(file):
            if row["outcome"] == "answered":
                times[row["resolver"]][int(_hour(row["sent"]))].append(float(row["rtt_ms"]))
    return {
        name: [(hour, statistics.median(own[hour])) for hour in sorted(own)]
        for name, own in times.items()
    }
