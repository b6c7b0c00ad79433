"""Says what Python's json makes of each document.

Reads one base64 document a line; writes `invalid`, or the value as JSON, one a line. Python is laxer than RFC 8259 in
a few places (NaN, lone surrogates, numbers that overflow), which are refused here.
"""
import base64
import json
import math
import sys


def refuse(text):
    raise ValueError(text)


def finite(text):
    number = float(text)
    return number if math.isfinite(number) else refuse(text)


for line in sys.stdin.buffer:
    try:
        text = base64.b64decode(line).decode("utf-8")
        value = json.loads(text, parse_constant=refuse, parse_float=finite)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        print(json.dumps(value))
    except (ValueError, UnicodeError):
        print("invalid")
