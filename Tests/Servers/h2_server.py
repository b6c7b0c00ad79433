"""The HTTP/2 side of the loopback provider servers: TLS, streams, faults and the log.

A server gives `serve` a handler that turns a `Request` into a `Reply`. The HTTP/2 is that of the h2 package, so the frames
and header fields of our clients are checked by other people's code: what h2 refuses ends the connection and is logged
as {"violation": …}.
"""

import argparse
import asyncio
import dataclasses
import json
import pathlib
import signal
import ssl
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
import hyperframe.frame

MAX_BODY = 1 << 20


@dataclasses.dataclass
class Request:
    method: str
    path: str
    headers: list  # (name, value) in the order they came, without the pseudo-header fields
    body: bytes

    def header(self, name):
        """The value of a field, None where it is absent."""
        return next((value for key, value in self.headers if key == name), None)

    @property
    def repeated_header(self):
        names = [name for name, _ in self.headers]
        return next((name for name in names if names.count(name) > 1), None)


@dataclasses.dataclass
class Reply:
    status: int
    body: bytes = b""
    headers: dict = dataclasses.field(default_factory=dict)
    verdict: str = "ok"  # for the log: why the reply is what it is
    note: str = ""  # for the log: what exactly was wrong

    @classmethod
    def json(cls, status, value, headers=None, verdict="ok", note=""):
        fields = {"content-type": "application/json; charset=UTF-8", **(headers or {})}
        return cls(status, json.dumps(value).encode(), fields, verdict, note)


class Silence:
    """In place of a reply: the request is never answered."""

    verdict = "silence"


