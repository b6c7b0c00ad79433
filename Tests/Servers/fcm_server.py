"""A stand-in for Firebase Cloud Messaging's HTTP v1 interface and Google's token endpoint on loopback.

    fcm_server.py --certificates DIRECTORY

POST /token verifies the assertion with PyJWT against DIRECTORY/service-account.pub.pem (RFC 7523) and gives out an access
token; POST /v1/projects/<project of service-account.json>/messages:send checks the message by the reference of
`projects.messages` and answers as Google does, errors with their details.

A registration token that begins with one of these words gets that answer:

    UNREGISTERED  INVALID_ARGUMENT  SENDER_ID_MISMATCH  QUOTA_EXCEEDED  UNAVAILABLE  INTERNAL  THIRD_PARTY_AUTH_ERROR
    UNAUTHENTICATED  PERMISSION_DENIED  NOT_FOUND (without an FcmError)  SILENT (none)
"""

import json
import re
import time
import urllib.parse

import jwt

from h2_server import Reply, Silence, argument_parser, serve

FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"
QUOTA_FAILURE = "type.googleapis.com/google.rpc.QuotaFailure"
SCOPES = {
    "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
}
# word: (HTTP code, google.rpc.Code, has an FcmError, message)
ANSWERS = {
    "UNREGISTERED": (404, "NOT_FOUND", True, "Requested entity was not found."),
    "INVALID_ARGUMENT": (400, "INVALID_ARGUMENT", True,
                         "The registration token is not a valid FCM registration token"),
    "SENDER_ID_MISMATCH": (403, "PERMISSION_DENIED", True, "SenderId mismatch"),
    "QUOTA_EXCEEDED": (429, "RESOURCE_EXHAUSTED", True, "Quota exceeded for quota metric of the project."),
    "UNAVAILABLE": (503, "UNAVAILABLE", True, "The service is currently unavailable."),
    "INTERNAL": (500, "INTERNAL", True, "Internal error encountered."),
    "THIRD_PARTY_AUTH_ERROR": (401, "UNAUTHENTICATED", True,
                               "Request is missing required authentication credential."),
    "UNAUTHENTICATED": (401, "UNAUTHENTICATED", False, "Request had invalid authentication credentials."),
    "PERMISSION_DENIED": (403, "PERMISSION_DENIED", False,
                          "Firebase Cloud Messaging API has not been used in this project or it is disabled."),
    "NOT_FOUND": (404, "NOT_FOUND", False, "Requested entity was not found."),
}
TRANSIENT = {"QUOTA_EXCEEDED", "UNAVAILABLE", "INTERNAL"}
MESSAGE_KEYS = {"name", "data", "notification", "android", "webpush", "apns", "fcm_options", "token", "topic", "condition"}
ANDROID_KEYS = {
    "collapse_key", "priority", "ttl", "restricted_package_name", "data", "notification", "fcm_options",
    "direct_boot_ok", "bandwidth_constrained_ok", "restricted_satellite_ok",
}
ANDROID_NOTIFICATION_KEYS = {
    "title", "body", "icon", "color", "sound", "tag", "click_action", "body_loc_key", "body_loc_args", "title_loc_key",
    "title_loc_args", "channel_id", "ticker", "sticky", "event_time", "local_only", "notification_priority",
    "default_sound", "default_vibrate_timings", "default_light_settings", "vibrate_timings", "visibility",
    "notification_count", "light_settings", "image", "bypass_proxy_notification", "proxy",
}
PRIORITIES = {
    "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH", "PRIORITY_MAX",
}


class Violation(Exception):
    def __init__(self, field, description):
        super().__init__(f"{field}: {description}")
        self.field, self.description = field, description


def require(condition, field, description):
    if not condition:
        raise Violation(field, description)


def require_keys(value, keys, field):
    require(isinstance(value, dict), field, "must be an object")
    unknown = sorted(set(value) - keys)
    require(not unknown, f"{field}.{unknown[0]}" if unknown else field, "Cannot find field.")


def require_strings(value, field):
    require(isinstance(value, dict), field, "must be an object")
    for key, text in value.items():
        require(isinstance(text, str), f"{field}[{key}]", "must be a string")


def check_data(data, field):
    require_strings(data, field)
    for key in data:
        reserved = key in ("from", "message_type") or key.startswith(("gcm", "google."))
        require(not reserved, field, f"Invalid data payload key: {key}")


