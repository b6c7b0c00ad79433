"""How fast `carillon next --jsonl` answers, beside croniter in the same run.

usage: .venv/bin/python3 Benchmarks/next.py [PATH/TO/carillon] [LINES]

Build with `swift build -c release` first. Both sides answer the same requests. Their answers are compared up
to the first change of the clocks, where docs/schedules.md tells the two apart; one that differs ends the run with 1. The time of `carillon` includes its start and
reading and writing JSON; croniter's is that of its calls alone.
"""

import datetime
import json
import os
import random
import subprocess
import sys
import time
import zoneinfo

from croniter import croniter

SEED, COUNT = 20261130, 5
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "America/Sao_Paulo"]


def expression(rng):
    minute, hour, day = rng.randrange(60), rng.randrange(24), rng.randrange(1, 29)
    return rng.choice([
        f"*/{rng.choice([5, 10, 15, 20])} * * * *", f"{minute} {hour} * * *", f"{minute} {hour} * * MON-FRI",
        f"{minute} {hour} * * {rng.randrange(7)}", f"{minute} {hour} {day} * *", f"{minute} {hour} L * *",
        f"{minute} {hour},{(hour + 7) % 24} * JAN,JUL *", f"{minute} {hour} {day} * FRI",
    ])


def requests(lines):
    rng = random.Random(SEED)
    made = []
    while len(made) < lines:
        # The clocks of these zones change in March, April, October and November.
        month, day = rng.choice([1, 6, 7, 12]), rng.randint(1, 5)
        after = datetime.datetime(rng.randint(2025, 2035), month, day, rng.randrange(24), tzinfo=datetime.timezone.utc)
        made.append((expression(rng), rng.choice(ZONES), after))
    return made


def croniter_answers(made):
    answers, zones = [], {name: zoneinfo.ZoneInfo(name) for name in ZONES}
    start = time.perf_counter()
    for cron, name, after in made:
        iterator = croniter(cron, after.astimezone(zones[name]))
        answers.append([iterator.get_next(datetime.datetime) for _ in range(COUNT)])
    return time.perf_counter() - start, answers


def carillon_answers(program, made):
    text = "".join(
        json.dumps({
            "schedule": {"cron": cron, "timezone": name}, "after": after.isoformat().replace("+00:00", "Z"),
            "count": COUNT,
        }) + "\n"
        for cron, name, after in made
    )
    start = time.perf_counter()
    result = subprocess.run([program, "next", "--jsonl"], input=text, capture_output=True, text=True)
    elapsed = time.perf_counter() - start
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    if len(lines) != len(made):
        sys.exit(f"{program} answered {len(lines)} of {len(made)} lines: {result.stderr[-500:]}")
    return elapsed, [line.get("occurrences") or line for line in lines]


def agrees(ours, theirs):
    """Compares up to the first change of the clocks after the start, where the two have different rules."""
    ours = [datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) for text in ours]
    for mine, other in zip(ours, theirs):
        if mine.utcoffset() != ours[0].utcoffset():
            break
        if mine.timestamp() != other.timestamp():
            return False
    return True


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(".build", "release", "carillon")
    made = requests(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
    ours_time, ours = carillon_answers(program, made)
    theirs_time, theirs = croniter_answers(made)
    different = [
        (request, mine, [str(t) for t in other])
        for request, mine, other in zip(made, ours, theirs)
        if isinstance(mine, dict) or not agrees(mine, other)
    ]
    print(f"{len(made)} requests of {COUNT} occurrences, seed {SEED}")
    print(f"carillon next --jsonl  {ours_time:8.3f} s  {len(made) / ours_time:10.0f} lines/s")
    print(f"croniter               {theirs_time:8.3f} s  {len(made) / theirs_time:10.0f} lines/s")
    print(f"ratio {theirs_time / ours_time:.1f}, {len(different)} answers differ")
    for request, mine, other in different[:5]:
        print(f"{request[0]!r} in {request[1]} after {request[2]}: {mine}, croniter {other}")
    sys.exit(1 if different else 0)


main()
