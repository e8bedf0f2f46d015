"""What keeps a phone from the page is told in plain words, from what the system lets one see."""

import socket
from pathlib import Path

import pytest
from railspotter.cli.doctor.network_check import check_firewalls, check_network
from railspotter.cli.doctor.report import CheckResult, State
from railspotter.webui.serving.system_network import OwnAddress, own_addresses


def said_of(*own: OwnAddress, host: str = "127.0.0.1") -> list[CheckResult]:
    return list(check_network(host, 0, own))


def test_own_addresses_can_be_listened_on() -> None:
    own = own_addresses()
    assert OwnAddress("127.0.0.1", "lo") in own or "127.0.0.1" not in {o.address for o in own}
    assert len({one.address for one in own}) == len(own)
    for one in own:
        with socket.socket() as listener:
            listener.bind((one.address, 0))


@pytest.mark.parametrize(
    ("address", "interface", "is_for_phones"),
    [
        ("192.168.1.20", "wlan0", True),
        ("10.0.0.5", "", True),
        ("127.0.0.1", "lo", False),
        ("127.0.1.1", "", False),
        ("169.254.3.4", "eth0", False),
        ("172.17.0.1", "docker0", False),
        ("172.18.0.1", "br-5f1a", False),
    ],
)
def test_addresses_that_a_phone_may_reach(
    address: str, interface: str, is_for_phones: bool
) -> None:
    assert OwnAddress(address, interface).is_for_phones is is_for_phones


def test_a_phone_is_told_where_to_go() -> None:
    first, port, local = said_of(OwnAddress("127.0.0.1", "lo"), OwnAddress("192.168.1.20", "wlan0"))
    assert "http://192.168.1.20:0/" in first.said
    assert "127.0.0.1" not in first.said
    assert any("guest Wi-Fi" in advice for advice in first.advice)
    assert port.state is State.WELL
    assert any("--host 0.0.0.0" in advice for advice in local.advice)
    assert len(said_of(OwnAddress("192.168.1.20", "wlan0"), host="0.0.0.0")) == 2


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ((OwnAddress("127.0.0.1", "lo"),), "in no network"),
        ((OwnAddress("169.254.9.9", "eth0"),), "gave it no address"),
        ((OwnAddress("172.17.0.1", "docker0"),), "in no network"),
    ],
    ids=["alone", "no router", "machines inside"],
)
def test_a_computer_that_no_phone_reaches_is_told_so(
    own: tuple[OwnAddress, ...], words: str
) -> None:
    first = said_of(*own)[0]
    assert (first.state, words in first.said) == (State.NOTE, True)


def test_firewalls_are_hinted_at(tmp_path: Path) -> None:
    kernel = tmp_path / "version"
    kernel.write_text("Linux version 6.1 (gcc)")

    def found(system: str = "linux") -> list[CheckResult]:
        return list(check_firewalls(8000, tmp_path, tmp_path, kernel, system))

    assert found() == []
    (tmp_path / "ufw").mkdir()
    (tmp_path / "ufw" / "ufw.conf").write_text("# comment\nENABLED=no\n")
    assert found() == []
    (tmp_path / "ufw" / "ufw.conf").write_text("# comment\nENABLED=yes\n")
    assert found()[0].advice == ("sudo ufw allow 8000/tcp lets them",)
    (tmp_path / "firewalld").mkdir()
    assert "firewalld" in found()[1].said
    kernel.write_text("Linux version 5.15.90.1-microsoft-standard-WSL2")
    assert found()[2].state is State.ATTENTION
    assert "Windows asks" in found("win32")[0].said
    assert "macOS asks" in found("darwin")[0].said
