"""The file commands of a master, and its events about changes."""

import hashlib

import pytest

from salt_g.event.bus import Bus
from salt_g.files.server import SMALL_PIECE
from salt_g.master.commands import serve
from salt_g.master.serving.files import MOST_BYTES, MOST_PATHS, Files, FileUpdates, file_server
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


def test_many_files_are_one_answer_with_a_gap_where_a_single_request_helps(ask, tmp_path):
    (tmp_path / "empty").write_text("")
    (tmp_path / "long").write_bytes(b"x" * (SMALL_PIECE + 1))
    paths = ["d/f", "missing", "long", "../etc/passwd", 7, "empty", "|d/f"]

    hashes = ask("_file_hashes", paths=paths, saltenv="base")
    contents = ask("_serve_files", paths=paths, saltenv="base")

    assert hashes["hash_type"] == "md5"
    assert [file and (file[0], file[1][6]) for file in hashes["files"]] == [
        ("1cb251ec0d568de6a929b520c4aed8d1", 4),
        None,
        (hashlib.md5(b"x" * (SMALL_PIECE + 1)).hexdigest(), SMALL_PIECE + 1),
        None,
        None,
        ("d41d8cd98f00b204e9800998ecf8427e", 0),
        ("1cb251ec0d568de6a929b520c4aed8d1", 4),
    ]
    assert contents == {"data": b"texttext", "sizes": [4, -1, -1, -1, -1, 0, 4]}


def test_a_file_outside_of_the_root_is_not_served_among_others_either(ask, tmp_path):
    (tmp_path / "link").symlink_to("/etc/hostname")

    assert ask("_file_hashes", paths=["link", "d/f"], saltenv="base")["files"][0] is None
    assert ask("_serve_files", paths=["link", "d/f"], saltenv="base")["sizes"] == [-1, 4]


def test_an_answer_with_many_contents_ends_at_its_limit(ask, tmp_path):
    (tmp_path / "big").write_bytes(b"x" * SMALL_PIECE)

    contents = ask("_serve_files", paths=["big"] * MOST_PATHS, saltenv="base")

    assert len(contents["data"]) == MOST_BYTES
    assert contents["sizes"] == [SMALL_PIECE] * (MOST_BYTES // SMALL_PIECE)


@pytest.mark.parametrize("cmd", ["_file_hashes", "_serve_files"])
def test_too_many_paths_or_none_are_refused(ask, cmd):
    assert ask(cmd, saltenv="base") == ""
    assert ask(cmd, paths="d/f", saltenv="base") == ""
    assert ask(cmd, paths=["d/f"] * (MOST_PATHS + 1), saltenv="base") == ""


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


def test_changes_are_reported_when_that_is_switched_on(settings, tmp_path):
    bus = Bus()
    updates = FileUpdates(FileUpdateSettings(fileserver_events=True), file_server(settings), bus)
    (backend,) = updates.updating
    with bus.subscribe("salt/fileserver", name="test") as events:
        updates.update(backend)
        (tmp_path / "new").write_text("")
        updates.update(backend)
        event = events.get(5)

    assert event.tag == "salt/fileserver/roots/update"
    assert event.data["files"]["added"] == ["new"]
    assert len(events) == 0


def test_nothing_is_looked_for_when_it_is_off(settings):
    assert FileUpdates(FileUpdateSettings(), file_server(settings), Bus()).updating == []
