"""Recording of previous content before each kind of change of a file."""

import os

import pytest

from salt_g import safe_files
from salt_g.files.atomic_write import placed
from salt_g.formats.archive_writer import open_below
from salt_g.process import disk
from salt_g.safe_files.recording import before_restart, before_service, is_recording, recorded_by


class Seen:
    """Recorder that checks whether a path existed when it was recorded."""

    def __init__(self):
        self.entries = {}
        self.services = []
        self.temporary_names = []

    def entry(self, parent, name):
        path = os.path.normpath(os.path.join(os.readlink(f"/proc/self/fd/{parent}"), name))
        self.entries.setdefault(path, os.path.lexists(path))

    def tree(self, parent, name):
        self.entry(parent, name)
        if not os.path.isdir(f"/proc/self/fd/{parent}/{name}"):
            return
        for _, folders, names, directory in os.fwalk(name, dir_fd=parent):
            for one in (*folders, *names):
                self.entry(directory, one)

    def linked(self, parent, name):
        self.entry(parent, name)

    def temporary(self, parent, name):
        self.temporary_names.append((name, os.path.lexists(f"/proc/self/fd/{parent}/{name}")))

    def service(self, name, **states):
        self.services.append((name, states))

    def restart(self, name, how):
        self.services.append((name, how))


def write(path):
    with open(path, "w", opener=safe_files.opener) as file:
        file.write("new")


def place(path):
    with placed(str(path)) as file:
        file.write(b"new")


def unpack(path):
    with open_below(str(path.parent)) as archive, open(path.parent / "f", "rb") as content:
        archive.write("made/member", content)


#: What changes a file `f`, a link `l`, a directory `d` with a file or makes `n`: {path: was there}.
CHANGES = {
    "opened": (lambda top: write(top / "f"), {"f": True}),
    "created": (lambda top: write(top / "n"), {"n": False}),
    "replaced": (lambda top: disk.write_whole(str(top / "f"), "x"), {"f": True}),
    "first": (lambda top: disk.write_first(str(top / "n"), "x"), {"n": False}),
    "rewritten": (lambda top: disk.rewrite(str(top / "f"), b"x"), {"f": True}),
    "placed": (lambda top: place(top / "n"), {"n": False}),
    "mode": (lambda top: safe_files.change_mode(str(top / "f"), 0o600), {"f": True}),
    "mode by a link": (lambda top: safe_files.change_mode(str(top / "l"), 0o600), {"f": True}),
    "owner": (lambda top: safe_files.change_owner(str(top / "f"), -1, -1), {"f": True}),
    "directory": (lambda top: safe_files.make_directories(str(top / "n" / "m")), {"n": False, "n/m": False}),
    "link": (lambda top: safe_files.symlink("f", str(top / "n")), {"n": False}),
    "hard link": (lambda top: safe_files.link(str(top / "f"), str(top / "n")), {"f": True, "n": False}),
    "pipe": (lambda top: safe_files.make_node(str(top / "n"), 0o10600, 0), {"n": False}),
    "removed": (lambda top: safe_files.remove_file(str(top / "f")), {"f": True}),
    "removed link": (lambda top: safe_files.remove(str(top / "l")), {"l": True}),
    "removed tree": (lambda top: safe_files.remove_tree(str(top / "d")), {"d": True, "d/a": True}),
    "renamed": (lambda top: safe_files.rename(str(top / "f"), str(top / "n")), {"f": True, "n": False}),
    "moved tree": (
        lambda top: safe_files.move(str(top / "d"), str(top / "n")),
        {"d": True, "d/a": True, "n": False, "n/a": False},
    ),
    "copied tree": (
        lambda top: safe_files.copy_tree(str(top / "d"), str(top / "n")),
        {"n": False, "n/a": False},
    ),
    "given tree": (lambda top: safe_files.give_tree(str(top / "d"), os.getuid(), os.getgid()), {"d": True}),
    "unpacked": (lambda top: unpack(top / "n"), {"made": False, "made/member": False}),
    "announced": (lambda top: safe_files.announce_change(str(top / "d")), {"d": True, "d/a": True}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_recorded_while_the_old_is_there(tmp_path, name):
    act, expected = CHANGES[name]
    (tmp_path / "f").write_text("old")
    (tmp_path / "l").symlink_to("f")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a").write_text("a")
    seen = Seen()

    with recorded_by(seen):
        act(tmp_path)

    found = {os.path.relpath(path, tmp_path): was for path, was in seen.entries.items()}
    temporary = {
        path: was for path, was in found.items() if not os.path.basename(path).startswith(".salt-g-")
    }
    assert temporary == expected


def test_without_a_recorder_nothing_is_recorded_and_services_are():
    seen = Seen()

    before_service("cron", is_running=True)
    before_restart("cron", "reload")
    assert not is_recording()
    with recorded_by(seen):
        before_service("cron", is_running=True)
        before_restart("cron", "reload")

    assert seen.services == [("cron", {"is_running": True}), ("cron", "reload")]


def test_a_temporary_file_is_recorded_before_it_is_there(tmp_path):
    seen = Seen()

    with recorded_by(seen):
        disk.write_whole(str(tmp_path / "f"), "x")

    ((name, was_there),) = seen.temporary_names
    assert name.startswith(".salt-g-")
    assert not was_there
