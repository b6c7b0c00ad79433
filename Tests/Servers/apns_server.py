"""A stand-in for APNs on loopback: HTTP/2 over TLS, with Apple's checks and Apple's reasons.

    apns_server.py --certificates DIRECTORY --key-id ID --team-id ID --topic BUNDLE [--topic BUNDLE …]

The provider token is verified by PyJWT against DIRECTORY/AuthKey.pub.pem. Header fields and payload are checked by the
rules of Apple's pages “Sending notification requests to APNs” and “Generating a remote notification”; a violation gets the
reason Apple gives for it, and the log says in `note` what exactly was wrong.

What a device token begins with decides the answer, unless --plain is given:

    410, dead  410 Unregistered, with a timestamp        429  429 TooManyRequests
    400        400 BadDeviceToken                        500  500 InternalServerError
    403        403 InvalidProviderToken                  503  503 ServiceUnavailable

--answer PREFIX=STATUS:REASON adds a rule and --silent PREFIX leaves such tokens without an answer.
"""

import json
import re
import time

import jwt

from h2_server import Reply, Silence, argument_parser, serve

PUSH_TYPES = {
    "alert": "", "background": "", "controls": ".push-type.controls", "location": ".location-query", "voip": ".voip",
    "complication": ".complication", "fileprovider": ".pushkit.fileprovider", "mdm": "",
    "liveactivity": ".push-type.liveactivity", "pushtotalk": ".voip-ptt", "widgets": ".push-type.widgets",
}
APS_KEYS = {
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "target-content-id",
    "interruption-level", "relevance-score", "filter-criteria", "stale-date", "content-state", "timestamp", "event",
    "dismissal-date", "attributes-type", "attributes", "url-args", "input-push-token",
}
ALERT_KEYS = {
    "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
    "subtitle-loc-args", "loc-key", "loc-args", "action-loc-key",
}
DEFAULT_RULES = {
    "410": (410, "Unregistered"), "dead": (410, "Unregistered"), "400": (400, "BadDeviceToken"),
    "403": (403, "InvalidProviderToken"), "429": (429, "TooManyRequests"), "500": (500, "InternalServerError"),
    "503": (503, "ServiceUnavailable"),
}
TRANSIENT = {"TooManyRequests", "InternalServerError", "ServiceUnavailable", "Shutdown"}
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
UUID_ANY_CASE = re.compile(UUID.pattern, re.IGNORECASE)


class Violation(Exception):
    def __init__(self, status, reason, note=""):
        super().__init__(reason)
        self.status, self.reason, self.note = status, reason, note


def require(condition, status, reason, note=""):
    if not condition:
        raise Violation(status, reason, note)


class ProviderTokens:
    """Verifies provider tokens, each text once, and watches how often a team makes new ones."""

    def __init__(self, options, now):
        self.options, self.now = options, now
        self.public_key = (options.certificates / "AuthKey.pub.pem").read_text()
        self.issued = {}  # token text to iat
        self.newest = None

    def check(self, authorization):
        require(authorization is not None, 403, "MissingProviderToken")
        scheme, _, text = authorization.partition(" ")
        require(scheme.lower() == "bearer" and text, 403, "InvalidProviderToken", "not a bearer token")
        if text not in self.issued:
            self.issued[text] = self.verify(text)
        age = self.now() - self.issued[text]
        require(age <= 3600, 403, "ExpiredProviderToken", f"{age:.0f} seconds old")

    def verify(self, text):
        try:
            header = jwt.get_unverified_header(text)
            claims = jwt.decode(text, self.public_key, algorithms=["ES256"],
                                options={"verify_iat": False, "require": ["iss", "iat"]})
        except jwt.PyJWTError as error:
            raise Violation(403, "InvalidProviderToken", f"{type(error).__name__}: {error}") from error
        issued = claims["iat"]
        require(header.get("kid") == self.options.key_id, 403, "InvalidProviderToken", f"kid {header.get('kid')}")
        require(claims["iss"] == self.options.team_id, 403, "InvalidProviderToken", f"iss {claims['iss']}")
        require(isinstance(issued, int) and not isinstance(issued, bool), 403, "InvalidProviderToken", f"iat {issued!r}")
        require(issued <= self.now() + 60, 403, "InvalidProviderToken", "iat lies in the future")
        if self.newest is not None:
            require(abs(issued - self.newest) >= self.options.token_interval, 429, "TooManyProviderTokenUpdates",
                    f"{abs(issued - self.newest)} seconds after the last")
        self.newest = max(issued, self.newest or issued)
        return issued


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_sound(sound):
    if isinstance(sound, str):
        return
    bad = (400, "PayloadEmpty")
    require(isinstance(sound, dict) and set(sound) <= {"critical", "name", "volume"}, *bad, f"sound is {sound!r}")
    require(sound.get("critical", 0) in (0, 1) and is_integer(sound.get("critical", 0)), *bad, "sound.critical")
    require(isinstance(sound.get("name", ""), str), *bad, "sound.name")
    require(is_number(sound.get("volume", 1)) and 0 <= sound.get("volume", 1) <= 1, *bad, "sound.volume")


