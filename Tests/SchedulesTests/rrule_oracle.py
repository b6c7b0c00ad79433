"""Prints generated recurrence rules with the instants at which they fire, one JSON object a line.

usage: rrule_oracle.py generate SEED COUNT   python-dateutil's answers, mapped to instants by zoneinfo
       rrule_oracle.py ask < LINES           python-dateutil's local times for {"rule", "start", "count"}

python-dateutil knows no gaps and overlaps: its local times are mapped to instants here, by the same words as in
docs/schedules.md and with none of Carillon's code. Half of the rules start near a change of the clocks.
"""

import datetime
import json
import random
import sys
import types
import zoneinfo

import dateutil.rrule

from cron_oracle import EPOCH, NAIVE_EPOCH, UTC, ZONES, edges, second, stands_for

LAST_YEAR = 2044
# Zones that skipped or repeated more than three hours.
WIDE = {"Pacific/Apia", "Pacific/Kwajalein"}
DAYS = "MO TU WE TH FR SA SU".split()

# A rule that never fires is looked for until this year, which is 9999 otherwise.
limited = types.SimpleNamespace(**vars(datetime))
limited.MAXYEAR = LAST_YEAR
dateutil.rrule.datetime = limited


def numbers(rng, low, high, most):
    return ",".join(str(n) for n in sorted(rng.sample(range(low, high + 1), rng.randint(1, most))))


def signed(rng, high, most):
    return ",".join(str(rng.choice([-1, 1]) * rng.randint(1, high)) for _ in range(rng.randint(1, most)))


def days_part(rng, frequency, has_months, has_weeks):
    days = rng.sample(DAYS, rng.randint(1, 3))
    if rng.random() < 0.5 and not has_weeks:
        if frequency == "MONTHLY" or frequency == "YEARLY" and has_months:
            return ",".join(f"{rng.choice([-1, 1]) * rng.randint(1, 5)}{day}" for day in days)
        if frequency == "YEARLY":
            return ",".join(f"{rng.choice([-1, 1]) * rng.randint(1, 53)}{day}" for day in days)
    return ",".join(days)


def generate(rng):
    frequency = rng.choice("YEARLY MONTHLY MONTHLY WEEKLY WEEKLY DAILY DAILY DAILY HOURLY HOURLY MINUTELY SECONDLY".split())
    within_day = frequency in ("HOURLY", "MINUTELY", "SECONDLY")
    parts = {"FREQ": frequency}
    if rng.random() < 0.5:
        choices = [2, 3, 4, 5, 6, 7, 10, 12]
        parts["INTERVAL"] = str(rng.choice(choices + [15, 20, 30, 90, 1000] if within_day else choices))
    # dateutil takes up to a minute to get through months of seconds.
    dates = frequency != "SECONDLY"
    if dates and rng.random() < 0.3:
        parts["BYMONTH"] = numbers(rng, 1, 12, 5)
    if dates and frequency != "WEEKLY" and rng.random() < 0.25:
        parts["BYMONTHDAY"] = signed(rng, 31, 4)
    if rng.random() < {"YEARLY": 0.15, "HOURLY": 0.1, "MINUTELY": 0.1}.get(frequency, 0):
        parts["BYYEARDAY"] = signed(rng, 366, 6)
    has_weeks = frequency == "YEARLY" and rng.random() < 0.2
    if has_weeks:
        parts["BYWEEKNO"] = signed(rng, 51, 3)
    if has_weeks or rng.random() < 0.4:
        parts["BYDAY"] = days_part(rng, frequency, "BYMONTH" in parts, has_weeks)
    if rng.random() < 0.3:
        parts["BYHOUR"] = numbers(rng, 0, 23, 4)
    if rng.random() < 0.2:
        parts["BYMINUTE"] = numbers(rng, 0, 59, 4)
    if rng.random() < 0.1:
        parts["BYSECOND"] = numbers(rng, 0, 59, 3)
    if rng.random() < 0.2 and any(name.startswith("BY") for name in parts):
        # dateutil goes from second to second through decades for a position that no second has.
        parts["BYSETPOS"] = rng.choice(["1", "-1"]) if within_day else signed(rng, 4, 2)
    if rng.random() < 0.3:
        parts["WKST"] = rng.choice(DAYS)
    if rng.random() < 0.15:
        parts["COUNT"] = str(rng.randint(1, 30))
    return parts


def follows_the_hour(parts):
    length = {"HOURLY": 3_600, "MINUTELY": 60, "SECONDLY": 1}.get(parts["FREQ"])
    return length is not None and "BYHOUR" not in parts and length * int(parts.get("INTERVAL", 1)) % 86_400 != 0


