"""Prints generated calendar events with the first UTC instants that systemd-analyze gives for them, a JSON object a line.

usage: calendar_oracle.py SEED COUNT

The program comes with Debian's package systemd; where it is missing, nothing is printed.
"""

import datetime
import json
import random
import re
import shutil
import subprocess
import sys

DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()


def component(rng, low, high, open_step=True):
    form = rng.randrange(6)
    first = rng.randint(low, high)
    if form == 0:
        return "*"
    if form == 1 and open_step:
        return f"{first}/{rng.randint(1, high - first)}" if first < high else f"{first}"
    if form == 1:
        # Asked at 22:53, systemd 252 finds 11:00 of the next day for 1/10:*, and 01:00 for 1..23/10:*.
        return f"{first}..{high}/{rng.randint(1, high - first)}" if first < high else f"{first}"
    if form == 2 and first < high:
        return f"{first}..{rng.randint(first + 1, high)}"
    if form == 3 and first < high - 2:
        last = rng.randint(first + 2, high)
        return f"{first}..{last}/{rng.randint(1, last - first)}"
    if form == 4:
        return ",".join(f"{n:02}" for n in sorted(rng.sample(range(low, high + 1), 2)))
    return f"{first:02}"


def event(rng):
    if rng.random() < 0.05:
        return rng.choice("minutely hourly daily monthly weekly quarterly semiannually yearly annually".split())
    words = []
    if rng.random() < 0.5:
        first = rng.randrange(7)
        last = rng.randint(first, 6)
        name = rng.choice([DAYS[first], DAYS[first].lower()])
        words.append(rng.choice([name, f"{name}..{DAYS[last]}", ",".join(rng.sample(DAYS, 2))]))
    if rng.random() < 0.7:
        separator = "~" if rng.random() < 0.3 else "-"
        day = component(rng, 1, 28)
        date = component(rng, 1, 12) + separator + ("1" if separator == "~" and (day == "*" or "," in day) else day)
        if rng.random() < 0.6:
            year = rng.choice(["*", "*", "*", "2027", "2026/3", "2027..2030", "2028,2031"])
            date = f"{year}-{date}"
        words.append(date)
    if rng.random() < 0.8 or not words:
        time = component(rng, 0, 23, False) + ":" + component(rng, 0, 59, False)
        words.append(time + (":" + component(rng, 0, 59, False) if rng.random() < 0.3 else ""))
    return " ".join(words)


def main():
    if shutil.which("systemd-analyze") is None:
        sys.exit("systemd-analyze is missing: run scripts/install first")
    rng = random.Random(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        text = event(rng)
        base = datetime.datetime(2026, 1, 1) + datetime.timedelta(seconds=rng.randrange(3 * 365 * 86_400))
        result = subprocess.run(
            ["systemd-analyze", "calendar", "--iterations=5", f"--base-time={base:%Y-%m-%d %H:%M:%S}", text],
            env={"TZ": "UTC", "LC_ALL": "C", "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
        found = re.findall(r"(?:Next elapse|Iter\. #\d+): \w+ (\S+) (\S+) UTC", result.stdout)
        expected = None if result.returncode else [f"{date}T{time}Z" for date, time in found]
        print(json.dumps({"event": text, "after": f"{base:%Y-%m-%dT%H:%M:%SZ}", "expected": expected}))


main()