def check_aps(aps):
    # Apple has no reason of its own for a payload of the wrong shape.
    bad = (400, "PayloadEmpty")
    unknown = set(aps) - APS_KEYS
    require(not unknown, *bad, f"unknown in aps: {sorted(unknown)}")
    alert = aps.get("alert")
    if isinstance(alert, dict):
        require(alert and set(alert) <= ALERT_KEYS, *bad, f"alert is {alert!r}")
        wrong = [key for key, value in alert.items() if not isinstance(value, list if key.endswith("args") else str)]
        require(not wrong, *bad, f"of the wrong type in alert: {wrong}")
    else:
        require(alert is None or isinstance(alert, str), *bad, "alert is neither text nor an object")
    require("alert" not in aps or alert is not None, *bad, "alert is null")
    require("badge" not in aps or (is_integer(aps["badge"]) and aps["badge"] >= 0), *bad, f"badge {aps.get('badge')!r}")
    if "sound" in aps:
        check_sound(aps["sound"])
    for key in ("content-available", "mutable-content"):
        require(is_integer(aps.get(key, 1)) and aps.get(key, 1) in (0, 1), *bad, f"{key} {aps.get(key)!r}")
    for key in ("thread-id", "category", "target-content-id", "filter-criteria", "event", "attributes-type"):
        require(isinstance(aps.get(key, ""), str), *bad, key)
    level = aps.get("interruption-level", "active")
    require(level in ("passive", "active", "time-sensitive", "critical"), *bad, f"interruption-level {level!r}")
    score = aps.get("relevance-score", 0)
    require(is_number(score), *bad, f"relevance-score {score!r}")


def check_payload(body, push_type):
    require(body, 400, "PayloadEmpty", "no body")
    limit = 5120 if push_type == "voip" else 4096
    require(len(body) <= limit, 413, "PayloadTooLarge", f"{len(body)} bytes")
    try:
        payload = json.loads(body.decode("utf-8"), parse_constant=lambda text: 1 / 0)
    except (ValueError, ZeroDivisionError) as error:
        raise Violation(400, "PayloadEmpty", f"not JSON: {error}") from error
    require(isinstance(payload, dict), 400, "PayloadEmpty", "not an object")
    require(push_type == "mdm" or isinstance(payload.get("aps"), dict), 400, "PayloadEmpty", "no aps object")
    aps = payload.get("aps", {})
    check_aps(aps)
    shows = any(key in aps for key in ("alert", "badge", "sound"))
    if push_type == "background":
        require(aps.get("content-available") == 1 and not shows, 400, "InvalidPushType",
                "background needs content-available and nothing to show")
    if push_type == "alert":
        require(shows, 400, "InvalidPushType", "alert needs an alert, badge or sound")


