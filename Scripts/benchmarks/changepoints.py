"""Change points of hourly medians by Otava and by PELT, for traces.py. Reads and writes JSON.

The input is a list of lists of milliseconds. The output has the indices of the change points for each tool and
list. Both tools read a whole list, so that they know the hours after a change.
"""

import itertools
import json
import sys

import numpy
import ruptures
from otava.analysis import compute_change_points


def band(level):
    """Returns dnstempo's dead band around a level, in milliseconds."""
    return max(2.0, 0.1 * level)


def beyond_band(values, found):
    """Returns the change points beyond the dead band. The smallest of the others is dropped first."""
    found = sorted(found)
    while found:
        edges = [0, *found, len(values)]
        levels = [numpy.median(values[a:b]) for a, b in itertools.pairwise(edges)]
        sizes = [abs(b - a) / band(min(a, b)) for a, b in itertools.pairwise(levels)]
        if min(sizes) > 1:
            return found
        found.pop(int(numpy.argmin(sizes)))
    return []


def otava(values):
    points, _ = compute_change_points(list(values), window_len=50, max_pvalue=0.001, min_magnitude=0.0)
    return [int(point.index) for point in points]


def pelt(values):
    """PELT with the squared error. The noise is that of differences of neighbouring hours."""
    noise = max(0.05, numpy.median(numpy.abs(numpy.diff(values))) / 0.6745 / numpy.sqrt(2))
    middle = numpy.median(values)
    scaled = numpy.clip(values, middle - 60 * noise, middle + 60 * noise) / noise
    model = ruptures.Pelt(model="l2", min_size=6, jump=1).fit(scaled)
    return model.predict(pen=8 * numpy.log(len(values)))[:-1]


series = [numpy.array(values, float) for values in json.load(sys.stdin)]
tools = {"Otava": otava, "PELT": pelt}
json.dump(
    {name: [beyond_band(values, tool(values)) for values in series] for name, tool in tools.items()},
    sys.stdout,
)
