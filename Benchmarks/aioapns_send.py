"""Sends notifications with aioapns to a loopback server, as fast as it can, and prints one line a figure.

    aioapns_send.py --port N --certificates DIRECTORY [--count N] [--connections N] [--streams N]
"""

import argparse
import asyncio
import pathlib
import resource
import ssl
import time
import uuid

from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsDevelopmentClientProtocol


async def send(options):
    APNsDevelopmentClientProtocol.APNS_SERVER = "localhost"
    APNsDevelopmentClientProtocol.APNS_PORT = options.port
    client = APNs(
        key=(options.certificates / "AuthKey.p8").read_text(), key_id="ABC123DEFG", team_id="DEF123GHIJ",
        topic="com.example.app", use_sandbox=True, max_connections=options.connections,
        ssl_context=ssl.create_default_context(cafile=options.certificates / "ca.pem"))
    payload = {"aps": {"alert": {"title": "Three stories for you", "body": "a" * 132}, "badge": 1, "sound": "default"}}
    numbers = iter(range(options.count))
    failures = 0

    async def work():
        nonlocal failures
        for number in numbers:
            request = NotificationRequest(
                device_token=f"{number:064x}", message=payload, notification_id=str(uuid.UUID(int=number)))
            result = await client.send_notification(request)
            failures += not result.is_successful

    await work_one(client, payload)
    start, cpu = time.monotonic(), sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    await asyncio.gather(*(work() for _ in range(options.connections * options.streams)))
    seconds = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(f"requests_per_second {options.count / seconds:.0f}")
    print(f"cpu_microseconds_per_request {(sum(usage[:2]) - cpu) * 1e6 / options.count:.1f}")
    print(f"peak_rss_kilobytes {usage.ru_maxrss}")
    print(f"failures {failures}")


async def work_one(client, payload):
    """Makes the connection before the clock starts."""
    await client.send_notification(NotificationRequest(device_token="f" * 64, message=payload))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--certificates", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--connections", type=int, default=2)
    parser.add_argument("--streams", type=int, default=100)
    asyncio.run(send(parser.parse_args()))


if __name__ == "__main__":
    main()
