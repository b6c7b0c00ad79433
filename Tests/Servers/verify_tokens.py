"""Reads {"key", "algorithm", "tokens"} and prints what PyJWT finds in each token, or fails."""

import json
import sys

import jwt

question = json.load(sys.stdin)
print(json.dumps([
    {
        "header": jwt.get_unverified_header(token),
        "claims": jwt.decode(token, question["key"], algorithms=[question["algorithm"]], options={"verify_aud": False}),
    }
    for token in question["tokens"]
]))
