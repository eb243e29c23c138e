"""The file commands of a master, and what it tells of changes."""

import pytest

from salt_g.event.bus import Bus
from salt_g.master.commands import serve
from salt_g.master.serving.files import Files, FileUpdates, file_server
from salt_g.master.settings import FileUpdateSettings
from salt_g.wire.aes import Crypticle
from salt_g.wire.requests import SealedRequest


@pytest.fixture
def settings(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").write_text("text")
    return {"file_roots": {"base": [str(tmp_path)]}, "file_buffer_size": 3, "hash_type": "md5"}


@pytest.fixture
def ask(settings):
    commands = Files(file_server(settings)).commands()

    def run(cmd, **load):
        request = SealedRequest("m1", {"cmd": cmd, **load}, "", Crypticle.generate(), "", "", 3)
        return serve(commands, request)[0]

    return run


def test_each_command_answers(ask):
    place = {"path": "d/f", "saltenv": "base"}

    assert ask("_file_envs") == ["base"]
    assert ask("_file_list", saltenv="base", prefix="d/") == ["d/f"]
    assert ask("_dir_list", saltenv="base") == ["d"]
    assert ask("_file_list_emptydirs", saltenv="base") == []
    assert ask("_symlink_list", saltenv="base") == {}
    assert ask("_serve_file", loc=0, **place) == {"data": b"tex", "dest": "d/f"}
    assert ask("_file_hash", **place) == {"hash_type": "md5", "hsum": "1cb251ec0d568de6a929b520c4aed8d1"}
    assert ask("_file_hash_and_stat", **place)[1][6] == 4
    assert ask("_file_find", **place)["rel"] == "d/f"


@pytest.mark.parametrize(
    ("cmd", "nothing"),
    [
        ("_serve_file", {"data": "", "dest": ""}),
        ("_file_hash", ""),
        ("_file_hash_and_stat", ["", None]),
        ("_file_find", {"path": "", "rel": ""}),
        ("_file_list", []),
        ("_symlink_list", {}),
    ],
)
def test_a_load_without_a_field_means_nothing(ask, cmd, nothing):
    assert ask(cmd) == nothing
    assert ask(cmd, path="d/f", saltenv=None, loc=0) == nothing


def test_changes_are_told_when_that_is_switched_on(settings, tmp_path):
    bus = Bus()
    updates = FileUpdates(FileUpdateSettings(fileserver_events=True), file_server(settings), bus)
    (backend,) = updates.updating
    with bus.subscribe("salt/fileserver", name="test") as told:
        updates.update(backend)
        (tmp_path / "new").write_text("")
        updates.update(backend)
        event = told.get(5)

    assert event.tag == "salt/fileserver/roots/update"
    assert event.data["files"]["added"] == ["new"]
    assert len(told) == 0


def test_nothing_is_looked_for_when_it_is_off(settings):
    assert FileUpdates(FileUpdateSettings(), file_server(settings), Bus()).updating == []
