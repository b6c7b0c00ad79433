"""Prints generated cron expressions with the instants at which they fire, one JSON object a line.

usage: cron_oracle.py croniter SEED COUNT   croniter's answers: in UTC everywhere, in other zones away from DST edges
       cron_oracle.py edges SEED COUNT      answers at DST edges by a brute force of its own over every minute
       cron_oracle.py ask < LINES           croniter's answers to {"cron", "zone", "after", "count"}

The brute force shares no code with Carillon and none with croniter: it tries every minute of the days around an edge
against sets of numbers, and lets zoneinfo say what a local time stands for.
"""

import datetime
import json
import os
import random
import sys
import zoneinfo

from croniter import croniter

zoneinfo.reset_tzpath([os.environ.get("TZDIR") or "/usr/share/zoneinfo"])
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
NAIVE_EPOCH = datetime.datetime(1970, 1, 1)
MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
WEEKDAYS = "SUN MON TUE WED THU FRI SAT".split()
ZONES = """Europe/Berlin America/New_York Australia/Lord_Howe America/Havana Pacific/Apia Australia/Sydney America/Nuuk
Europe/Dublin America/Santiago Africa/Cairo Asia/Beirut America/St_Johns Antarctica/Troll Africa/Casablanca
Pacific/Kwajalein America/Caracas Asia/Pyongyang Asia/Gaza Asia/Kathmandu America/Sao_Paulo Asia/Tehran
Pacific/Chatham America/Scoresbysund Asia/Kolkata Atlantic/Azores""".split()


def second(moment):
    return int((moment - EPOCH).total_seconds())


