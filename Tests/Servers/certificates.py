"""Makes an authority, server certificates and signing keys for loopback servers, in a directory.

    certificates.py DIRECTORY [--token-uri URL]

ca.pem                  the authority to trust
server.pem, server.key  for localhost, 127.0.0.1 and ::1
wrong-name.pem, .key    signed by the same authority, but for elsewhere.test
other-ca.pem            an authority that signed none of these
AuthKey.p8, AuthKey.pub.pem                    an APNs signing key and its public half
service-account.json, service-account.pub.pem  a Google service account and its public half
"""

import argparse
import ipaddress
import json
import os
import pathlib
from datetime import datetime, timedelta, timezone

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PEM = serialization.Encoding.PEM


def private_text(key):
    return key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def public_text(key):
    return key.public_key().public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def name_of(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def sign(subject, key, issuer, issuer_key, extensions):
    now = datetime.now(timezone.utc)
    builder = (
        x509.CertificateBuilder().subject_name(name_of(subject)).issuer_name(name_of(issuer))
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(issuer_key, hashes.SHA256()).public_bytes(PEM).decode()


def authority(name):
    key = ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    return key, sign(name, key, name, key, [(x509.BasicConstraints(True, 0), True), (usage, True)])


def server(names, issuer, issuer_key):
    key = ec.generate_private_key(ec.SECP256R1())
    extensions = [
        (x509.SubjectAlternativeName(names), False),
        (x509.BasicConstraints(False, None), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
    ]
    return private_text(key), sign(names[0].value, key, issuer, issuer_key, extensions)


def files(token_uri):
    issuer = "Carillon loopback authority"
    ca_key, ca = authority(issuer)
    loopback = [
        x509.DNSName("localhost"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
        x509.IPAddress(ipaddress.ip_address("::1")),
    ]
    server_key, server_certificate = server(loopback, issuer, ca_key)
    wrong_key, wrong_certificate = server([x509.DNSName("elsewhere.test")], issuer, ca_key)
    apns_key = ec.generate_private_key(ec.SECP256R1())
    account_key = rsa.generate_private_key(65537, 2048)
    account = {
        "type": "service_account",
        "project_id": "loopback-project",
        "private_key_id": "0123456789abcdef0123456789abcdef01234567",
        "private_key": private_text(account_key),
        "client_email": "pushes@loopback-project.iam.gserviceaccount.com",
        "client_id": "100000000000000000000",
        "token_uri": token_uri,
    }
    return {
        "ca.pem": ca,
        "server.pem": server_certificate,
        "server.key": server_key,
        "wrong-name.pem": wrong_certificate,
        "wrong-name.key": wrong_key,
        "other-ca.pem": authority("Another authority")[1],
        "AuthKey.p8": private_text(apns_key),
        "AuthKey.pub.pem": public_text(apns_key),
        "service-account.json": json.dumps(account, indent=2) + "\n",
        "service-account.pub.pem": public_text(account_key),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--token-uri", default="https://oauth2.googleapis.com/token")
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    os.umask(0o077)
    for name, text in files(arguments.token_uri).items():
        (arguments.directory / name).write_text(text)


if __name__ == "__main__":
    main()
