"""Users' plugins, running jobs, caches."""

import os
import signal
import subprocess
import time

import msgpack
import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.files.client import LocalFileClient
from salt_g.modules import saltutil


class States:
    def top_matches(self, **options):
        return {"base": ["a"], "dev": ["b"]}


@pytest.fixture
def minion(tmp_path, call_context):
    for name, text in {
        "base/_modules/mine.py": "def f(): ...",
        "base/_grains/sub/g.py": "def g(): ...",
        "dev/_modules/mine.py": "def dev(): ...",
        "base/_proxy/p.py": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    opts = {
        "cachedir": f"{tmp_path}/cache",
        "file_roots": {"base": [f"{tmp_path}/base"], "dev": [f"{tmp_path}/dev"]},
        "file_client": "local",
        "fileserver_list_cache_time": 0,
        "pidfile": f"{tmp_path}/minion.pid",
    }
    tags = []
    context = call_context(
        opts=opts,
        files=LocalFileClient(opts),
        functions={
            "event.fire": lambda data, tag: tags.append(tag) or False,
            "saltutil.refresh_pillar": saltutil.refresh_pillar,
        },
    )
    context.services.states = States()
    return tmp_path, tags


@pytest.fixture
def tree(minion):
    return minion[0]


@pytest.fixture
def fired(minion):
    """Return the tags of events so far."""
    return minion[1]


def test_plugins_of_a_kind_that_nothing_loads_are_refused_in_words(tree, caplog):
    (tree / "base/_thorium").mkdir()
    (tree / "base/_thorium/w.py").write_text("")
    (tree / "base/_clouds").mkdir()
    (tree / "base/_clouds/c.py").write_text("")

    with pytest.raises(
        CommandExecutionError, match=r"does not load plugins of the kind thorium \(_thorium/w.py\)"
    ):
        saltutil.sync_thorium()
    brought = saltutil.sync_all()

    assert (brought["thorium"], brought["clouds"]) == ([], [])
    assert "kind clouds (_clouds/c.py): salt-g creates no machines" in caplog.text
    assert not (tree / "cache/extmods/thorium").exists()


def test_plugins_are_copied_once_and_later_environments_win(tree):
    assert saltutil.sync_modules() == ["modules.mine"]
    assert saltutil.sync_modules() == []
    assert (tree / "cache/extmods/modules/mine.py").read_text() == "def dev(): ..."
    assert saltutil.sync_grains() == ["grains.sub.g"]
    assert saltutil.sync_proxymodules() == ["proxy.p"]
    assert saltutil.list_extmods() == {"grains": ["g"], "modules": ["mine"], "proxy": ["p"]}


def test_one_environment_can_be_chosen(tree):
    saltutil.sync_modules(saltenv="base")

    assert (tree / "cache/extmods/modules/mine.py").read_text() == "def f(): ..."


def test_plugins_that_are_gone_are_removed(tree):
    saltutil.sync_modules()
    (tree / "base/_modules/mine.py").unlink()
    (tree / "dev/_modules/mine.py").unlink()

    assert saltutil.sync_modules() == []
    assert saltutil.list_extmods() == {}


def test_plugins_that_are_gone_may_stay(tree):
    saltutil.sync_modules()
    (tree / "base/_modules/mine.py").unlink()
    (tree / "dev/_modules/mine.py").unlink()
    api.opts["clean_dynamic_modules"] = False

    assert saltutil.sync_modules() == []
    assert saltutil.list_extmods() == {"modules": ["mine"]}


def test_lists_limit_what_is_brought(tree):
    assert saltutil.sync_modules(extmod_blacklist={"modules": ["mine"]}) == []
    assert saltutil.sync_modules(extmod_whitelist={"modules": ["other"]}) == []
    assert saltutil.sync_modules(extmod_whitelist={"modules": []}) == []
    assert saltutil.sync_modules(extmod_whitelist="other,others") == []
    assert saltutil.sync_modules(extmod_whitelist={"modules": "mine,other"}) == ["modules.mine"]


def test_settings_limit_what_is_brought_unless_the_call_does(tree):
    api.opts["extmod_whitelist"] = {"modules": []}

    assert saltutil.sync_modules() == []
    assert saltutil.sync_modules(extmod_whitelist={}) == ["modules.mine"]


def test_a_list_of_another_form_is_refused(tree):
    with pytest.raises(InvocationError, match="must be text or"):
        saltutil.sync_modules(extmod_whitelist=["mine"])


def test_all_forms_are_brought_together(tree, fired):
    brought = saltutil.sync_all()

    assert {form: names for form, names in brought.items() if names} == {
        "grains": ["grains.sub.g"],
        "modules": ["modules.mine"],
        "proxymodules": ["proxy.p"],
    }
    assert len(brought) == 21
    assert fired == ["pillar_refresh"]
    assert api.services().plugins.reloaded == [()]


def test_syncing_makes_the_plugins_count(tree, fired):
    saltutil.sync_modules()
    saltutil.sync_states(refresh=False)

    assert fired == ["module_refresh"]
    assert api.services().plugins.reloaded == [()]


def test_some_forms_are_for_masterless_minions(tree):
    with (
        api.use(api.current().with_opts(file_client="remote")),
        pytest.raises(CommandExecutionError, match="Pillar modules can only be synced to masterless minions"),
    ):
        saltutil.sync_pillar()


def test_sync_functions_explain_themselves():
    assert "salt-g saltutil.sync_returners" in saltutil.sync_returners.__doc__


def test_cached_grains_are_forgotten(tree):
    (tree / "cache").mkdir(exist_ok=True)
    (tree / "cache/grains.cache.p").write_text("")

    assert saltutil.refresh_grains() is True
    assert not (tree / "cache/grains.cache.p").exists()
    with pytest.raises(InvocationError, match="nope"):
        saltutil.refresh_grains(nope=1)


def test_running_jobs_are_found_and_signalled(tree):
    sleeper = subprocess.Popen(["sleep", "60"])
    folder = tree / "cache/proc"
    folder.mkdir(parents=True)
    (folder / "1").write_bytes(msgpack.packb({"jid": "1", "fun": "test.sleep", "pid": sleeper.pid}))
    (folder / "2").write_bytes(msgpack.packb({"jid": "2", "fun": "test.ping", "pid": 2**22 + 1}))
    (folder / "3").write_text("rubbish")

    assert [job["jid"] for job in saltutil.running()] == ["1"]
    assert saltutil.is_running("test.s*")[0]["pid"] == sleeper.pid
    assert saltutil.is_running("state.*") == []
    assert saltutil.find_job("1")["fun"] == "test.sleep"
    assert saltutil.find_job("9") == {}
    assert saltutil.kill_job("9") == ""
    assert saltutil.term_all_jobs() == [f"Signal 15 sent to job 1 at pid {sleeper.pid}"]
    assert sleeper.wait() == -signal.SIGTERM


def test_the_minion_itself_is_never_named_as_a_job_s_process(tree, call_context):
    sleeper = subprocess.Popen(["sleep", "60"])
    folder = tree / "cache/proc"
    folder.mkdir(parents=True)
    (folder / "1").write_bytes(msgpack.packb({"jid": "1", "fun": "test.sleep", "pid": sleeper.pid}))
    (tree / "minion.pid").write_text(f"{sleeper.pid}\n")

    assert saltutil.find_job("1")["pid"] is None
    with pytest.raises(CommandExecutionError, match=r"saltutil\.signal_job 1 15"):
        saltutil.term_job("1")
    assert sleeper.poll() is None
    sleeper.kill()
    sleeper.wait()


def test_caches_are_cleared(tree):
    old, new = tree / "cache/minion_jobs/1", tree / "cache/minion_jobs/2"
    for job in (old, new):
        job.mkdir(parents=True)
    os.utime(old, (0, time.time() - 48 * 3600))

    assert saltutil.clear_job_cache() is True
    assert not old.exists()
    assert new.exists()
    (tree / "cache/f").write_text("")
    assert saltutil.clear_cache() is True
    assert not (tree / "cache/f").exists()


def test_a_job_that_is_not_stored_is_explained(tree):
    assert "you may need to enable cache_jobs" in saltutil.find_cached_job("1")


def test_a_stored_job_without_a_readable_return_is_explained(tree):
    folder = tree / "cache/minion_jobs/1"
    folder.mkdir(parents=True)
    (folder / "return.p").write_bytes(msgpack.packb({"jid": "1"}))
    whole = saltutil.find_cached_job("1")
    (folder / "return.p").write_bytes(msgpack.packb({"jid": "1"})[:-1])
    damaged = saltutil.find_cached_job("1")
    saltutil.clear_cache()

    assert whole == {"jid": "1"}
    assert damaged.startswith(f"Local jobs cache file {folder}/return.p is damaged: ")
    assert saltutil.find_cached_job("1") == f"Local jobs cache directory {folder} holds no return"
