"""Prints, as one JSON object, private keys that can sign and files that people give by mistake."""

import json
from datetime import datetime, timedelta, timezone

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

PEM = serialization.Encoding.PEM
PKCS8 = serialization.PrivateFormat.PKCS8
TRADITIONAL = serialization.PrivateFormat.TraditionalOpenSSL
OPENSSH = serialization.PrivateFormat.OpenSSH
PLAIN = serialization.NoEncryption()
ENCRYPTED = serialization.BestAvailableEncryption(b"secret")


def private(key, form=PKCS8, protection=PLAIN):
    return key.private_bytes(PEM, form, protection).decode()


def public(key):
    return key.public_key().public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def certificate(key):
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "not a key")])
    now = datetime.now(timezone.utc)
    return (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now).not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256()).public_bytes(PEM).decode()
    )


p256 = ec.generate_private_key(ec.SECP256R1())
rsa2048 = rsa.generate_private_key(65537, 2048)
print(json.dumps({
    "p256": private(p256),
    "p256 SEC 1": private(p256, TRADITIONAL),
    "p256 public": public(p256),
    "p256 encrypted": private(p256, PKCS8, ENCRYPTED),
    "p256 SEC 1 encrypted": private(p256, TRADITIONAL, ENCRYPTED),
    "p256 OpenSSH": private(p256, OPENSSH),
    "p384": private(ec.generate_private_key(ec.SECP384R1())),
    "ed25519": private(ed25519.Ed25519PrivateKey.generate()),
    "rsa": private(rsa2048),
    "rsa PKCS#1": private(rsa2048, TRADITIONAL),
    "rsa public": public(rsa2048),
    "rsa 1024": private(rsa.generate_private_key(65537, 1024)),
    "certificate": certificate(p256),
}))