def question(rng, known):
    name = rng.choice(ZONES) if rng.random() < 0.7 else "UTC"
    zone = zoneinfo.ZoneInfo(name)
    parts = generate(rng)
    start = datetime.datetime(2000, 1, 1) + datetime.timedelta(seconds=rng.randrange(30 * 365 * 86_400))
    if known[name] and rng.random() < 0.7:
        edge = (EPOCH + datetime.timedelta(seconds=rng.choice(known[name]))).astimezone(zone).replace(tzinfo=None)
        start = edge - datetime.timedelta(days=rng.choice([0, 0, 1, 2, 7]) * (parts["FREQ"] not in ("MINUTELY", "SECONDLY")), minutes=rng.randrange(-90, 90))
        if "BYHOUR" in parts and rng.random() < 0.7:
            parts["BYHOUR"] = str((edge.hour + rng.choice([-1, -1, 0, 1])) % 24)
    if rng.random() < 0.5:
        start = start.replace(second=0, minute=start.minute // 15 * 15)
    if rng.random() < 0.15 and "COUNT" not in parts:
        parts["UNTIL"] = f"{start + datetime.timedelta(days=rng.randrange(1, 900)):%Y%m%dT%H%M%S}"
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        # dateutil leaves the days before the start out of the first week before it counts positions.
        start += datetime.timedelta(days=(DAYS.index(parts.get("WKST", "MO")) - start.weekday()) % 7)
    names = list(parts)
    rng.shuffle(names)
    text = ";".join(f"{name}={parts[name]}" for name in names)
    gap, overlap = rng.choice(["next", "skip"]), rng.choice(["first", "last", "both"])
    answer = {
        "rule": text, "zone": name, "start": f"{start:%Y-%m-%dT%H:%M:%S}", "gap": gap, "overlap_hour": overlap,
    }
    try:
        rule = dateutil.rrule.rrulestr(text, dtstart=start)
    except ValueError as error:
        # An interval that never meets the hours, minutes or seconds named.
        if "Invalid combination" not in str(error) and "Invalid rrule byxxx" not in str(error):
            raise
        return answer | {"after": 0, "expected": None}
    reach = {"YEARLY": 2_000, "MONTHLY": 900, "WEEKLY": 300, "DAILY": 90, "HOURLY": 5, "MINUTELY": 0.2}
    reach = int(reach.get(parts["FREQ"], 0.05) * 86_400)
    base = int((start - NAIVE_EPOCH).total_seconds())
    after = base - 86_400 + rng.choice([0, 86_400 + rng.randrange(reach)])
    if follows_the_hour(parts):
        gap, overlap = "skip", "both"
    fired, found, ends = set(), [], False
    try:
        for local in rule:
            naive = int((local - NAIVE_EPOCH).total_seconds())
            # No zone is further than that from UTC, and no overlap wider.
            if naive < after - 28 * 3_600:
                continue
            fired.update(stands_for(zone, local, gap, overlap))
            if len(fired) % 64 == 8 or reach > 86_400:
                margin = 3_600 * (28 if local.year < 2000 or name in WIDE else 4)
                offset = int(local.replace(tzinfo=zone).utcoffset().total_seconds())
                found = sorted(i for i in fired if after < i < naive - offset - margin)
                if len(found) >= 8:
                    break
        else:
            ends = True
            found = sorted(instant for instant in fired if instant > after)
    except ValueError as error:
        if "Invalid combination" not in str(error):
            raise
        return answer | {"after": 0, "expected": None}
    horizon = second(datetime.datetime(LAST_YEAR, 1, 1, tzinfo=UTC)) - 3 * 86_400
    kept = [instant for instant in found if instant < horizon][:8]
    never = ends and next(iter(rule), None) is None
    return answer | {"after": after, "expected": None if never else kept}


def main():
    if sys.argv[1] == "ask":
        for line in sys.stdin:
            request = json.loads(line)
            try:
                rule = dateutil.rrule.rrulestr(request["rule"], dtstart=datetime.datetime.fromisoformat(request["start"]))
                found = []
                for local in rule:
                    found.append(local.isoformat())
                    if len(found) == request["count"]:
                        break
                print(json.dumps(found))
            except Exception as error:
                print(json.dumps(str(error).splitlines()[-1]))
        return
    rng = random.Random(int(sys.argv[2]))
    known = {name: edges(zoneinfo.ZoneInfo(name), 2000, 2040) for name in ZONES} | {"UTC": []}
    for _ in range(int(sys.argv[3])):
        print(json.dumps(question(rng, known)))


if __name__ == "__main__":
    main()