def check_android(android):
    require_keys(android, ANDROID_KEYS, "message.android")
    if "data" in android:
        check_data(android["data"], "message.android.data")
    require(android.get("priority", "NORMAL") in ("NORMAL", "HIGH"), "message.android.priority", "Invalid value")
    if "ttl" in android:
        ttl = android["ttl"]
        match = isinstance(ttl, str) and re.fullmatch(r"([0-9]+)(?:\.[0-9]{1,9})?s", ttl)
        require(match and int(match[1]) <= 2_419_200, "message.android.ttl", "Invalid ttl")
    shown = android.get("notification", {})
    require_keys(shown, ANDROID_NOTIFICATION_KEYS, "message.android.notification")
    where = "message.android.notification"
    require("color" not in shown or re.fullmatch(r"#[0-9A-Fa-f]{6}", shown["color"]), f"{where}.color", "Invalid color")
    for key in ("title", "body", "icon", "sound", "tag", "click_action", "channel_id", "ticker", "image"):
        require(isinstance(shown.get(key, ""), str), f"{where}.{key}", "must be a string")
    for key in ("sticky", "local_only", "default_sound", "default_vibrate_timings", "default_light_settings"):
        require(isinstance(shown.get(key, True), bool), f"{where}.{key}", "must be a boolean")
    count = shown.get("notification_count", 0)
    require(isinstance(count, int) and not isinstance(count, bool), f"{where}.notification_count", "must be an integer")
    importance = shown.get("notification_priority", "PRIORITY_DEFAULT")
    require(importance in PRIORITIES, f"{where}.notification_priority", "Invalid value")


def check_apns(apns):
    require_keys(apns, {"headers", "payload", "fcm_options", "live_activity_token"}, "message.apns")
    headers = apns.get("headers", {})
    require_strings(headers, "message.apns.headers")
    payload = apns.get("payload", {})
    require(isinstance(payload, dict), "message.apns.payload", "must be an object")
    aps = payload.get("aps", {})
    require(isinstance(aps, dict), "message.apns.payload.aps", "must be an object")
    if headers.get("apns-push-type") == "background":
        require(headers.get("apns-priority") == "5", "message.apns.headers", "a background push has priority 5")


def check_message(message):
    require_keys(message, MESSAGE_KEYS, "message")
    targets = [key for key in ("token", "topic", "condition") if message.get(key)]
    require(len(targets) == 1, "message", "Exactly one of token, topic or condition must be set")
    require(isinstance(message[targets[0]], str), f"message.{targets[0]}", "must be a string")
    if "topic" in message:
        require(re.fullmatch(r"[a-zA-Z0-9-_.~%]+", message["topic"]), "message.topic", "Invalid topic name")
    if "data" in message:
        check_data(message["data"], "message.data")
    if "notification" in message:
        require_keys(message["notification"], {"title", "body", "image"}, "message.notification")
        require_strings(message["notification"], "message.notification")
    if "android" in message:
        check_android(message["android"])
    if "apns" in message:
        check_apns(message["apns"])
    if "webpush" in message:
        require_keys(message["webpush"], {"headers", "data", "notification", "fcm_options"}, "message.webpush")
        require_strings(message["webpush"].get("headers", {}), "message.webpush.headers")
        require_strings(message["webpush"].get("data", {}), "message.webpush.data")
    size = sum(len(f"{key}{value}".encode()) for key, value in message.get("data", {}).items())
    size += sum(len(f"{key}{value}".encode()) for key, value in message.get("notification", {}).items())
    limit = 4096 if "token" in message else 2048
    require(size <= limit, "message", f"Message is too big: {size} bytes of at most {limit}")


def error(code, status, message, details, verdict, headers=None, note=""):
    value = {"error": {"code": code, "message": message, "status": status}}
    if details:
        value["error"]["details"] = details
    return Reply.json(code, value, headers, verdict, note)


