"""Backends as one source: serving of a file, listing, choice of backends."""

import pytest

from salt_g.files.backend_chain import Backends, canonical, from_opts, list_age
from salt_g.files.roots import FoundFile, Listing, Roots, RootsRules


class Memory:
    """A backend of one environment."""

    def __init__(self, name, env, listing=None, forgets=()):
        self.name = name
        self._env = env
        self._listing = listing or Listing()
        self._forgets = list(forgets)

    def envs(self):
        return [self._env]

    def find(self, path, saltenv):
        is_there = saltenv == self._env and path in self._listing.files
        return FoundFile(f"/{self.name}/{path}", path, self.name) if is_there else None

    def listing(self, saltenv):
        return self._listing if saltenv == self._env else Listing()

    def forget_listings(self, saltenv=None):
        return self._forgets


class Fetching(Memory):
    def update(self, remotes=()):
        raise NotImplementedError


@pytest.fixture
def chain():
    one = Listing(("a", "b"), ("d",), ("e",), {"l": "one"})
    other = Listing(("b", "c"), ("d", "f"), (), {"l": "other", "m": "other"})
    return Backends(
        [
            Memory("roots", "base", one, ["base"]),
            Fetching("gitfs", "base", other, ["dev", "base"]),
            Memory("minionfs", "pushed"),
        ]
    )


def names(backends):
    return [backend.name for backend in backends.backends]


def test_the_first_backend_that_has_a_file_serves_it(chain):
    assert [chain.find(path, "base").backend for path in "abc"] == ["roots", "roots", "gitfs"]
    assert chain.find("d", "base") is None
    assert chain.find("a", "dev") is None


def test_a_listing_has_each_name_once_and_the_first_targets_of_links(chain):
    links = {"l": "one", "m": "other"}

    assert chain.listing("base") == Listing(("a", "b", "c"), ("d", "f"), ("e",), links)
    assert chain.listing("none") == Listing()
    assert chain.envs() == ["base", "pushed"]
    assert chain.forget_listings() == ["base", "dev"]


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ([], ["roots", "gitfs", "minionfs"]),
        (["git", " minion "], ["gitfs", "minionfs"]),
        (["-git"], ["roots", "minionfs"]),
        (["roots", "gitfs", "-git"], ["roots"]),
        (["none"], []),
    ],
)
def test_backends_are_chosen_or_excluded_by_name(chain, wanted, chosen):
    assert names(chain.chosen(wanted)) == chosen


def test_only_some_backends_need_updates(chain):
    assert [backend.name for backend in chain.updating()] == ["gitfs"]


@pytest.mark.parametrize(
    ("setting", "made"),
    [
        (None, ["roots"]),
        ([], ["roots"]),
        (["minion", "roots", "minionfs"], ["minionfs", "roots"]),
        (["s4", "roots", 1], ["roots"]),
    ],
)
def test_settings_name_each_backend_once(setting, made, tmp_path, caplog):
    opts = {"fileserver_backend": setting, "cachedir": str(tmp_path), "file_roots": None}

    assert names(from_opts(opts, RootsRules())) == made
    assert ("'s4'" in caplog.text) is ("s4" in (setting or []))


def test_the_roots_are_those_of_the_settings(tmp_path):
    (tmp_path / "top.sls").touch()

    (backend,) = from_opts({"file_roots": {"base": [str(tmp_path)]}}, RootsRules()).backends

    assert isinstance(backend, Roots)
    assert backend.find("top.sls", "base").path == f"{tmp_path}/top.sls"


def test_a_listing_may_be_valid_for_no_time():
    assert (list_age({}), list_age({"fileserver_list_cache_time": 0})) == (20.0, 0.0)
    assert (canonical("git"), canonical("gitfs"), canonical("x")) == ("gitfs", "gitfs", "x")
