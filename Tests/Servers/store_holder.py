"""Another process at a store: it does one thing to the file, prints `listening 0`, and then waits to be ended.

usage: store_holder.py MODE FILE [RUN]
  write    opens a write transaction, adds a run to it and never commits
  commit   adds a run and commits it
  run      holds the lock of run RUN, as a process that is sending it does
"""

import fcntl
import sqlite3
import struct
import sys
import time

mode, path = sys.argv[1], sys.argv[2]

if mode == "run":
    file = open(path + "-runs", "r+b")
    # struct flock on 64-bit Linux: type, whence, start, length, pid.
    range_of_run = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, int(sys.argv[3]), 1, 0)
    fcntl.fcntl(file, getattr(fcntl, "F_OFD_SETLK", 37), range_of_run)
else:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(
        "INSERT INTO runs (campaign, occurrence, state, batch_id, started_at) VALUES ('digest', 1800000000, 'sending', 'p', 0)"
    )
    connection.execute("INSERT INTO campaign_progress VALUES ('digest', 'f', 1)")
    if mode == "commit":
        connection.execute("COMMIT")

print("listening 0", flush=True)
while True:
    time.sleep(3600)
