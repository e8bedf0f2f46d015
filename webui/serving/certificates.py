"""Certificates for https in a home network, signed by a certificate authority of this computer.

Public authorities do not sign private addresses. So the computer makes its own authority, which
phones install once. Name constraints limit it: with a stolen key one can impersonate machines of
private networks, but no site of the internet.
"""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3650
# A little less than the 398 days that browsers allow; iOS refuses more than 825 (HT210176).
LEAF_DAYS = 397
MOST_LEAF_DAYS = 824
BACKDATED = timedelta(days=1)  # certificates are valid from so long before now: clocks differ
RENEW_BEFORE = timedelta(days=30)  # certificates are renewed so long before they expire
# Domains reserved for local networks: RFC 6761, 6762, 8375, and ICANN's resolution 2024.07.29.06.
# Routers' own, such as lan and fritz.box, are reserved by nobody.
NAMES = ("local", "localhost", "home.arpa", "internal")
# Private networks: RFC 1918, 3927, 4193, 4291, and 6598, whose addresses VPNs give.
NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
    "100.64.0.0/10",
    *("::1/128", "fc00::/7", "fe80::/10"),
)


@dataclass(frozen=True)
class Certificate:
    """A certificate and its private key."""

    public: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def der(self) -> bytes:
        """The certificate in DER, which phones install."""
        return self.public.public_bytes(serialization.Encoding.DER)

    @property
    def made_at(self) -> datetime:
        """When it was made, by the clock of then."""
        return self.public.not_valid_before_utc + BACKDATED

    @property
    def fingerprint(self) -> str:
        """The SHA-256 fingerprint, as phones show it."""
        return self.public.fingerprint(hashes.SHA256()).hex(":").upper()

    def pem(self, *above: "Certificate") -> bytes:
        """Encode the key, the certificate and its chain as PEM."""
        key = self.key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        chain = (self, *above)
        return key + b"".join(one.public.public_bytes(serialization.Encoding.PEM) for one in chain)


def from_pem(content: bytes) -> Certificate:
    """Parse the output of `Certificate.pem`; raises `ValueError` or `TypeError`."""
    key = serialization.load_pem_private_key(content, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("the key is of another kind")
    public = x509.load_pem_x509_certificate(content)
    if public.public_key() != key.public_key():
        raise ValueError("the key is another certificate's")
    return Certificate(public, key)


def make_authority(name: str, now: datetime) -> Certificate:
    """Make a certificate authority that is constrained to private networks."""
    key = ec.generate_private_key(ec.SECP256R1())
    names = [x509.DNSName(one) for one in NAMES]
    networks = [x509.IPAddress(ipaddress.ip_network(one)) for one in NETWORKS]
    subject = _subject(name)
    builder = _builder(subject, subject, key, now, AUTHORITY_DAYS)
    constraints = x509.NameConstraints(
        permitted_subtrees=[*names, *networks], excluded_subtrees=None
    )
    builder = (
        builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(constraints, critical=True)
        .add_extension(_usage(is_authority=True), critical=True)
    )
    return Certificate(builder.sign(key, hashes.SHA256()), key)


def make_leaf(
    authority: Certificate,
    names: Sequence[str],
    addresses: Sequence[str],
    now: datetime,
    last: Certificate | None = None,
) -> Certificate:
    """Make a server certificate signed by an authority.

    Its time includes that of the `last` one, if that is not too long: of two clocks that disagree
    by a year nobody knows which is right, and phones, whose own is, accept it in either case.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    days = LEAF_DAYS
    if last is not None:
        since = min(now, last.made_at)
        until = max(now + timedelta(days=LEAF_DAYS), last.public.not_valid_after_utc)
        if until - since <= timedelta(days=MOST_LEAF_DAYS):
            now, days = since, (until - since).days
    builder = _builder(_subject("Railspotter"), authority.public.subject, key, now, days)
    builder = (
        builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_alternatives(names, addresses), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()),
            critical=False,
        )
    )
    return Certificate(builder.sign(authority.key, hashes.SHA256()), key)


def is_certifiable(name_or_address: str, authority: Certificate | None = None) -> bool:
    """Tell whether the authority may sign for a name or address; by default, a new one.

    One that phones trust already keeps the limits that it was made with.

    >>> [is_certifiable(one) for one in ("192.168.1.7", "den.local", "localhost", "fe80::1")]
    [True, True, True, True]
    >>> is_certifiable("198.51.100.7"), is_certifiable("example.org")
    (False, False)
    """
    names: tuple[str, ...] = NAMES
    within: tuple[str, ...] = NETWORKS
    if authority is not None:
        extensions = authority.public.extensions
        limits = extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees
        names = tuple(one.value for one in limits or () if isinstance(one, x509.DNSName))
        within = tuple(str(one.value) for one in limits or () if isinstance(one, x509.IPAddress))
    try:
        address = ipaddress.ip_address(name_or_address)
    except ValueError:
        return any(
            name_or_address == name or name_or_address.endswith(f".{name}") for name in names
        )
    return any(address in ipaddress.ip_network(network) for network in within)


def is_good_authority(certificate: Certificate, now: datetime) -> bool:
    """Tell whether an authority outlives a certificate that it signs now."""
    return _is_valid_until(certificate, now + timedelta(days=LEAF_DAYS))


def is_good_leaf(
    leaf: Certificate,
    authority: Certificate,
    names: Sequence[str],
    addresses: Sequence[str],
    now: datetime,
) -> bool:
    """Tell whether a certificate is signed by the authority, for these names, and not expiring."""
    try:
        leaf.public.verify_directly_issued_by(authority.public)
        found = leaf.public.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except Exception:  # of many kinds; the certificate is then renewed
        return False
    return found.value == _alternatives(names, addresses) and _is_valid_until(leaf, now)


def _is_valid_until(certificate: Certificate, until: datetime) -> bool:
    public = certificate.public
    return public.not_valid_before_utc <= until < public.not_valid_after_utc - RENEW_BEFORE


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    now: datetime,
    days: int,
) -> x509.CertificateBuilder:
    since = now - BACKDATED
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(since + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _subject(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _alternatives(names: Sequence[str], addresses: Sequence[str]) -> x509.SubjectAlternativeName:
    ips = [x509.IPAddress(ipaddress.ip_address(one)) for one in sorted(addresses)]
    return x509.SubjectAlternativeName([*(x509.DNSName(one) for one in sorted(names)), *ips])


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )
