"""Which system it is, is asked in one module for each subject, and those work as on the others."""

import ast
import os
import signal
import socket
import subprocess
import sys

import cv2
import pytest
from house.project import ROOT, modules
from railspotter.table.system_process import (
    limit_memory,
    lower_priority,
    most_files,
    new_group_options,
)
from railspotter.table.whole_file import sync_folder
from railspotter.vision.sources.cameras import camera_system, list_cameras
from railspotter.webui.serving import system_network
from railspotter.webui.serving.system_network import own_addresses

# Those that may ask. docs/design.md says of what each is.
MODULES = {
    "vision/sources/cameras.py",
    "table/system_process.py",
    "table/whole_file.py",
    "webui/serving/system_network.py",
    "cli/process.py",
    "cli/doctor/network_check.py",
}
# Modules of Python that not every system has, or that mean something else on each.
ONE_SYSTEM_S = {"fcntl", "grp", "msvcrt", "pwd", "resource", "signal", "termios", "winreg"}
ASKED = {("sys", "platform"), ("os", "name"), ("platform", "system")}
OTHERS = ("darwin", "win32")


def asks(source: str) -> bool:
    """Tell whether a source asks which system it is."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id, node.attr) in ASKED:
                return True
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if ONE_SYSTEM_S & set(names):
                return True
    return False


def test_one_module_for_each_subject_asks_which_system_it_is() -> None:
    asking = {
        module.path.relative_to(ROOT).as_posix()
        for module in modules()
        if asks(module.path.read_text("utf-8"))
    }
    assert asking - MODULES == {"cli/doctor/doctor.py", "cli/doctor/report.py"}  # they print it
    assert asking >= MODULES
    told = (ROOT / "docs" / "design.md").read_text("utf-8")
    assert [name for name in MODULES if f"`{name}`" not in told] == []


@pytest.mark.parametrize(
    ("system", "backend"),
    [
        ("linux", cv2.CAP_V4L2),
        ("darwin", cv2.CAP_AVFOUNDATION),
        ("win32", cv2.CAP_DSHOW),
        ("freebsd14", cv2.CAP_ANY),
    ],
)
def test_cameras_are_reached_by_the_systems_own_way(
    system: str, backend: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert camera_system().backend == backend
    assert ("System Settings" in camera_system().refused) == (system == "darwin")


@pytest.mark.parametrize("system", OTHERS)
def test_cameras_are_tried_where_the_system_lists_none(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[tuple[int, int]]()

    class OnlyTheFirst:
        def __init__(self, number: int, backend: int) -> None:
            tried.append((number, backend))
            self.is_first = number == 0

        def isOpened(self) -> bool:  # noqa: N802  # OpenCV's name
            return self.is_first

        def release(self) -> None:
            pass

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(cv2, "VideoCapture", OnlyTheFirst)
    assert [(one.number, one.name) for one in list_cameras()] == [(0, "camera 0")]
    assert tried == [(number, camera_system().backend) for number in range(4)]


def test_on_windows_a_process_is_begun_and_limited_without_what_unix_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "resource", None)
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    monkeypatch.setattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0x4000, raising=False)
    monkeypatch.delattr(os, "setpriority")
    assert new_group_options(gives_way=True) == {"creationflags": 0x4200}
    assert new_group_options(gives_way=False) == {"creationflags": 0x200}
    lower_priority(os.getpid())
    limit_memory(2**30)
    assert most_files() > 1000


def test_on_macos_there_are_files_and_no_limit_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert new_group_options(gives_way=True) == {"process_group": 0}
    limit_memory(0)
    assert most_files() > 100


@pytest.mark.parametrize("system", OTHERS)
def test_ports_and_addresses_without_what_linux_has(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.delattr(socket, "TCP_USER_TIMEOUT", raising=False)
    with socket.socket() as listener:
        system_network.allow_address_reuse(listener)
        system_network.set_unacknowledged_timeout(listener, 40.0)
        shared = listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
    assert bool(shared) == (system != "win32")
    assert list(system_network.addresses_by_interface()) == []
    assert all(own.interface == "" for own in own_addresses())


def test_a_folder_is_not_opened_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[object]()
    monkeypatch.setattr(os, "open", opened.append)
    monkeypatch.setattr(os, "name", "nt")
    sync_folder(ROOT)
    monkeypatch.undo()
    assert opened == []


def test_a_window_that_is_closed_on_windows_ends_the_program_in_order() -> None:
    """Another signal stands in for SIGBREAK, which there is on Windows alone."""
    program = (
        "import os, signal; signal.SIGBREAK = signal.SIGUSR1;"
        "from railspotter.cli import process;"
        "process.parse_arguments = lambda argv: None;"
        "process.run = lambda args: os.kill(os.getpid(), signal.SIGUSR1);"
        "raise SystemExit(process.main())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 128 + signal.SIGUSR1
    assert ended.stderr == "railspotter: ended, as this computer asked (SIGUSR1)\n"
