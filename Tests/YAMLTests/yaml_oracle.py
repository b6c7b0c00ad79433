"""Reads a JSON array of YAML texts and writes a JSON array of what ruamel.yaml makes of each.

An entry is {"value": ...}, or null where ruamel refuses the text or where the text asks for what JSON and our reader
do not have: keys that are no strings, binary values, sets.
"""

import json
import math
import sys

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor


class Constructor(SafeConstructor):
    """Timestamps stay text, as they are in YAML 1.2's core schema."""


Constructor.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: node.value)


def plain(value):
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("a key that is no string")
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ValueError(f"a {type(value).__name__}")


def read(text):
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = Constructor
    try:
        return {"value": plain(yaml.load(text))}
    except Exception:  # whatever ruamel refuses with
        return None


json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
