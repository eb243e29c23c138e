"""Users' file server backends behind the chain of backends."""

import pytest

from salt_g.files.backend_chain import from_opts
from salt_g.files.roots import RootsRules

#: A backend with its files in a setting, handed out in pieces of four bytes; it notes its calls.
BOOKS = """
import hashlib


def envs():
    return sorted(__opts__["books"])


def find_file(path, saltenv="base", **kwargs):
    if path not in __opts__["books"].get(saltenv, {}):
        return {"path": "", "rel": ""}
    return {"path": path, "rel": path, "shelf": 7}


def serve_file(load, fnd):
    assert fnd["shelf"] == 7
    __opts__["calls"].append(("serve", load["loc"]))
    content = __opts__["books"][load["saltenv"]][load["path"]]
    return {"dest": fnd["rel"], "data": content[load["loc"]:load["loc"] + 4]}


def file_hash(load, fnd):
    content = __opts__["books"][load["saltenv"]][load["path"]]
    return {"hsum": hashlib.sha256(content).hexdigest(), "hash_type": "sha256"}


def file_list(load):
    __opts__["calls"].append(("list", load["saltenv"]))
    return list(__opts__["books"].get(load["saltenv"], {}))


def dir_list(load):
    return ["d"]


def update():
    __opts__["calls"].append(("update",))


def clear_cache():
    return ["cannot remove it"]
"""
BROKEN = """
def envs():
    return ["base"]


def find_file(path, saltenv="base"):
    if path == "cut":
        return {"path": path, "rel": path}
    raise OSError("no library card")


def serve_file(load, fnd):
    return {"dest": "cut", "data": b"half"} if not load["loc"] else None


def file_list(load):
    import sys

    sys.exit(1)
"""


@pytest.fixture
def opts(tmp_path):
    directory = tmp_path / "extmods" / "fileserver"
    directory.mkdir(parents=True)
    (directory / "books.py").write_text(BOOKS)
    (directory / "broken.py").write_text(BROKEN)
    return {
        "cachedir": str(tmp_path / "cache"),
        "extension_modules": str(tmp_path / "extmods"),
        "file_roots": {"base": [str(tmp_path)]},
        "fileserver_backend": ["books"],
        "fileserver_list_cache_time": 20,
        "books": {"base": {"d/a": b"0123456789"}, "dev": {"b": b""}},
        "calls": [],
    }


def content(backends, path, saltenv="base"):
    with open(backends.find(path, saltenv).path, "rb") as file:
        return file.read()


def test_a_users_backend_serves_files_and_lists_them(opts):
    backends = from_opts(opts, RootsRules())

    assert backends.envs() == ["base", "dev"]
    assert content(backends, "d/a") == b"0123456789"
    assert content(backends, "b", "dev") == b""
    assert backends.find("nosuch", "base") is None
    found = backends.find("d/a", "base")
    assert (found.relative, found.backend) == ("d/a", "books")
    assert backends.listing("base").files == ("d/a",)
    assert backends.listing("base").directories == ("d",)


def test_a_file_is_copied_again_only_when_its_hash_has_changed(opts):
    backends = from_opts(opts, RootsRules())
    content(backends, "d/a")
    before = len(opts["calls"])

    assert content(backends, "d/a") == b"0123456789"
    assert len(opts["calls"]) == before
    opts["books"]["base"]["d/a"] = b"new"
    assert content(backends, "d/a") == b"new"


def test_listings_are_made_anew_after_an_update(opts):
    backends = from_opts(opts, RootsRules())
    backend = backends.updating()[0]
    backends.listing("base")
    backends.listing("base")

    assert opts["calls"] == [("list", "base")]
    backend.update()
    backends.listing("base")
    assert opts["calls"] == [("list", "base"), ("update",), ("list", "base")]
    assert backend.clear_cache() == ["cannot remove it"]
    assert backend.lock() == ([], [])


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "d/../../secret"])
def test_no_path_leads_out_of_the_environment(opts, path):
    assert from_opts(opts, RootsRules()).find(path, "base") is None


def test_errors_of_a_backend_leave_its_files_out(opts, caplog):
    backends = from_opts({**opts, "fileserver_backend": ["broken", "books"]}, RootsRules())

    assert content(backends, "d/a") == b"0123456789"
    assert "no library card" in caplog.text
    assert backends.listing("base").files == ("d/a",)
    assert "a plugin of the kind fileserver called sys.exit(1)" in caplog.text
    assert backends.find("cut", "base") is None
    assert "'cut' of 'base' cannot be served from byte 4 on: serve_file is missing" in caplog.text


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        ("None", "serve_file is missing, has failed or returned None"),
        ("[1]", "serve_file returned a value of type list, not {'data': ..., 'dest': ...}"),
        ("{'data': 7, 'dest': ''}", "'data' of serve_file is of type int, not bytes or text"),
        ("1 / 0", "serve_file is missing, has failed or returned None"),
    ],
)
def test_a_file_that_cannot_be_served_names_the_function_at_fault(opts, caplog, returned, reason):
    plugin = BROKEN.replace('{"dest": "cut", "data": b"half"} if not load["loc"] else None', returned)
    with open(opts["extension_modules"] + "/fileserver/wrong.py", "w") as file:
        file.write(plugin)

    assert from_opts({**opts, "fileserver_backend": ["wrong"]}, RootsRules()).find("cut", "base") is None
    assert caplog.messages[-1] == (
        f"file server backend wrong: 'cut' of 'base' cannot be served from byte 0 on: {reason}"
    )


def test_a_copy_without_a_hash_is_used_as_long_as_a_listing(opts):
    quiet = BOOKS.replace("def file_hash", "def no_hash")
    plugin = opts["extension_modules"] + "/fileserver/quiet.py"
    with open(plugin, "w") as file:
        file.write(quiet)
    young = from_opts({**opts, "fileserver_backend": ["quiet"]}, RootsRules())
    old = from_opts({**opts, "fileserver_backend": ["quiet"], "fileserver_list_cache_time": 0}, RootsRules())

    assert content(young, "d/a") == b"0123456789"
    opts["books"]["base"]["d/a"] = b"new"

    assert content(young, "d/a") == b"0123456789"
    assert content(old, "d/a") == b"new"


def test_a_name_without_a_plugin_is_named(opts, caplog):
    assert from_opts({**opts, "fileserver_backend": ["nosuch"]}, RootsRules()).backends == []
    assert "file server backend 'nosuch'; available: gitfs, minionfs, roots, and users'" in caplog.text
