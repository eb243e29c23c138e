"""Files by URL: their cache paths, and when nothing is copied."""

import os
import pathlib
import stat
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from salt_g.errors import CommandExecutionError, FileServerError
from salt_g.files.client import LocalFileClient, PillarClient
from tests.support.servers import serving


@pytest.fixture
def tree(tmp_path):
    for name, text in {
        "base/f.txt": "content\n",
        "base/d/init.sls": "x: test.nop\n",
        "base/d/deep/one.sls": "y: test.nop\n",
        "base/q?x": "question\n",
        "base/ů m.txt": "unicode\n",
        "dev/f.txt": "dev\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.fixture
def client(tree):
    file_roots = {"base": [f"{tree}/base"], "dev": [f"{tree}/dev"]}
    return LocalFileClient({"cachedir": f"{tree}/cache", "file_roots": file_roots, "hash_type": "sha256"})


@pytest.mark.parametrize(
    ("url", "saltenv", "cached"),
    [
        ("salt://f.txt", "base", "files/base/f.txt"),
        ("salt:///f.txt", "base", "files/base/f.txt"),
        ("salt://f.txt", "dev", "files/dev/f.txt"),
        ("salt://f.txt?saltenv=dev", "base", "files/dev/f.txt"),
        ("salt://|q?x", "base", "files/base/q?x"),
        ("salt://ů m.txt", "base", "files/base/ů m.txt"),
    ],
)
def test_a_file_is_cached_by_environment(client, tree, url, saltenv, cached):
    path = client.cache_file(url, saltenv)

    assert path == f"{tree}/cache/{cached}"
    assert os.path.isfile(path)
    assert client.is_cached(url, saltenv) == path


@pytest.mark.parametrize("url", ["salt://nope", "salt://f.txt?saltenv=nope", "salt://d"])
def test_a_missing_file_is_an_empty_text(client, url):
    assert client.cache_file(url) == ""


@pytest.mark.parametrize("url", ["salt://../secret", "salt://f.txt?saltenv=../../x", "salt://d/../../x"])
def test_a_url_cannot_leave_its_environment(client, url):
    assert client.cache_file(url) == client.cache_dest(url) == client.is_cached(url) == ""


def test_the_cache_is_private(client):
    path = client.cache_file("salt://d/deep/one.sls")

    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    for directory in pathlib.Path(path).parents[:4]:
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_an_unchanged_file_is_not_copied_again(client):
    first = os.stat(client.cache_file("salt://f.txt"))

    second = os.stat(client.cache_file("salt://f.txt"))

    assert second.st_ino == first.st_ino


def test_a_changed_file_is_copied_again(client, tree):
    client.cache_file("salt://f.txt")
    (tree / "base/f.txt").write_text("changed\n")
    os.utime(tree / "base/f.txt", ns=(1, 1))

    path = client.cache_file("salt://f.txt")

    assert pathlib.Path(path).read_text() == "changed\n"


def test_a_file_that_became_a_directory_is_replaced_in_the_cache(client, tree):
    client.cache_file("salt://f.txt")
    (tree / "base/f.txt").unlink()
    (tree / "base/f.txt").mkdir()
    (tree / "base/f.txt/inner").write_text("x")

    assert client.cache_file("salt://f.txt/inner").endswith("files/base/f.txt/inner")


def test_files_of_this_machine_are_their_own_copies(client, tree):
    assert client.cache_file(f"{tree}/base/f.txt") == f"{tree}/base/f.txt"
    assert client.cache_file(f"file://{tree}/base/f.txt") == f"{tree}/base/f.txt"


def test_a_relative_path_is_refused(client):
    with pytest.raises(CommandExecutionError, match="Path 'f.txt' is not absolute"):
        client.cache_file("f.txt")


def test_an_unknown_scheme_is_refused(client):
    with pytest.raises(CommandExecutionError, match="'gopher://x/y' is not supported"):
        client.cache_file("gopher://x/y")


def test_an_sls_name_is_a_file_or_a_directory_with_init(client, tree):
    assert client.cache_sls("d") == ("salt://d/init.sls", f"{tree}/cache/files/base/d/init.sls")
    assert client.cache_sls("d.deep.one")[0] == "salt://d/deep/one.sls"
    assert client.cache_sls("nope") == ("", "")


def test_all_names_of_an_environment_are_listed(client):
    assert client.envs() == ["base", "dev"]
    assert client.list_states() == ["d", "d.deep.one"]
    assert client.list_files(prefix="d/") == ["d/deep/one.sls", "d/init.sls"]
    assert client.list_dirs() == ["d", "d/deep"]


def test_a_file_is_copied_to_where_the_user_wants_it(client, tree):
    (tree / "out").mkdir()

    assert client.get_file("salt://f.txt", f"{tree}/out/") == f"{tree}/out/f.txt"
    assert client.get_file("salt://f.txt", f"{tree}/missing/f") == ""
    assert client.get_file("salt://f.txt", f"{tree}/made/f", makedirs=True) == f"{tree}/made/f"
    assert client.get_file("salt://nope", f"{tree}/out/x") == ""
    assert sorted(os.listdir(tree / "out")) == ["f.txt"]


def test_a_copy_keeps_the_mode_of_the_file_it_replaces(client, tree):
    dest = tree / "script"
    dest.write_text("old")
    dest.chmod(0o750)

    client.get_file("salt://f.txt", str(dest))

    assert dest.read_text() == "content\n"
    assert stat.S_IMODE(dest.stat().st_mode) == 0o750


def test_a_hash_follows_the_content(client, tree):
    first = client.hash_file("salt://f.txt")
    (tree / "base/f.txt").write_text("other content\n")

    assert first["hash_type"] == "sha256"
    assert client.hash_file("salt://f.txt") != first
    assert client.hash_file(f"{tree}/base/f.txt") == client.hash_file("salt://f.txt")
    assert client.hash_file("salt://nope") == {}


class _Site(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.seen.append(dict(self.headers))
        if self.path.startswith("/missing"):
            self.send_error(404)
            return
        if self.headers.get("If-None-Match") == "tag":
            self.send_response(304)
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("ETag", "tag")
        self.end_headers()
        self.wfile.write(b"from the net")

    def log_message(self, *args):
        pass


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    server.seen = []
    with serving(server):
        yield server


def test_a_download_lands_in_the_cache_of_its_host(client, site, tree):
    port = site.server_port

    path = client.cache_file(f"http://user:secret@127.0.0.1:{port}/a/b?c=d")

    assert path == f"{tree}/cache/extrn_files/base/127.0.0.1{port}/a/b-c=d"
    assert pathlib.Path(path).read_text() == "from the net"
    assert site.seen[0]["Authorization"] == "Basic dXNlcjpzZWNyZXQ="


def test_a_download_is_skipped_when_the_hash_is_known(client, site):
    url = f"http://127.0.0.1:{site.server_port}/a"
    path = client.cache_file(url)
    digest = client.hash_file(path)["hsum"]

    client.cache_file(url, source_hash=f"sha256={digest}")

    assert len(site.seen) == 1


def test_a_download_is_skipped_when_the_server_says_so(client, site):
    url = f"http://127.0.0.1:{site.server_port}/a"
    client.cache_file(url, use_etag=True)

    path = client.cache_file(url, use_etag=True)

    assert pathlib.Path(path).read_text() == "from the net"
    assert site.seen[1]["If-None-Match"] == "tag"


def test_a_download_goes_through_the_proxy_of_the_settings(site, tree, monkeypatch):
    monkeypatch.delenv("no_proxy")
    settings = {"proxy_host": "127.0.0.1", "proxy_port": site.server_port, "proxy_username": "me"}
    opts = {"cachedir": f"{tree}/cache", "proxy_password": "p@ss", "no_proxy": ["127.0.0.1"], **settings}
    client = LocalFileClient(opts)

    path = client.cache_file("http://files.invalid/a")
    client.cache_file(f"http://127.0.0.1:{site.server_port}/b")

    assert pathlib.Path(path).read_text() == "from the net"
    assert [(seen["Host"], "Proxy-Authorization" in seen) for seen in site.seen] == [
        ("files.invalid", True),
        (f"127.0.0.1:{site.server_port}", False),
    ]
    assert site.seen[0]["Proxy-Authorization"] == "Basic bWU6cEBzcw=="


def test_a_failed_download_says_why_and_leaves_nothing(client, site, tree):
    with pytest.raises(FileServerError, match="HTTP 404: Not Found reading http://.*/missing"):
        client.cache_file(f"http://127.0.0.1:{site.server_port}/missing")

    assert client.cached_files() == []
    assert [name for _, _, files in os.walk(tree / "cache") for name in files] == []


def test_a_pillar_file_is_searched_once_and_one_that_is_not_there_again(tmp_path):
    client = PillarClient({"pillar_roots": {"base": [str(tmp_path)]}, "cachedir": str(tmp_path / "cache")})
    assert client.cache_file("salt://map.jinja") == ""
    (tmp_path / "map.jinja").write_text("")

    there = client.cache_file("salt://map.jinja")
    (tmp_path / "map.jinja").unlink()

    assert there == client.cache_file("salt://map.jinja") == str(tmp_path / "map.jinja")


def test_pillar_files_are_found_anew_after_forgetting(tmp_path):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    (tmp_path / "second" / "a.sls").write_text("")
    roots = {"base": [str(tmp_path / "first"), str(tmp_path / "second")]}
    client = PillarClient({"pillar_roots": roots, "cachedir": str(tmp_path / "cache")})
    assert client.cache_file("salt://a.sls") == str(tmp_path / "second" / "a.sls")
    assert client.list_states() == ["a"]
    for name in ("a.sls", "b.sls"):
        (tmp_path / "first" / name).write_text("")

    client.forget()

    assert client.cache_file("salt://a.sls") == str(tmp_path / "first" / "a.sls")
    assert client.list_states() == ["a", "b"]
