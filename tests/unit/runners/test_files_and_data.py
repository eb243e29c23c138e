"""The runners `fileserver`, `pillar`, `cache` and `mine` over the services of a master."""

import os
from collections import namedtuple

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.git.verified_refs import RefusedRef
from salt_g.pillar.git_clones import GitPillars
from salt_g.runners import cache, fileserver, git_pillar, mine, pillar

Resolved = namedtuple("Resolved", "minions missing")


class Server:
    """A fake file server that records its requests."""

    def __init__(self, names=("roots", "gitfs"), done=("done",)):
        self._names = list(names)
        self.done = list(done)
        self.requests = []

    def chosen(self, names=()):
        self.requests.append(list(names))
        return Server([name for name in self._names if name in names], self.done)

    def names(self):
        return self._names

    def envs(self):
        return ["base"] if "roots" in self._names else []

    def files(self, saltenv):
        return [f"{saltenv}/{name}" for name in self._names]

    def update(self, remotes=()):
        self.requests.append(tuple(remotes))

    def clear_cache(self):
        return self.done, []

    def refused(self):
        return self.refusals

    def release(self, remote, name):
        self.requests.append((remote, name))
        return (remote, name) == ("r", "branch/b")

    refusals = ()
    clear_lock = lock = lambda self, remotes=(): (self.done, [])


class Done:
    def __init__(self, value):
        self.value = value

    def result(self, timeout=None):
        return self.value


class Banks:
    def __init__(self):
        self.kept = {("mine", "m1"): {"a": 1, "b": 2}}

    def fetch(self, bank, key):
        return dict(self.kept.get((bank, key), {}))

    def store(self, bank, key, data):
        self.kept[bank, key] = data
        return Done(None)

    def flush(self, bank, key=None):
        return Done(int(self.kept.pop((bank, key), None) is not None))


class Data:
    """Fake minion data: grains and pillar of m1."""

    def __init__(self):
        self.forgotten = []

    def get(self, id):
        return ({"os": "x"}, {"role": "web"}) if id == "m1" else None

    def forget_part(self, id, bank):
        self.forgotten.append((id, bank))

    def reread(self):
        self.forgotten.append("all")


class Targets:
    def resolve(self, tgt, tgt_type="glob", *, delimiter=":", greedy=True):
        return Resolved(["m1", "m2"] if tgt == "*" else [tgt], [])


class Pillars:
    def __init__(self):
        self.forgotten = []
        self.top = {"base": {"*": ["x"]}}, []

    def compile_for(self, id, grains, **options):
        return {"id": id, "grains": dict(grains), **options}

    def top_for(self, id, grains, saltenv):
        return self.top

    def kept(self, id, pillarenv):
        return {"env": pillarenv} if pillarenv else None

    def forget(self, id):
        self.forgotten.append(id)


class MineOfMaster:
    def ask(self, tgt, fun, tgt_type, *, reader):
        return {"asked": (tgt, fun, tgt_type, reader)}


@pytest.fixture
def master(call_context, progress, fake_client, tmp_path):
    """Return a fake master's services."""

    def make(ext_pillar=(), **opts):
        return call_context(
            opts={"id": "vm_master", "minion_data_cache": True, **opts},
            fileserver=Server(),
            banks=Banks(),
            minion_data=Data(),
            targets=Targets(),
            minion_pillars=Pillars(),
            git_pillars=GitPillars({"cachedir": str(tmp_path), "ext_pillar": ext_pillar}),
            mine=MineOfMaster(),
            progress=progress,
        ).services

    return make


def test_the_file_server_is_shown_as_a_whole_or_by_backend(master):
    master()

    assert fileserver.envs() == ["base"]
    assert fileserver.envs(sources=True) == ["roots"]
    assert fileserver.file_list("dev") == ["dev/roots", "dev/gitfs"]
    assert fileserver.file_list(backend="gitfs,other") == ["base/gitfs"]


def test_updates_are_for_all_remotes_or_some(master):
    services = master()

    assert fileserver.update() is True
    assert fileserver.update(remotes="a,b") is True
    assert services.fileserver.requests == [(), ("a", "b")]


def test_refusals_of_signed_trees_are_shown_and_released(master):
    services = master()
    services.fileserver.refusals = [RefusedRef("r", "branch/b", "c1", "c0", "why")]

    assert fileserver.refused() == {"r": {"branch/b": {"commit": "c1", "served": "c0", "reason": "why"}}}
    assert fileserver.release("r", "branch/b") == fileserver.refused()
    with pytest.raises(CommandExecutionError, match="no signed tree 'r' serves 'branch/x'"):
        fileserver.release("r", "branch/x")
    services.fileserver.chosen = lambda names: services.fileserver
    assert fileserver.update() == ["branch b of r: commit c1 is refused: why; c0 stays served"]