def argument_parser(description):
    """The options that all servers share."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--certificates", type=pathlib.Path, required=True, metavar="DIRECTORY",
                        help="what certificates.py made")
    parser.add_argument("--port", type=int, default=0, help="on 127.0.0.1; any free one by default")
    parser.add_argument("--log", type=pathlib.Path, help="append each request and its verdict as a JSON line")
    parser.add_argument("--streams", type=int, default=500, help="SETTINGS_MAX_CONCURRENT_STREAMS")
    parser.add_argument("--latency", type=float, default=0, metavar="SECONDS", help="answer so much later")
    parser.add_argument("--goaway-every", type=int, default=0, metavar="N",
                        help="GOAWAY after each N requests of a connection; streams above the last are not processed")
    parser.add_argument("--refuse-every", type=int, default=0, metavar="N",
                        help="refuse each Nth request of a connection with REFUSED_STREAM")
    parser.add_argument("--now", type=float, metavar="SECONDS", help="the server's clock stands at this UNIX time")
    return parser


class Log:
    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8") if path else None

    def write(self, **fields):
        if self.file:
            self.file.write(json.dumps(fields, ensure_ascii=False) + "\n")

    def flush(self):
        if self.file:
            self.file.flush()


def text_of(body):
    """The body as JSON where it is JSON, else as text: what a test compares."""
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", "replace")


class Connection(asyncio.Protocol):
    count = 0

    def __init__(self, handler, options, log):
        Connection.count += 1
        self.number = Connection.count
        self.handler, self.options, self.log = handler, options, log
        self.streams = {}  # stream id to Request, until the reply
        self.unsent = {}  # stream id to what is left of a reply's body
        self.requests = 0
        self.last_stream = None  # of our GOAWAY

    # asyncio

    def connection_made(self, transport):
        self.transport = transport
        if transport.get_extra_info("ssl_object").selected_alpn_protocol() != "h2":
            self.log.write(violation="the client did not offer h2 by ALPN", connection=self.number)
            transport.close()
            return
        # Checking what we answer ourselves would only cost time.
        config = h2.config.H2Configuration(
            client_side=False, header_encoding="utf-8", validate_outbound_headers=False,
            normalize_outbound_headers=False)
        self.h2 = h2.connection.H2Connection(config)
        self.h2.local_settings = h2.settings.Settings(client=False, initial_values={
            h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: self.options.streams,
            h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: MAX_BODY,
            h2.settings.SettingCodes.MAX_HEADER_LIST_SIZE: 65536,
        })
        self.h2.initiate_connection()
        self.h2.increment_flow_control_window(2**31 - 1 - 65535)
        self.flush()

    def data_received(self, data):
        try:
            for event in self.h2.receive_data(data):
                self.handle(event)
        except h2.exceptions.ProtocolError as error:
            self.log.write(violation=f"{type(error).__name__}: {error}", connection=self.number)
            self.flush()
            self.transport.close()
            return
        self.flush()

    def connection_lost(self, error):
        self.streams.clear()
        self.unsent.clear()

    def flush(self):
        data = self.h2.data_to_send()
        if data and not self.transport.is_closing():
            self.transport.write(data)
        self.log.flush()
        if self.last_stream is not None and not self.streams and not self.unsent:
            self.transport.close()

    # h2

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.begin(event)
        elif isinstance(event, h2.events.DataReceived):
            request = self.streams.get(event.stream_id)
            if request and len(request.body) <= MAX_BODY:
                request.body += event.data
        elif isinstance(event, h2.events.StreamEnded):
            if event.stream_id in self.streams:
                self.complete(event.stream_id)
        elif isinstance(event, h2.events.WindowUpdated):
            for stream in [event.stream_id] if event.stream_id else list(self.unsent):
                if stream in self.unsent:
                    self.send_body(stream)
        elif isinstance(event, h2.events.StreamReset):
            self.streams.pop(event.stream_id, None)
            self.unsent.pop(event.stream_id, None)

    def begin(self, event):
        if self.last_stream is not None and event.stream_id > self.last_stream:
            return
        pseudo = {name: value for name, value in event.headers if name.startswith(":")}
        fields = [(name, value) for name, value in event.headers if not name.startswith(":")]
        self.streams[event.stream_id] = Request(pseudo.get(":method", ""), pseudo.get(":path", ""), fields, b"")

    def complete(self, stream):
        self.requests += 1
        request = self.streams[stream]
        if self.falls_on(self.options.refuse_every):
            self.record(request, stream, "refused")
            self.h2.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
            del self.streams[stream]
            return
        if self.falls_on(self.options.goaway_every) and self.last_stream is None:
            self.go_away(stream)
        reply = self.handler(request)
        self.record(request, stream, reply.verdict, reply)
        if isinstance(reply, Silence):
            return
        if self.options.latency:
            asyncio.get_running_loop().call_later(self.options.latency, self.answer_late, stream, reply)
        else:
            self.answer(stream, reply)

    def falls_on(self, every):
        return every > 0 and self.requests % every == 0

    def go_away(self, stream):
        # h2 takes its own GOAWAY for the end of everything, but the streams below it are still to be answered.
        frame = hyperframe.frame.GoAwayFrame(0, last_stream_id=stream)
        self.transport.write(self.h2.data_to_send() + frame.serialize())
        self.last_stream = stream
        for later in [number for number in self.streams if number > stream]:
            del self.streams[later]

    def answer(self, stream, reply):
        del self.streams[stream]
        fields = [(":status", str(reply.status)), *reply.headers.items()]
        self.h2.send_headers(stream, fields, end_stream=not reply.body)
        if reply.body:
            self.unsent[stream] = reply.body
            self.send_body(stream)

    def send_body(self, stream):
        """Sends as much of a body as the client's window and frame size allow."""
        body = self.unsent[stream]
        while body:
            size = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size, len(body))
            if size <= 0:
                self.unsent[stream] = body
                return
            self.h2.send_data(stream, body[:size], end_stream=size == len(body))
            body = body[size:]
        del self.unsent[stream]

    def answer_late(self, stream, reply):
        if stream in self.streams and not self.transport.is_closing():
            self.answer(stream, reply)
            self.flush()

    def record(self, request, stream, verdict, reply=None):
        if not self.log.file:
            return
        fields = {
            "method": request.method, "path": request.path, "headers": dict(request.headers),
            "body": text_of(request.body), "verdict": verdict, "connection": self.number, "stream": stream,
        }
        if isinstance(reply, Reply):
            fields["status"] = reply.status
            if reply.note:
                fields["note"] = reply.note
        self.log.write(**fields)


def serve(handler, options):
    """Serves until SIGTERM or SIGINT; `listening PORT` on the output says that it does."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificates / "server.pem", options.certificates / "server.key")
    context.set_alpn_protocols(["h2"])
    log = Log(options.log)

    async def run():
        loop = asyncio.get_running_loop()
        stop = loop.create_future()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, lambda: stop.done() or stop.set_result(None))
        server = await loop.create_server(
            lambda: Connection(handler, options, log), "127.0.0.1", options.port, ssl=context)
        print("listening", server.sockets[0].getsockname()[1], flush=True)
        await stop
        server.close()

    asyncio.run(run())
    log.flush()
    sys.exit(0)
