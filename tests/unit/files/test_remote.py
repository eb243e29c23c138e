import gzip
import hashlib
import io
import os

import pytest

from salt_g.errors import FileServerError
from salt_g.files.remote import RemoteClient, RemoteServer

STATUS = [0o100644, 1, 2, 1, 0, 0, 5, 10, 11, 12]


class Master:
    """A master that has some files; implements `services.daemons.Asking` and notes what it was asked."""

    def __init__(self, files, *, piece=4):
        self.files = files
        self.piece = piece
        self.asked = []
        self.ahead = []

    def ask(self, load, *, timeout=None, tries=None, binary=()):
        self.asked.append(load["cmd"])
        content = self.files.get(load.get("path"))
        answers = {
            "_file_envs": lambda: ["dev", "base"],
            "_file_list": lambda: sorted(self.files),
            "_dir_list": lambda: ["a"],
            "_file_list_emptydirs": lambda: ["a/empty"],
            "_symlink_list": lambda: {"link": "x"},
            "_file_hash_and_stat": lambda: self.describe(content),
            "_serve_file": lambda: self.serve(content, load),
        }
        return answers[load["cmd"]]()

    def ask_ahead(self, load, *, binary=()):
        self.ahead.append(load["loc"])
        return lambda: self.ask(load, binary=binary)

    def describe(self, content):
        if content is None:
            return ["", None]
        status = [*STATUS[:6], len(content), *STATUS[7:]]
        return [{"hsum": hashlib.sha256(content).hexdigest(), "hash_type": "sha256"}, status]

    def serve(self, content, load):
        if content is None:
            return {"data": "", "dest": ""}
        return {"data": content[load["loc"] : load["loc"] + self.piece], "dest": load["path"]}


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_later_pieces_are_requested_ahead_and_none_beyond_the_end():
    master, file = Master({"x": b"0123456789abcdefgh"}), io.BytesIO()

    assert RemoteServer(master).write("x", "base", file)
    assert file.getvalue() == b"0123456789abcdefgh"
    assert master.ahead == [4, 8, 12, 16]
    assert master.asked.count("_serve_file") == 5


def test_a_piece_that_is_shorter_than_the_first_leaves_no_gap():
    class Irregular(Master):
        def serve(self, content, load):
            length = 1 if load["loc"] == 8 else self.piece
            return {"data": content[load["loc"] : load["loc"] + length], "dest": load["path"]}

    file = io.BytesIO()

    assert RemoteServer(Irregular({"x": b"0123456789abcdefgh"})).write("x", "base", file)
    assert file.getvalue() == b"0123456789abcdefgh"


def test_a_file_arrives_piece_by_piece_and_is_private(tmp_path):
    server = RemoteServer(Master({"x": b"hello world"}))
    dest = tmp_path / "files" / "base" / "x"

    found = server.refresh("x", "base", str(dest))

    assert found and dest.read_bytes() == b"hello world"
    assert os.stat(dest).st_mode & 0o777 == 0o600


def test_the_hash_says_when_a_file_is_whole(tmp_path):
    master = Master({"x": b"12345678"})

    RemoteServer(master).refresh("x", "base", str(tmp_path / "x"))

    assert master.asked == ["_file_hash_and_stat", "_serve_file", "_serve_file"]


def test_an_unchanged_file_costs_one_request(tmp_path):
    master, clock = Master({"x": b"1234"}), Clock()
    server = RemoteServer(master, clock=clock)
    server.refresh("x", "base", str(tmp_path / "x"))
    clock.now += 60
    master.asked.clear()

    server.refresh("x", "base", str(tmp_path / "x"))

    assert master.asked == ["_file_hash_and_stat"]


def test_hash_status_and_file_are_one_question(tmp_path):
    master = Master({"x": b""})
    server = RemoteServer(master)

    digest = server.hash_file("x", "base")
    status = server.stat_file("x", "base")
    server.refresh("x", "base", str(tmp_path / "x"))

    assert digest["hsum"] == hashlib.sha256(b"").hexdigest()
    assert status.st_mode == 0o100644
    assert master.asked.count("_file_hash_and_stat") == 1


def test_a_missing_file_is_none(tmp_path):
    server = RemoteServer(Master({}))

    assert not server.refresh("x", "base", str(tmp_path / "x"))
    assert server.hash_file("x", "base") == {}
    assert server.stat_file("x", "base") is None
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_changes_meanwhile_is_fetched_anew(tmp_path):
    master = Master({"x": b"old content"})
    server = RemoteServer(master)
    server.hash_file("x", "base")
    master.files["x"] = b"new"

    server.refresh("x", "base", str(tmp_path / "x"))

    assert (tmp_path / "x").read_bytes() == b"new"


def test_content_that_never_fits_its_hash_is_refused_and_leaves_nothing(tmp_path):
    master = Master({"x": b"abc"})
    master.serve = lambda content, load: {"data": b"lie" if load["loc"] == 0 else b"", "dest": "x"}

    with pytest.raises(FileServerError, match="content that does not match its hash"):
        RemoteServer(master).refresh("x", "base", str(tmp_path / "x"))

    assert list(tmp_path.iterdir()) == []


def test_packed_pieces_are_unpacked():
    master = Master({"x": b"hello"})
    whole = gzip.compress(b"hello")
    master.serve = lambda content, load: {"data": whole if load["loc"] == 0 else b"", "dest": "x", "gzip": 5}
    file = io.BytesIO()

    RemoteServer(master).write("x", "base", file)

    assert file.getvalue() == b"hello"


def test_a_packed_piece_may_not_grow_without_bound(monkeypatch):
    monkeypatch.setattr("salt_g.files.remote.MAX_PIECE", 1000)
    master = Master({"x": b"hello"})
    master.serve = lambda content, load: {"data": gzip.compress(bytes(5000)), "dest": "x", "gzip": 5}

    with pytest.raises(FileServerError, match="more than 1000 bytes"):
        RemoteServer(master).write("x", "base", io.BytesIO())


def test_each_part_of_a_listing_is_asked_for_once():
    master, clock = Master({"b": b"", "a": b""}), Clock()
    server = RemoteServer(master, clock=clock)

    for _ in range(18):
        assert server.listing("base").files == ("a", "b")
    assert server.listing("base").links == {"link": "x"}

    assert master.asked == ["_file_list", "_symlink_list"]


def test_a_listing_is_made_anew_after_a_moment_or_when_forgotten():
    master, clock = Master({"a": b""}), Clock()
    server = RemoteServer(master, clock=clock)
    assert server.listing("base").files == ("a",)
    master.files["b"] = b""

    clock.now += 6
    later = server.listing("base").files
    master.files["c"] = b""
    server.forget()

    assert later == ("a", "b")
    assert server.listing("base").files == ("a", "b", "c")


def test_a_question_mark_in_a_name_is_no_query(tmp_path):
    master = Master({"|what?": b"yes"})

    assert RemoteServer(master).refresh("what?", "base", str(tmp_path / "x"))


def test_the_client_speaks_urls(tmp_path):
    client = RemoteClient(Master({"web/init.sls": b"{}"}), {"cachedir": str(tmp_path)})

    url, path = client.cache_sls("web")

    assert url == "salt://web/init.sls"
    assert path == str(tmp_path / "files" / "base" / "web" / "init.sls")
    assert client.list_states() == ["web"]
    assert client.envs() == ["base", "dev"]


def test_answers_of_another_shape_mean_no_file():
    master = Master({})
    master.ask = lambda load, **options: ""

    server = RemoteServer(master)

    assert server.hash_file("x", "base") == {}
    assert server.listing("base").files == ()
    assert server.listing("base").links == {}
