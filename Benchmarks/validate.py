"""How long `carillon validate` takes over many campaign files, beside check-jsonschema in the same run.

usage: .venv/bin/python3 Benchmarks/validate.py [PATH/TO/carillon] [FILES]

Build with `swift build -c release` first. The files are variations of campaigns/ with a different id, hour and filter
each. check-jsonschema reads a tenth of them, against schemas/campaign.schema.json alone: it knows nothing of cron,
zones or templates. Time and memory are those of the whole processes.
"""

import os
import pathlib
import random
import re
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEED = 20261130
TARGET_SECONDS, TARGET_MEGABYTES = 3, 300


def generate(folder, count):
    rng = random.Random(SEED)
    samples = sorted((ROOT / "campaigns").glob("*.yaml"))
    texts = [sample.read_text() for sample in samples]
    (folder / "_data").mkdir(parents=True)
    (folder / "_data" / "stories.json").write_text((ROOT / "campaigns/_data/stories.json").read_text())
    for number in range(count):
        text = texts[number % len(texts)]
        text = re.sub(r"^campaign: (.*)$", rf"campaign: \1-{number}", text, flags=re.M)
        text = re.sub(r'cron: "\S+ \S+', f'cron: "{rng.randrange(60)} {rng.randrange(24)}', text)
        text = text.replace("tags: [", f"tags: [segment-{rng.randrange(200)}, ")
        team = folder / f"team-{number % 50:02}"
        team.mkdir(exist_ok=True)
        (team / f"campaign-{number}.yaml").write_text(text.replace("file: _data/", "file: ../_data/"))


def run(arguments):
    """Wall seconds, processor seconds and peak resident megabytes of one process."""
    start = time.perf_counter()
    process = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{arguments[0]} exited with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/release/carillon")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "campaigns"
        generate(folder, count)
        runs = [run([program, "validate", "--campaigns", str(folder)]) for _ in range(5)]
        wall, processor, memory = sorted(runs)[len(runs) // 2]
        files = [str(path) for path in sorted(folder.rglob("*.yaml"))[: max(1, count // 10)]]
        checker = str(ROOT / ".venv/bin/check-jsonschema")
        schema = str(ROOT / "schemas/campaign.schema.json")
        peer, _, peer_memory = run([checker, "--schemafile", schema, *files])
    ours, theirs = wall / count, peer / len(files)
    print(f"carillon validate   {count} files  {wall:.2f} s wall, {processor:.2f} s processor, {memory:.0f} MB peak")
    print(f"check-jsonschema    {len(files)} files  {peer:.2f} s wall, {peer_memory:.0f} MB peak")
    print(f"ratio               {theirs / ours:.0f} times as many files a second as check-jsonschema")
    print(f"target              {TARGET_SECONDS} s and {TARGET_MEGABYTES} MB for 10000 files")


if __name__ == "__main__":
    main()
