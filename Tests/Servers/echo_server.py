"""Answers with what it was asked, as JSON {"method", "path", "headers", "body"}, for the tests of the HTTP client.

A path may ask for something else: /status/CODE, /bytes/COUNT (a body of that length), /silence (no answer).
"""

from h2_server import Reply, Silence, argument_parser, serve


def answer(request):
    words = request.path.split("/")
    if words[1] == "silence":
        return Silence()
    if words[1] == "status":
        return Reply(int(words[2]))
    if words[1] == "bytes":
        return Reply(200, b"x" * int(words[2]))
    if request.method == "HEAD":
        return Reply(200, headers={"x-method": "HEAD"})
    body = request.body.decode("latin-1")
    value = {"method": request.method, "path": request.path, "headers": request.headers, "body": body}
    return Reply.json(200, value, {"x-empty": "", "x-padded": "a: b"})


if __name__ == "__main__":
    serve(answer, argument_parser(__doc__).parse_args())