def test_actions_on_backends_are_reported(master):
    services = master()

    assert fileserver.clear_cache() == {"cleared": ["done"]}
    assert fileserver.lock() == {"locked": ["done"]}
    services.fileserver.done = []
    assert fileserver.clear_cache() == "No cache was cleared"
    assert fileserver.lock() == "No locks were set"
    assert fileserver.clear_lock() == "No locks were removed"


def test_backends_that_only_have_errors_report_these(master):
    server = master().fileserver
    server.clear_cache = server.lock = server.clear_lock = lambda *about: ([], ["why"])

    reports = [fileserver.clear_cache(), fileserver.lock(), fileserver.clear_lock()]

    assert reports == [{"errors": ["why"]}] * 3


def test_pillar_is_shown_with_what_is_known_and_given(master):
    master()

    known = pillar.show_pillar("m1", pillarenv="dev", host="h", __pub_user="root")
    unknown = pillar.show_pillar()

    assert known == {"id": "m1", "grains": {"os": "x", "host": "h"}, "saltenv": "base", "pillarenv": "dev"}
    assert unknown["grains"] == {}


def test_errors_of_the_top_file_are_reported_meanwhile_and_returned(master, progress):
    services = master()
    good = pillar.show_top()
    services.minion_pillars.top = {}, ["broken"]

    bad = pillar.show_top()

    assert good == {"base": {"*": ["x"]}}
    assert bad == ["broken"]
    assert progress.fired == [("progress", {"data": ["broken"], "outputter": "nested"})]


def test_kept_pillar_is_shown_and_forgotten(master):
    services = master()

    assert pillar.show_pillar_cache("*") == {"m1": {"role": "web"}}
    assert pillar.show_pillar_cache("m1", pillarenv="dev") == {"m1": {"env": "dev"}}
    assert pillar.clear_pillar_cache("*") is True
    assert services.minion_pillars.forgotten == ["m1", "m2"]


def test_without_any_cache_there_is_nothing_to_show(master):
    master(minion_data_cache=False)

    assert pillar.show_pillar_cache() is False
    assert pillar.clear_pillar_cache() is False


def test_data_of_minions_is_shown(master):
    master()

    assert cache.grains("*") == {"m1": {"os": "x"}}
    assert cache.pillar() == {"m1": {"role": "web"}}
    assert cache.mine("*") == {"m1": {"a": 1, "b": 2}, "m2": {}}


def test_data_of_minions_is_cleared(master):
    services = master()

    assert cache.clear_grains() is False
    assert cache.clear_all("m1") is True
    assert cache.clear_mine_func("m1", clear_mine_func_flag="a") is True
    assert services.minion_data.forgotten == [("m1", "pillar"), ("m1", "grains"), ("m1", "mine")]
    assert services.minion_pillars.forgotten == ["m1"]
    assert services.banks.kept == {("mine", "m1"): {"b": 2}}


def test_values_are_kept_by_bank_and_key(master):
    services = master()

    assert cache.store("b", "k", [1]) is None
    assert services.banks.kept["b", "k"] == [1]
    assert cache.flush("b", "k") is True
    assert cache.flush("b", "k") is False


def test_locks_are_cleared_by_role(master, make_origin, tmp_path):
    origin = make_origin("origin")
    origin.commit(a="a")
    master(ext_pillar=[{"git": [f"master {origin.url}"]}])

    assert git_pillar.update() == {origin.url: True}
    assert git_pillar.update(repo="other") == {}
    assert cache.clear_git_lock("gitfs") == {"cleared": ["done"]}
    assert cache.clear_git_lock("git_pillar") == "No locks were removed"
    [clone] = (tmp_path / "git_pillar").iterdir()
    (clone / "update.lk").write_text(str(os.getpid()))
    assert git_pillar.update() == {origin.url: None}
    assert cache.clear_git_lock("git_pillar") == {
        "cleared": [f"Removed update lock for git_pillar remote '{origin.url}'"]
    }
    with pytest.raises(InvocationError, match="Invalid role 'x'"):
        cache.clear_git_lock("x")


def test_the_mine_is_read_as_the_master(master):
    master()

    assert mine.get("*", "a") == {"asked": ("*", "a", "glob", "vm_master")}


def test_minions_are_asked_to_update_the_mine(call_context):
    class Client:
        def cmd(self, *args, **kwargs):
            return args, kwargs

    call_context(client=Client())

    assert mine.update("G@a:b", "compound", clear=True) == (
        ("G@a:b", "mine.update"),
        {"tgt_type": "compound", "kwarg": {"clear": True, "mine_functions": None}},
    )