class Service:
    def __init__(self, options):
        self.options = options
        self.now = (lambda: options.now) if options.now is not None else time.time
        account = json.loads((options.certificates / "service-account.json").read_text())
        self.project, self.email = account["project_id"], account["client_email"]
        self.audiences = options.audience or [account["token_uri"]]
        self.public_key = (options.certificates / "service-account.pub.pem").read_text()
        self.access_tokens = {}  # text to [expiry, messages left]
        self.messages = 0
        self.transient_answers = {}

    def __call__(self, request):
        if request.method != "POST":
            return error(405, "UNIMPLEMENTED", "Method not allowed.", [], "method", note=request.method)
        if request.path == "/token":
            return self.token(request)
        if request.path == f"/v1/projects/{self.project}/messages:send":
            return self.message(request)
        return error(404, "NOT_FOUND", "Requested entity was not found.", [], "path", note=request.path)

    # the token endpoint

    def token(self, request):
        form = dict(urllib.parse.parse_qsl(request.body.decode("ascii", "replace")))
        try:
            self.check_assertion(request, form)
        except (jwt.PyJWTError, ValueError) as problem:
            value = {"error": "invalid_grant", "error_description": f"Invalid JWT: {problem}"}
            return Reply.json(400, value, verdict="invalid_grant", note=str(problem))
        text = f"ya29.loopback-{len(self.access_tokens) + 1}"
        self.access_tokens[text] = [self.now() + self.options.token_lifetime, self.options.messages_per_token]
        value = {"access_token": text, "expires_in": self.options.token_lifetime, "token_type": "Bearer"}
        return Reply.json(200, value, verdict="token")

    def check_assertion(self, request, form):
        content_type = (request.header("content-type") or "").split(";")[0]
        if content_type != "application/x-www-form-urlencoded":
            raise ValueError(f"content-type is {content_type}")
        if form.get("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer":
            raise ValueError(f"grant_type is {form.get('grant_type')}")
        claims = jwt.decode(
            form.get("assertion", ""), self.public_key, algorithms=["RS256"], audience=self.audiences,
            options={"require": ["iss", "aud", "iat", "exp"], "verify_iat": False, "verify_exp": False})
        if claims["iss"] != self.email:
            raise ValueError(f"iss is {claims['iss']}")
        if not SCOPES & set(str(claims.get("scope", "")).split()):
            raise ValueError(f"scope is {claims.get('scope')}")
        if not 0 < claims["exp"] - claims["iat"] <= 3600:
            raise ValueError("exp is more than an hour after iat")
        if not claims["iat"] - 60 <= self.now() < claims["exp"]:
            raise ValueError("the assertion is not valid at this time")

    # messages

    def message(self, request):
        if not self.is_authorized(request.header("authorization") or ""):
            return self.answer("UNAUTHENTICATED", note="unknown or expired access token")
        try:
            if (request.header("content-type") or "").split(";")[0] != "application/json":
                raise Violation("content-type", "must be application/json")
            body = json.loads(request.body.decode("utf-8"))
            require_keys(body, {"message", "validate_only"}, "")
            check_message(body.get("message"))
        except (Violation, ValueError) as problem:
            field = problem.field if isinstance(problem, Violation) else "message"
            violations = [{"field": field, "description": str(problem)}]
            details = [{"@type": FCM_ERROR, "errorCode": "INVALID_ARGUMENT"},
                       {"@type": BAD_REQUEST, "fieldViolations": violations}]
            return error(400, "INVALID_ARGUMENT", f"Invalid value at '{field}'", details, "violation", note=str(problem))
        target = body["message"].get("token", "")
        if target.startswith("SILENT"):
            return Silence()
        word = next((word for word in ANSWERS if target.startswith(word)), None)
        if word and not self.is_over(word, target):
            return self.answer(word)
        self.messages += 1
        return Reply.json(200, {"name": f"projects/{self.project}/messages/0:{self.messages}%loopback"})

    def is_authorized(self, authorization):
        scheme, _, text = authorization.partition(" ")
        grant = self.access_tokens.get(text)
        if scheme != "Bearer" or grant is None or self.now() >= grant[0] or grant[1] == 0:
            return False
        grant[1] -= 1
        return True

    def is_over(self, word, target):
        if word not in TRANSIENT or self.options.transient_times is None:
            return False
        given = self.transient_answers.get(target, 0)
        self.transient_answers[target] = given + 1
        return given >= self.options.transient_times

    def answer(self, word, note=""):
        code, status, text, has_detail, = ANSWERS[word][0], ANSWERS[word][1], ANSWERS[word][3], ANSWERS[word][2]
        details = [{"@type": FCM_ERROR, "errorCode": word}] if has_detail else []
        headers = {}
        if word == "QUOTA_EXCEEDED":
            details.append({"@type": QUOTA_FAILURE, "violations": [{"subject": f"project:{self.project}"}]})
        if word in ("QUOTA_EXCEEDED", "UNAVAILABLE"):
            headers["retry-after"] = str(self.options.retry_after)
        return error(code, status, text, details, word, headers, note)


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--audience", action="append", default=[], metavar="URL",
                        help="an aud to accept in assertions; the account's token_uri by default")
    parser.add_argument("--token-lifetime", type=int, default=3599, metavar="SECONDS")
    parser.add_argument("--messages-per-token", type=int, default=-1, metavar="N",
                        help="an access token is good for so many messages, then UNAUTHENTICATED")
    parser.add_argument("--retry-after", type=int, default=1, metavar="SECONDS")
    parser.add_argument("--transient-times", type=int, metavar="N",
                        help="QUOTA_EXCEEDED, UNAVAILABLE and INTERNAL so often for each token, then success")
    options = parser.parse_args()
    serve(Service(options), options)


if __name__ == "__main__":
    main()
