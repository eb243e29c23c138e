import gzip
import hashlib
import io
import os

import pytest

from salt_g.errors import FileServerError
from salt_g.files.remote import RemoteClient, RemoteServer
from tests.support.clocks import Clock

STATUS = [0o100644, 1, 2, 1, 0, 0, 5, 10, 11, 12]


class Master:
    """A fake master with some files; implements `services.daemons.Asking` and records its requests."""

    def __init__(self, files, *, piece=4):
        self.files = files
        self.piece = piece
        self.commands = []
        self.ahead = []
        self.lacking = ()

    def ask(self, load, *, timeout=None, tries=None, binary=()):
        self.commands.append(load["cmd"])
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
        if load["cmd"] == "_file_hashes":
            return lambda: self.ask_own(load)
        self.ahead.append(load["loc"])
        return lambda: self.ask(load, binary=binary)

    def ask_own(self, load, *, binary=()):
        self.commands.append(load["cmd"])
        found = [self.files.get(path) for path in load["paths"]]
        if load["cmd"] in self.lacking:
            return None
        if load["cmd"] == "_file_hashes":
            pairs = [
                (digest["hsum"], status) if digest else None for digest, status in map(self.describe, found)
            ]
            return {"hash_type": "sha256", "files": pairs}
        sizes = [-1 if content is None else len(content) for content in found]
        return {"data": b"".join(content or b"" for content in found), "sizes": sizes}

    def describe(self, content):
        if content is None:
            return ["", None]
        status = [*STATUS[:6], len(content), *STATUS[7:]]
        return [{"hsum": hashlib.sha256(content).hexdigest(), "hash_type": "sha256"}, status]

    def serve(self, content, load):
        if content is None:
            return {"data": "", "dest": ""}
        return {"data": content[load["loc"] : load["loc"] + self.piece], "dest": load["path"]}


def test_later_pieces_are_requested_ahead_and_none_beyond_the_end():
    master, file = Master({"x": b"0123456789abcdefgh"}), io.BytesIO()

    assert RemoteServer(master).write("x", "base", file)
    assert file.getvalue() == b"0123456789abcdefgh"
    assert master.ahead == [4, 8, 12, 16]
    assert master.commands.count("_serve_file") == 5


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

    assert master.commands == ["_file_hash_and_stat", "_serve_file", "_serve_file"]


def test_an_unchanged_file_costs_one_request(tmp_path):
    master, clock = Master({"x": b"1234"}), Clock(100.0)
    server = RemoteServer(master, clock=clock)
    server.refresh("x", "base", str(tmp_path / "x"))
    clock.now += 60
    master.commands.clear()

    server.refresh("x", "base", str(tmp_path / "x"))

    assert master.commands == ["_file_hash_and_stat"]


def test_hash_status_and_file_are_one_question(tmp_path):
    master = Master({"x": b""})
    server = RemoteServer(master)

    digest = server.hash_file("x", "base")
    status = server.stat_file("x", "base")
    server.refresh("x", "base", str(tmp_path / "x"))

    assert digest["hsum"] == hashlib.sha256(b"").hexdigest()
    assert status.st_mode == 0o100644
    assert master.commands.count("_file_hash_and_stat") == 1


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
    master, clock = Master({"b": b"", "a": b""}), Clock(100.0)
    server = RemoteServer(master, clock=clock)

    for _ in range(18):
        assert server.listing("base").files == ("a", "b")
    assert server.listing("base").links == {"link": "x"}

    assert master.commands == ["_file_list", "_symlink_list"]


def test_a_listing_is_made_anew_after_a_moment_or_when_forgotten():
    master, clock = Master({"a": b""}), Clock(100.0)
    server = RemoteServer(master, clock=clock)
    assert server.listing("base").files == ("a",)
    master.files["b"] = b""

    clock.now += 6
    later = server.listing("base").files
    master.files["c"] = b""
    server.forget()

    assert later == ("a", "b")
    assert server.listing("base").files == ("a", "b", "c")


def test_a_question_mark_in_a_name_is_not_a_query(tmp_path):
    master = Master({"|what?": b"yes"})

    assert RemoteServer(master).refresh("what?", "base", str(tmp_path / "x"))


def test_the_client_accepts_urls(tmp_path):
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


def _refresh_all(server, tmp_path, paths):
    def copy_of(path, saltenv):
        return str(tmp_path / saltenv / path)

    with server.announced(paths, "base", copy_of):
        for path in paths:
            assert server.refresh(path, "base", copy_of(path, "base"))
    return {path: (tmp_path / "base" / path).read_bytes() for path in paths}


def test_announced_files_are_described_and_fetched_together(tmp_path):
    files = {f"d/{number:03}": b"%d" % number for number in range(300)}
    master = Master(files)

    assert _refresh_all(RemoteServer(master), tmp_path, sorted(files)) == files
    assert master.commands == ["_file_hashes", "_serve_files"] * 2


def test_announced_files_that_are_there_already_are_not_fetched(tmp_path):
    master = Master({"a": b"1", "b": b"", "c": b"3"})
    _refresh_all(RemoteServer(master), tmp_path, ["a", "b", "c"])
    master.commands.clear()
    (tmp_path / "base" / "b").write_bytes(b"other")

    assert _refresh_all(RemoteServer(master), tmp_path, ["a", "b", "c"]) == master.files
    assert master.commands == ["_file_hashes", "_serve_file"]


def test_a_master_without_these_commands_is_asked_for_each_file(tmp_path):
    master = Master({"a": b"1", "b": b"22"})
    master.lacking = ("_file_hashes", "_serve_files")

    assert _refresh_all(RemoteServer(master), tmp_path, ["a", "b"]) == master.files
    assert master.commands.count("_file_hash_and_stat") == master.commands.count("_serve_file") == 2


def test_an_announced_file_that_does_not_match_its_hash_is_fetched_alone(tmp_path):
    master = Master({"a": b"1", "b": b"22"})
    ask_own = master.ask_own

    def damage(load, *, binary=()):
        reply = ask_own(load, binary=binary)
        return {**reply, "data": b"lie"} if load["cmd"] == "_serve_files" else reply

    master.ask_own = damage

    assert _refresh_all(RemoteServer(master), tmp_path, ["a", "b"]) == master.files
    assert master.commands.count("_serve_file") == 2


@pytest.mark.parametrize(
    "reply",
    [
        None,
        "",
        [],
        {"files": 1},
        {"files": [1, [], ["x"], ["", None]]},
        {"data": "text", "sizes": [1]},
        {"data": b"1", "sizes": 5},
        {"data": b"1", "sizes": ["1", -7]},
    ],
)
def test_an_answer_of_no_known_form_is_not_an_answer(tmp_path, reply):
    master = Master({"a": b"1", "b": b"22"})
    master.ask_own = lambda load, *, binary=(): reply

    assert _refresh_all(RemoteServer(master), tmp_path, ["a", "b"]) == master.files


def test_a_client_announces_urls_of_several_environments(tmp_path):
    master = Master({"a": b"1", "b": b"2", "c": b"3"})
    client = RemoteClient(master, {"cachedir": str(tmp_path)})
    urls = ["salt://a", "salt://b", "/etc/hostname", "salt://c?saltenv=dev"]

    with client.announced(urls):
        assert [client.hash_file(url) != {} for url in urls] == [True, True, True, True]

    assert master.commands == ["_file_hashes", "_file_hash_and_stat"]
