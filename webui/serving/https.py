"""The page on https: its certificates, kept in the data directory, and how they are trusted."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from railspotter.table.whole_file import write_whole

from ..errors import CertificateError
from .certificates import (
    Certificate,
    from_pem,
    is_good_authority,
    is_good_leaf,
    is_vouched_for,
    make_authority,
    make_leaf,
)
from .own_addresses import own_addresses
from .server import Server
from .trust_page import create_trust_app

FOLDER = "https"
AUTHORITY, LEAF = "authority.pem", "page.pem"
LOOPBACK = ("127.0.0.1", "::1")


class Https:
    """What a page on https needs: certificates for this computer, as it is in the network now.

    The authority is made once; phones trust it from then on. The page's own certificate is made
    anew when an address has changed, or before it ends.

    Parameters
    ----------
    home : Path
        The data directory; the certificates are in a folder of it that only its owner may read.
    http_port : int, optional
        The port of the page on plain http that tells how to trust; without it the one after the
        page's.
    names, addresses : sequence of str, optional
        This computer's names and addresses; without them, those that the system knows.

    Raises
    ------
    CertificateError
        When they cannot be written down.
    """

    def __init__(
        self,
        home: Path,
        http_port: int | None = None,
        *,
        names: Sequence[str] | None = None,
        addresses: Sequence[str] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._http_port = http_port
        folder = home / FOLDER
        given = [*(own_names() if names is None else names)]
        given += [one.address for one in own_addresses()] if addresses is None else addresses
        every = {*given, "localhost", *LOOPBACK}
        usable = {one for one in every if is_vouched_for(one)}
        self.left_out = sorted(set(given) - usable)
        ips = sorted(one for one in usable if _is_address(one))
        dns = sorted(usable - set(ips))
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.authority = _authority(folder / AUTHORITY, now())
            leaf = _read(folder / LEAF)
            if leaf is None or not is_good_leaf(leaf, self.authority, dns, ips, now()):
                leaf = make_leaf(self.authority, dns, ips, now())
                write_whole(folder / LEAF, leaf.pem(), is_private=True)
        except OSError as error:
            why = os.strerror(error.errno or 0)
            raise CertificateError(
                f"cannot keep the certificates for https in {folder}: {why}"
            ) from error
        self.certificate = folder / LEAF

    def trust_server(self, host: str, port: int) -> Server:
        """Return the server on plain http beside the one on https at a port."""
        http_port = port + 1 if self._http_port is None else self._http_port
        if http_port > 65535:
            raise CertificateError("there is no port after 65535: name one with --http-port")
        return Server(create_trust_app(self.authority, port), host, http_port)

    def lines(self, trust_url: str) -> list[str]:
        """Return what is said to whoever is at the computer."""
        said = [
            f"phones warn of this page until they trust this computer: {trust_url} tells how",
            f"its authority's fingerprint (SHA-256): {self.authority.fingerprint}",
        ]
        if self.left_out:
            without = ", ".join(self.left_out)
            said.append(f"not in a private network, so nobody vouches for it: {without}")
        return said


def own_names() -> list[str]:
    """Return what this computer is called in a home network."""
    name = socket.gethostname().casefold().partition(".")[0]
    return [f"{name}.local"] if name and name != "localhost" and name.isascii() else []


def _authority(path: Path, now: datetime) -> Certificate:
    kept = _read(path)
    if kept is not None and is_good_authority(kept, now):
        return kept
    made = make_authority(f"Railspotter on {socket.gethostname()}", now)
    write_whole(path, made.pem(), is_private=True)
    return made


def _read(path: Path) -> Certificate | None:
    """Return a kept certificate; a damaged one is as good as none."""
    try:
        return from_pem(path.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        return None


def _is_address(text: str) -> bool:
    return ":" in text or text.replace(".", "").isdigit()
