"""The network is told of a page by names, each computer by its own, until it is closed."""

import gc
import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from railspotter.webui.serving.announcing import TYPE, Announcement
from railspotter.webui.serving.system_network import HOST_NAMES
from waiting import until
from zeroconf import AddressResolver, Zeroconf  # type: ignore[attr-defined]

LOOPBACK = "127.0.0.1"


def carries_multicast() -> bool:
    """Tell whether what is sent to a group on the loopback interface comes back."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        group = socket.inet_aton("224.0.0.251") + socket.inet_aton(LOOPBACK)
        try:
            line.bind(("", 0))
            line.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
            line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK))
            line.settimeout(5.0)
            line.sendto(b"?", ("224.0.0.251", line.getsockname()[1]))
            return line.recv(9) == b"?"
        except OSError:
            return False


@contextmanager
def told(name: str, address: str, port: int) -> Iterator[str]:
    """Tell of a page; give the computer's name."""
    names: list[str] = []
    said: list[str] = []
    with Announcement(name, [address], port, names.append, said.append, [LOOPBACK]):
        until(lambda: names or said)
        assert not said
        yield names[0]


@pytest.mark.skipif(not carries_multicast(), reason="the loopback interface carries no multicast")
def test_two_computers_are_found_by_names_of_their_own() -> None:
    # In a thread: a browser's event loop may run in this one.
    with ThreadPoolExecutor(1) as work:
        work.submit(_find_two_computers).result()


def _find_two_computers() -> None:
    name = f"Küche {os.getpid()}"
    service = f"Railspotter ({name}).{TYPE}"
    one, other = "192.0.2.7", "192.0.2.8"
    with Zeroconf([LOOPBACK]) as network:
        with told(name, one, 8000) as first, told(name, other, 8001) as second:
            assert first != second
            assert {first, second} <= {*HOST_NAMES}
            for host, address in ((first, one), (second, other)):
                found = AddressResolver(f"{host}.")
                assert found.request(network, 5000)
                assert found.parsed_addresses() == [address]
            page = network.get_service_info(TYPE, service)
            twin = network.get_service_info(TYPE, service.replace(f".{TYPE}", f" 2.{TYPE}"))
            assert page is not None
            assert twin is not None, "a second table of the same name"
            assert (page.server, page.port, page.properties) == (f"{first}.", 8000, {b"path": b"/"})
            assert (twin.server, twin.port) == (f"{second}.", 8001)
        until(lambda: not network.cache.entries_with_name(service), what="it was told for ever")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_network_that_cannot_be_told_is_one_sentence() -> None:
    said: list[str] = []
    nowhere = "203.0.113.1"  # RFC 5737: no computer has it
    with Announcement("Kitchen", [nowhere], 8000, said.append, said.append):
        until(lambda: said)
    gc.collect()  # the library leaves a socket open that it could not use
    assert len(said) == 1
    assert said[0].startswith("the network is not told of this page (")
