"""A server that speaks HTTP/1.1 and nothing newer, over TLS or, with --plain, without."""

import argparse
import http.server
import pathlib
import ssl
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Path", self.path)
        self.end_headers()
        self.wfile.write(body)
        if self.server.log:
            with self.server.lock, open(self.server.log, "a", encoding="utf-8") as file:
                file.write(self.path + "\n")

    def log_message(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    log = None
    lock = threading.Lock()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--certificates", type=pathlib.Path, required=True)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--log", help="append the path of each request")
    options = parser.parse_args()
    server = Server(("127.0.0.1", 0), Handler)
    server.log = options.log
    if not options.plain:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificates / "server.pem", options.certificates / "server.key")
        context.set_alpn_protocols(["http/1.1"])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print("listening", server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
