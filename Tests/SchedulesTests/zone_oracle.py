"""Prints what Python's zoneinfo says of every zone, one JSON object a line.

usage: zone_oracle.py SEED INSTANTS_PER_ZONE

Beside random instants from 1900 to 2100, every change of offset found between two of them is closed in on, and both
sides of it are printed, and local times around it with what they stand for.
"""

import datetime
import json
import os
import random
import sys
import zoneinfo

zoneinfo.reset_tzpath([os.environ.get("TZDIR") or "/usr/share/zoneinfo"])
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
NAIVE_EPOCH = datetime.datetime(1970, 1, 1)
FIRST = int((datetime.datetime(1900, 1, 1, tzinfo=UTC) - EPOCH).total_seconds())
LAST = int((datetime.datetime(2100, 1, 1, tzinfo=UTC) - EPOCH).total_seconds())


def offset_at(zone, instant):
    moment = EPOCH + datetime.timedelta(seconds=instant)
    return int(moment.astimezone(zone).utcoffset().total_seconds())


def local_meaning(zone, local):
    """[local, kind, first, second]; for a gap, second is its width and first is unused."""
    moment = NAIVE_EPOCH + datetime.timedelta(seconds=local)
    early, late = (
        int(moment.replace(tzinfo=zone, fold=fold).utcoffset().total_seconds()) for fold in (0, 1)
    )
    if early == late:
        return [local, "unique", local - early, 0]
    if early > late:
        return [local, "overlap", local - early, local - late]
    return [local, "gap", 0, late - early]


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    names = sorted(n for n in zoneinfo.available_timezones() if n not in ("localtime", "posixrules", "Factory"))
    for name in names:
        rng = random.Random(f"{seed} {name}")
        zone = zoneinfo.ZoneInfo(name)
        instants = sorted(rng.randrange(FIRST, LAST) for _ in range(count))
        known = [(i, offset_at(zone, i)) for i in instants]
        offsets, locals_ = list(known), []
        for (low, before), (high, after) in zip(known, known[1:]):
            if before == after:
                continue
            while high - low > 1:
                middle = (low + high) // 2
                if offset_at(zone, middle) == before:
                    low = middle
                else:
                    high = middle
            after = offset_at(zone, high)
            offsets += [(low, before), (high, after)]
            small, large = sorted((before, after))
            for local in (
                high + small - 1, high + small, high + (small + large) // 2, high + large - 1, high + large,
            ):
                locals_.append(local_meaning(zone, local))
        print(json.dumps({"zone": name, "offsets": offsets, "locals": locals_}, separators=(",", ":")))


main()
