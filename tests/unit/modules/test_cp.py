"""Files from the file server, by the functions of `cp`."""

import base64
import gzip
import os
import pathlib
import stat

import pytest

from salt_g.errors import CommandExecutionError, RenderError
from salt_g.files.client import LocalFileClient
from salt_g.modules import cp


class Rendering:
    """Puts the variable `who` in place of `<who>`."""

    def render_template(self, text, *, engine, saltenv="base", who="nobody", **variables):
        if engine != "jinja":
            raise RenderError(f"Specified template format {engine} is not supported")
        return text.replace("<who>", who)


@pytest.fixture
def tree(tmp_path, call_context):
    for name, text in {
        "base/f.txt": "content\n",
        "base/t.j2": "hello <who>\n",
        "base/d/g": "g\n",
        "base/d/e/init.sls": "",
        "base/dd/x": "",
        "dev/f.txt": "dev\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "base/d/empty").mkdir()
    opts = {
        "cachedir": f"{tmp_path}/cache",
        "file_roots": {"base": [f"{tmp_path}/base"], "dev": [f"{tmp_path}/dev"]},
    }
    call_context(opts=opts, files=LocalFileClient(opts), render=Rendering())
    return tmp_path


def test_available_files_are_listed(tree):
    assert cp.envs() == ["base", "dev"]
    assert cp.list_master() == ["d/e/init.sls", "d/g", "dd/x", "f.txt", "t.j2"]
    assert cp.list_master(prefix="d") == ["d/e/init.sls", "d/g", "dd/x"]
    assert cp.list_master_dirs() == ["d", "d/e", "d/empty", "dd"]
    assert cp.list_states() == ["d.e"]
    assert cp.list_master(saltenv="nope") == []


def test_files_are_cached(tree):
    assert cp.cache_file("salt://f.txt") == f"{tree}/cache/files/base/f.txt"
    assert cp.cache_file("salt://f.txt", saltenv="dev") == f"{tree}/cache/files/dev/f.txt"
    assert cp.cache_file("salt://nope") is False
    assert cp.cache_files("salt://f.txt,salt://nope") == [f"{tree}/cache/files/base/f.txt", False]
    assert cp.is_cached("salt://f.txt") == f"{tree}/cache/files/base/f.txt"
    assert cp.list_minion("dev") == [f"{tree}/cache/files/dev/f.txt"]


def test_a_directory_is_cached_by_patterns(tree):
    top = f"{tree}/cache/files/base"

    assert cp.cache_dir("salt://d") == [f"{top}/d/e/init.sls", f"{top}/d/g"]
    assert cp.cache_dir("salt://d", include_pat="*.sls") == [f"{top}/d/e/init.sls"]
    assert cp.cache_dir("salt://d", exclude_pat=r"E@\.sls$", include_empty=True) == [
        f"{top}/d/g",
        f"{top}/d/empty",
    ]
    assert os.path.isdir(f"{top}/d/empty")


def test_everything_can_be_cached(tree):
    assert len(cp.cache_master()) == 5


def test_a_local_file_is_cached_when_it_changed(tree):
    path = tree / "local"
    path.write_text("one")

    cached = cp.cache_local_file(str(path))
    assert cp.cache_local_file(str(path)) == cached
    path.write_text("two")
    cp.cache_local_file(str(path))

    assert pathlib.Path(cached).read_text() == "two"
    assert cp.cache_local_file(f"{tree}/nope") == ""


def test_a_file_is_fetched_to_its_place(tree):
    dest = f"{tree}/out"

    assert cp.get_file("salt://f.txt", dest) == dest
    assert cp.get_file("salt://nope", dest) == ""
    assert cp.get_file("salt://f.txt", f"{tree}/no/dir") is False
    assert cp.get_file_str("salt://f.txt") == "content\n"
    assert cp.get_file_str("salt://nope") is False
    assert cp.get_url("salt://f.txt", None) == "content\n"
    assert cp.get_url("salt://nope", dest) is False


def test_paths_can_be_templates(tree):
    assert cp.get_file("salt://f.txt", f"{tree}/<who>", template="jinja") == f"{tree}/nobody"
    with pytest.raises(CommandExecutionError, match="Failed to render file path"):
        cp.get_file("salt://f.txt", f"{tree}/x", template="nope")


def test_a_directory_is_fetched_with_its_empty_ones(tree):
    assert cp.get_dir("salt://d", f"{tree}/out") == [
        f"{tree}/out/d/e/init.sls",
        f"{tree}/out/d/empty",
        f"{tree}/out/d/g",
    ]


def test_a_template_is_rendered_to_its_place(tree):
    assert cp.get_template("salt://t.j2", f"{tree}/hello", who="world") == f"{tree}/hello"
    assert (tree / "hello").read_text() == "hello world\n"
    assert cp.get_template("salt://t.j2", "") == f"{tree}/cache/extrn_files/base/t.j2"
    assert cp.get_template("salt://nope", f"{tree}/x") == ""


def test_a_template_that_cannot_be_rendered_is_an_error(tree):
    with pytest.raises(RenderError, match="nope is not supported"):
        cp.get_template("salt://t.j2", f"{tree}/x", template="nope")


def test_hashes_and_modes_are_reported(tree):
    (tree / "base/f.txt").chmod(0o640)

    assert cp.hash_file("salt://f.txt")["hash_type"] == "sha256"
    assert cp.hash_file("salt://nope") == ""
    assert cp.hash_file(f"{tree}/nope") == [{}, None]
    assert cp.stat_file("salt://f.txt") == "0640"
    assert stat.S_IMODE(cp.stat_file("salt://f.txt", octal=False)) == 0o640
    assert cp.stat_file("salt://nope") is None


def test_nothing_is_pushed_without_a_master(tree):
    assert cp.push("relative") is False
    assert cp.push_dir(f"{tree}/nope") is False
    with pytest.raises(CommandExecutionError, match="no master"):
        cp.push(f"{tree}/base/f.txt")


def test_sent_files_are_written(tree):
    assert cp.recv({"/x/a": "text"}, str(tree)) == {f"{tree}/a": True}
    assert cp.recv({"/x/a": "text"}, f"{tree}/no/dir/a/b") == "Destination unavailable"
    assert (tree / "a").read_text() == "text"


def test_sent_pieces_are_joined(tree):
    def piece(data):
        return base64.b64encode(gzip.compress(data)).decode()

    dest = f"{tree}/made/file"

    assert cp.recv_chunked(f"{tree}/made", None) is True
    assert cp.recv_chunked(dest, piece(b"one"), mode=0o600) is True
    assert cp.recv_chunked(dest, piece(b"two"), append=True) is True
    assert pathlib.Path(dest).read_text() == "onetwo"
    assert cp.recv_chunked(f"{tree}/f", None) is True
    assert "directory" in cp.recv_chunked(f"{tree}/made", piece(b"x")).lower()


class PushMaster:
    """A master that accepts pushed data until it has `limit` bytes."""

    def __init__(self, limit=1000):
        self.limit = limit
        self.requests = []

    def ask(self, load, **options):
        self.requests.append(load)
        return load["loc"] + len(load["data"]) <= self.limit


@pytest.fixture
def push_master(call_context):
    master = PushMaster()
    call_context(opts={"file_client": "remote", "file_buffer_size": 4}, master=master)
    return master


def test_a_file_is_pushed_in_pieces(push_master, tmp_path):
    (tmp_path / "f").write_text("123456")

    assert cp.push(f"{tmp_path}/f") is True

    parts = [part for part in str(tmp_path).split("/") if part] + ["f"]
    assert push_master.requests == [
        {"cmd": "_file_recv", "path": parts, "size": 6, "loc": 0, "data": b"1234"},
        {"cmd": "_file_recv", "path": parts, "size": 6, "loc": 4, "data": b"56"},
    ]


def test_an_empty_file_is_pushed_in_one_piece(push_master, tmp_path):
    (tmp_path / "f").write_text("")

    assert cp.push(f"{tmp_path}/f", upload_path="/other/name", remove_source=True) is True

    assert [(load["path"], load["data"]) for load in push_master.requests] == [(["other", "name"], b"")]
    assert not (tmp_path / "f").exists()


def test_a_file_refused_by_the_master_stays_here(push_master, tmp_path):
    push_master.limit = 5
    (tmp_path / "f").write_text("123456")

    assert cp.push(f"{tmp_path}/f", remove_source=True) is False
    assert (tmp_path / "f").exists()


def test_a_directory_is_pushed_file_by_file(push_master, tmp_path):
    (tmp_path / "d").mkdir()
    for name in ("a.conf", "d/b.conf", "c.txt"):
        (tmp_path / name).write_text("x")

    assert cp.push_dir(str(tmp_path), glob="*.conf", upload_path="/up") is True
    assert sorted(load["path"] for load in push_master.requests) == [["up", "a.conf"], ["up", "d", "b.conf"]]
    assert cp.push_dir(str(tmp_path), glob="*.none") is False