def check_headers(request, topics):
    repeated = request.repeated_header
    require(repeated is None, 400, "DuplicateHeaders", f"{repeated}")
    identifier = request.header("apns-id")
    require(identifier is None or UUID.fullmatch(identifier), 400, "BadMessageId", f"{identifier}")
    push_type = request.header("apns-push-type")
    require(push_type in PUSH_TYPES, 400, "InvalidPushType", f"{push_type}")
    topic = request.header("apns-topic")
    require(topic, 400, "MissingTopic")
    suffix = PUSH_TYPES[push_type]
    require(topic.endswith(suffix), 400, "BadTopic", f"{topic} for {push_type}")
    require(topic.removesuffix(suffix) in topics, 400, "TopicDisallowed", topic)
    expiration = request.header("apns-expiration")
    require(expiration is None or re.fullmatch(r"0|[1-9][0-9]*", expiration), 400, "BadExpirationDate", f"{expiration}")
    priority = request.header("apns-priority")
    require(priority in (None, "1", "5", "10"), 400, "BadPriority", f"{priority}")
    require(push_type != "background" or priority == "5", 400, "BadPriority", f"{priority} for background")
    collapse = request.header("apns-collapse-id")
    require(collapse is None or 0 < len(collapse.encode()) <= 64, 400, "BadCollapseId", f"{collapse}")
    return push_type


class Service:
    def __init__(self, options):
        self.options = options
        self.now = (lambda: options.now) if options.now is not None else time.time
        self.tokens = ProviderTokens(options, self.now)
        self.rules = {} if options.plain else dict(DEFAULT_RULES)
        for rule in options.answer:
            prefix, _, answer = rule.partition("=")
            status, _, reason = answer.partition(":")
            self.rules[prefix] = (int(status), reason)
        # The longest prefix decides.
        self.prefixes = sorted(self.rules, key=len, reverse=True)
        self.transient_answers = {}

    def __call__(self, request):
        echo = request.header("apns-id") or ""
        headers = {"apns-id": echo} if UUID_ANY_CASE.fullmatch(echo) else {}
        try:
            token = self.check(request)
            if any(token.startswith(prefix) for prefix in self.options.silent):
                return Silence()
            self.apply_rules(token)
        except Violation as violation:
            value = {"reason": violation.reason}
            if violation.status == 410:
                at = self.options.unregistered_at
                value["timestamp"] = at if at is not None else int(self.now() * 1000)
            return Reply.json(violation.status, value, headers, violation.reason, violation.note)
        return Reply(200, headers=headers)

    def check(self, request):
        require(request.method == "POST", 405, "MethodNotAllowed", request.method)
        prefix, token = request.path[:10], request.path[10:]
        require(prefix == "/3/device/", 404, "BadPath", request.path)
        require(token, 400, "MissingDeviceToken")
        require(re.fullmatch(r"(?:[0-9a-f]{2}){8,100}", token), 400, "BadDeviceToken", "not lower-case hex")
        self.tokens.check(request.header("authorization"))
        push_type = check_headers(request, self.options.topic)
        check_payload(request.body, push_type)
        return token

    def apply_rules(self, token):
        prefix = next((prefix for prefix in self.prefixes if token.startswith(prefix)), None)
        if prefix is None:
            return
        status, reason = self.rules[prefix]
        if reason in TRANSIENT and self.options.transient_times is not None:
            given = self.transient_answers.get(token, 0)
            if given >= self.options.transient_times:
                return
            self.transient_answers[token] = given + 1
        raise Violation(status, reason)


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--key-id", required=True)
    parser.add_argument("--team-id", required=True)
    parser.add_argument("--topic", action="append", required=True, metavar="BUNDLE")
    parser.add_argument("--token-interval", type=float, default=1200, metavar="SECONDS",
                        help="the least time between the iat of two provider tokens")
    parser.add_argument("--plain", action="store_true", help="no answers by the token's first digits")
    parser.add_argument("--answer", action="append", default=[], metavar="PREFIX=STATUS:REASON")
    parser.add_argument("--silent", action="append", default=[], metavar="PREFIX")
    parser.add_argument("--unregistered-at", type=int, metavar="MILLISECONDS", help="the timestamp of a 410")
    parser.add_argument("--transient-times", type=int, metavar="N",
                        help="429, 500 and 503 so often for each token, then 200; always by default")
    options = parser.parse_args()
    serve(Service(options), options)


if __name__ == "__main__":
    main()
