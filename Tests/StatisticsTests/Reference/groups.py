"""The reference of groups of incidents: python3 groups.py > incidents-groups.tsv

One row per list of random incidents: its number, and its groups, each with measure, kind, scope, resolvers, start,
end, establishment, median size, smallest and largest size.
"""

from statistics import median

from datasets import Generator


def random_incidents(seed):
    """Returns the networks of the resolvers, and random incidents."""
    source = Generator(2_000_000 + seed)
    count = 2 + source.below(6)
    networks = {resolver: source.below(1 + source.below(count)) for resolver in range(count)}
    time, found = 490_000, []
    for _ in range(1 + source.below(14)):
        time += source.below(30)
        one = {"kind": ["episode", "step", "drift"][source.below(3)]}
        low, high = source.below(30), source.below(60)
        one["size"] = (1 + source.below(40)) / 4 * (1 if source.below(4) > 0 else -1)
        one["start"] = start = time + source.below(5)
        one["within"] = (start - low, start + high)
        one["resolver"] = source.below(count)
        one["measure"] = "loss" if source.below(4) == 3 else "median"
        one["end"] = None if source.below(5) == 0 else start + 1 + source.below(200)
        one["established"] = start + source.below(40)
        found.append(one)
    return networks, found


def slack(one):
    """Half of the hours in which the start can lie: at least 3, at most 48."""
    low, high = one["within"]
    return min(48, max(3, (high - low) / 2))


def are_one(first, other):
    distance = abs(first["start"] - other["start"])
    overlap = first["within"][0] <= other["within"][1] and other["within"][0] <= first["within"][1]
    return (
        first["measure"] == other["measure"]
        and first["size"] * other["size"] > 0
        and (first["kind"] == "drift") == (other["kind"] == "drift")
        and (distance <= max(slack(first), slack(other)) or overlap and distance <= 48)
    )


def grouped(found):
    """Yields the groups. The earliest incident without a group begins the next one."""
    left = sorted(found, key=lambda one: one["start"])
    while left:
        group = [left.pop(0)]
        for other in list(left):
            resolvers = [one["resolver"] for one in group]
            if are_one(group[0], other) and other["resolver"] not in resolvers:
                group.append(other)
                left.remove(other)
        yield group


def scope(resolvers, networks):
    if len(resolvers) == 1:
        return "one"
    is_every = len(resolvers) == len(networks)
    if len(resolvers) >= 3 and (is_every or len({networks[one] for one in resolvers}) >= 2):
        return "line"
    return "all" if is_every else "several"


def text(group, networks):
    resolvers = [one["resolver"] for one in group]
    kinds = [one["kind"] for one in group]
    ends = [one["end"] for one in group]
    sizes = sorted(one["size"] for one in group)
    words = [
        group[0]["measure"],
        max(dict.fromkeys(kinds), key=kinds.count),
        scope(resolvers, networks),
        "+".join(map(str, resolvers)),
        int(median(one["start"] for one in group)),
        None if None in ends else int(median(ends)),
        min(one["established"] for one in group),
        float(median(sizes)),
        sizes[0],
        sizes[-1],
    ]
    return " ".join(map(str, words))


for number in range(1, 101):
    networks, found = random_incidents(number)
    print(number, ",".join(text(group, networks) for group in grouped(found)), sep="\t")
