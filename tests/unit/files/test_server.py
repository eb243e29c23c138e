"""Answers to file commands, over any backends."""

import gzip
import hashlib

import pytest

from salt_g.files.backend import Changed
from salt_g.files.backend_chain import Backends, from_opts
from salt_g.files.roots import FoundFile, Listing, Roots, RootsRules
from salt_g.files.server import SMALL_PIECE, FileServer


class Memory:
    """A backend with its own file mode, which records its updates."""

    name = "gitfs"
    interval = 60.0

    def __init__(self, path):
        self.path = path
        self.updated = []

    def envs(self):
        return ["base", "dev"]

    def find(self, path, saltenv):
        return FoundFile(self.path, path, self.name, 0o100755) if path in ("both", "mine") else None

    def listing(self, saltenv):
        return Listing(("both", "mine"), ("m",), (), {"l": "mine"})

    def forget_listings(self, saltenv=None):
        return ["dev"]

    def update(self, remotes=()):
        self.updated.append(tuple(remotes))
        return Changed(True)

    def clear_cache(self):
        return []

    def lock(self, remotes=()):
        return ["locked"], []

    def clear_lock(self, remotes=()):
        return [], ["not ours"]


@pytest.fixture
def memory(tmp_path):
    (tmp_path / "blob").write_text("blob")
    return Memory(str(tmp_path / "blob"))


@pytest.fixture
def server(tmp_path, memory):
    root = tmp_path / "states"
    root.mkdir()
    (root / "both").write_text("roots")
    (root / "large").write_bytes(bytes(range(256)) * 1000)
    (root / "empty").write_text("")
    backends = Backends([Roots({"base": [str(root)]}, RootsRules.of_master({})), memory])
    return FileServer(backends, piece_size=100_000)


def test_the_first_backend_that_has_a_file_serves_it(server):
    assert server.piece("both", "base", 0)["data"] == b"roots"
    assert server.piece("mine", "base", 0)["data"] == b"blob"
    assert server.place("both", "base")["back"] == "roots"
    assert server.place("mine", "base")["back"] == "gitfs"


@pytest.mark.parametrize(
    "most, size", [(None, 100_000), (1, 100_000), (150_000, 150_000), (1 << 40, 256_000)]
)
def test_a_peer_may_ask_for_longer_pieces(server, most, size):
    assert len(server.piece("large", "base", 0, most=most)["data"]) == size


def test_a_piece_is_at_most_four_usual_ones(tmp_path):
    (tmp_path / "large").write_bytes(bytes(1000))
    backends = Backends([Roots({"base": [str(tmp_path)]}, RootsRules.of_master({}))])
    server = FileServer(backends, piece_size=100)

    assert len(server.piece("large", "base", 0, most=1000)["data"]) == 400


def test_pieces_follow_each_other_to_an_empty_one(server):
    pieces, loc = [], 0
    while data := server.piece("large", "base", loc)["data"]:
        pieces.append(data)
        loc += len(data)

    assert [len(piece) for piece in pieces] == [100_000, 100_000, 56_000]
    assert b"".join(pieces) == bytes(range(256)) * 1000
    assert server.piece("large", "base", loc) == {"data": b"", "dest": "large"}
    assert server.piece("large", "base", 256_000 - SMALL_PIECE)["data"] == pieces[-1][-SMALL_PIECE:]


def test_a_missing_file_has_no_name(server):
    assert server.piece("nope", "base", 0) == {"data": "", "dest": ""}
    assert server.digest("nope", "base") == ""
    assert server.digest_and_status("nope", "base") == ["", None]
    assert server.place("nope", "base") == {"path": "", "rel": ""}


def test_an_empty_file_has_a_name(server):
    assert server.piece("empty", "base", 0) == {"data": b"", "dest": "empty"}


def test_a_packed_piece_has_its_compression_level(server):
    reply = server.piece("both", "base", 0, 5)

    assert gzip.decompress(reply["data"]) == b"roots"
    assert reply["gzip"] == 5
    assert "gzip" not in server.piece("both", "base", 0, 99)


def test_the_environment_in_a_path_wins(server):
    assert server.piece("both?saltenv=dev", "base", 0)["data"] == b"blob"
    assert server.piece("|both?saltenv=dev", "base", 0)["dest"] == ""


def test_hash_and_status_of_a_file(server):
    digest, status = server.digest_and_status("both", "base")

    assert digest == {"hash_type": "sha256", "hsum": hashlib.sha256(b"roots").hexdigest()}
    assert len(status) == 10 and status[6] == 5
    assert server.digest_and_status("mine", "base")[1] == [0o100755]


def test_listings_of_all_backends_are_one(server):
    assert server.envs() == ["base", "dev"]
    assert server.files("base") == ["both", "empty", "large", "mine"]
    assert server.files("base", "/e") == ["empty"]
    assert server.directories("base") == ["m"]
    assert server.links("base") == {"l": "mine"}


def test_backends_are_chosen_by_name(server):
    assert server.names() == ["roots", "gitfs"]
    assert server.chosen(["git"]).names() == ["gitfs"]
    assert server.chosen(["-git"]).names() == ["roots"]
    assert server.chosen(["roots"]).files("base") == ["both", "empty", "large"]


def test_backends_are_brought_up_to_date(server, memory):
    server.files("base")

    assert server.update(["x"]) is True
    assert memory.updated == [("x",)]
    assert server.clear_cache() == (["The gitfs fileserver cache was successfully cleared"], [])
    assert server.lock() == (["locked"], [])
    assert server.clear_lock() == ([], ["not ours"])


def test_forgotten_listings_are_reported_by_backend(server):
    server.files("base")

    assert server.forget_listings() == {"roots": ["base"], "gitfs": ["dev"]}
    assert server.forget_listings() == {"gitfs": ["dev"]}


def test_settings_name_the_backends_in_order(tmp_path, caplog):
    opts = {"fileserver_backend": ["minion", "roots", "nonsense"], "cachedir": str(tmp_path)}

    backends = from_opts(opts, RootsRules())

    assert [backend.name for backend in backends.backends] == ["minionfs", "roots"]
    assert "unknown file server backend 'nonsense'" in caplog.text