class Field:
    """A generated field: its text and the set of values that it means."""

    def __init__(self, low, high, names=(), sunday=False):
        self.low, self.high, self.names, self.sunday = low, high, names, sunday

    def value(self, rng, number):
        if self.names and rng.random() < 0.4:
            name = self.names[(number - self.low) % len(self.names)]
            return rng.choice([name, name.lower(), name.title()])
        if self.sunday and number == 0 and rng.random() < 0.5:
            return "7"
        return f"0{number}" if number < 10 and rng.random() < 0.1 else str(number)

    def item(self, rng):
        everything = range(self.low, self.high + 1)
        form = rng.randrange(6)
        if form == 0:
            step = rng.randint(2, max(2, (self.high - self.low) // 2))
            return f"*/{step}", set(everything[::step])
        first = rng.randint(self.low, self.high)
        if form == 1:
            last = rng.randint(first, self.high)
            if first == last:
                return self.value(rng, first), {first}
            return f"{self.value(rng, first)}-{last}", set(range(first, last + 1))
        if form == 2:
            last = rng.randint(first, self.high)
            step = rng.randint(1, max(1, (self.high - self.low) // 2))
            if first == last:
                return self.value(rng, first), {first}
            return f"{first}-{last}/{step}", set(range(first, last + 1, step))
        if form == 3:
            step = rng.randint(2, max(2, (self.high - self.low) // 2))
            return f"{first}/{step}", set(range(first, self.high + 1, step))
        return self.value(rng, first), {first}

    def generate(self, rng, star):
        if rng.random() < star:
            return "*", set(range(self.low, self.high + 1))
        items = [self.item(rng) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        return ",".join(text for text, _ in items), set().union(*(values for _, values in items))


MINUTE, HOUR, DAY = Field(0, 59), Field(0, 23), Field(1, 31)
MONTH, WEEKDAY = Field(1, 12, MONTHS), Field(0, 6, WEEKDAYS, sunday=True)


def generate(rng):
    fields = [
        MINUTE.generate(rng, 0.15), HOUR.generate(rng, 0.35), DAY.generate(rng, 0.5), MONTH.generate(rng, 0.6),
        WEEKDAY.generate(rng, 0.5),
    ]
    return " ".join(text for text, _ in fields), [values for _, values in fields], [text for text, _ in fields]


def extra(rng):
    """Forms that only some crons know: L, the last and the n-th weekday, ranges across the end of the week."""
    minute, hour = rng.randrange(60), rng.randrange(24)
    weekday, name = rng.randrange(7), rng.choice(WEEKDAYS)
    first = rng.randrange(1, 7)
    days = rng.choice([
        f"L * *", f"1,L * *", f"L {rng.randint(1, 12)} *", f"* * L{weekday}", f"* * {weekday}#{rng.randint(1, 5)}",
        f"* * {name}#{rng.randint(1, 5)}", f"* * {first}-7", "* * FRI-MON", "* * SAT-TUE", "? * MON", "1 * ?",
        "* NOV-FEB *", "* * 0-7", "15 * MON#2", "* * MON#1,FRI#3",
        "*/15 * SUN-SAT", "1,27,31 * *", "31 4 FRI",
    ])
    return f"{minute} {hour} {days}"


def ask(cron, after, count, zone=UTC):
    start = EPOCH + datetime.timedelta(seconds=after)
    iterator = croniter(cron, start.astimezone(zone), max_years_between_matches=60)
    return [second(iterator.get_next(datetime.datetime)) for _ in range(count)]


def offset(zone, instant):
    return (EPOCH + datetime.timedelta(seconds=instant)).astimezone(zone).utcoffset()


def calm(zone, start, end):
    """Whether no clock changes between a day before start and two days after end."""
    expected = offset(zone, start)
    day = start - 86_400
    while day <= end + 2 * 86_400:
        if offset(zone, day) != expected:
            return False
        day += 6 * 3_600
    return True


def compare_with_croniter(seed, count):
    rng = random.Random(seed)
    for index in range(count):
        cron = extra(rng) if index % 8 == 0 else generate(rng)[0]
        after = rng.randrange(0, 4_000_000_000)
        name = "UTC" if index % 3 else rng.choice(ZONES)
        zone = zoneinfo.ZoneInfo(name)
        try:
            fired = ask(cron, after, 5, zone)
        except Exception as error:  # croniter finds no date for what never fires
            if "failed to find" not in str(error):
                raise
            fired = None
        if fired is not None and name != "UTC":
            while fired and not calm(zone, after, fired[-1]):
                fired.pop()
            if not fired:
                continue
        print(json.dumps({"cron": cron, "zone": name, "after": after, "expected": fired}))


def edges(zone, first_year, last_year):
    found, step = [], 86_400
    low = second(datetime.datetime(first_year, 1, 1, tzinfo=UTC))
    end = second(datetime.datetime(last_year, 1, 1, tzinfo=UTC))
    while low < end:
        high = low + step
        if offset(zone, low) != offset(zone, high):
            left, right = low, high
            while right - left > 1:
                middle = (left + right) // 2
                if offset(zone, middle) == offset(zone, low):
                    left = middle
                else:
                    right = middle
            found.append(right)
        low = high
    return found


def day_matches(date, values, texts):
    if date.month not in values[3]:
        return False
    day, weekday = date.day in values[2], date.isoweekday() % 7 in values[4]
    if texts[2] != "*" and texts[4] != "*":
        return day or weekday
    return day and weekday


def matches(local, values, texts):
    return local.minute in values[0] and local.hour in values[1] and day_matches(local.date(), values, texts)


def stands_for(zone, local, gap, overlap):
    early, late = (local.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1))
    naive = int((local - NAIVE_EPOCH).total_seconds())
    first, last = naive - int(early.total_seconds()), naive - int(late.total_seconds())
    if early == late:
        return [first]
    if early > late:
        return {"first": [first], "last": [last], "both": [first, last]}[overlap]
    if gap == "skip":
        return []
    # `last` lies before the gap and `first` after it; the gap ends where the offset changes between them.
    low, high = last, first
    while high - low > 1:
        middle = (low + high) // 2
        if offset(zone, middle) == late:
            high = middle
        else:
            low = middle
    return [high]


def brute_force(zone, values, texts, start, end, gap, overlap):
    follows = any(item.startswith("*") for item in texts[1].split(",")) and len(values[1]) > 1 or len(values[1]) == 24
    fired = set()
    if follows:
        for instant in range(start - start % 60, end + 1, 60):
            local = (EPOCH + datetime.timedelta(seconds=instant)).astimezone(zone)
            # Offsets of old have seconds; minutes there do not begin with UTC's.
            instant -= local.second
            if matches(local, values, texts):
                fired.add(instant)
    else:
        day = (EPOCH + datetime.timedelta(seconds=start)).astimezone(zone).date() - datetime.timedelta(days=2)
        last = (EPOCH + datetime.timedelta(seconds=end)).astimezone(zone).date() + datetime.timedelta(days=2)
        while day <= last:
            if day_matches(day, values, texts):
                for hour in values[1]:
                    for minute in values[0]:
                        local = datetime.datetime(day.year, day.month, day.day, hour, minute)
                        fired.update(stands_for(zone, local, gap, overlap))
            day += datetime.timedelta(days=1)
    return sorted(i for i in fired if start < i <= end)


def compare_at_edges(seed, count):
    rng = random.Random(seed)
    known = [(name, edge) for name in ZONES for edge in edges(zoneinfo.ZoneInfo(name), 1975, 2045)]
    for _ in range(count):
        name, edge = rng.choice(known)
        zone = zoneinfo.ZoneInfo(name)
        cron, values, texts = generate(rng)
        if rng.random() < 0.5:
            # Aim at the hours around the edge.
            local = (EPOCH + datetime.timedelta(seconds=edge)).astimezone(zone)
            hour = (local.hour + rng.choice([-2, -1, -1, 0, 0, 1])) % 24
            texts[1], values[1] = str(hour), {hour}
            texts[2:] = ["*"] * 3
            values[2:] = [set(range(1, 32)), set(range(1, 13)), set(range(7))]
            cron = " ".join(texts)
        start, end = edge - 36 * 3_600 - rng.randrange(3_600), edge + 36 * 3_600
        gap, overlap = rng.choice(["next", "skip"]), rng.choice(["first", "last", "both"])
        fired = brute_force(zone, values, texts, start, end, gap, overlap)
        print(json.dumps({
            "cron": cron, "zone": name, "after": start, "through": end, "gap": gap, "overlap_hour": overlap,
            "expected": fired,
        }))


def main():
    if sys.argv[1] == "ask":
        for line in sys.stdin:
            request = json.loads(line)
            try:
                zone = zoneinfo.ZoneInfo(request["zone"])
                print(json.dumps(ask(request["cron"], request["after"], request["count"], zone)))
            except Exception as error:
                print(json.dumps(str(error).splitlines()[-1]))
        return
    mode = {"croniter": compare_with_croniter, "edges": compare_at_edges}[sys.argv[1]]
    mode(int(sys.argv[2]), int(sys.argv[3]))


if __name__ == "__main__":
    main()
