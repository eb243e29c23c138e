"""Pillar for minions: ownership, caching, sharing."""

import gevent
import gevent.event
import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.errors import SealBroken, WireError
from salt_g.event.bus import Bus
from salt_g.master.serving.hub_pillars import HubPillars, PillarRequest
from salt_g.master.serving.minion_data import MinionData
from salt_g.master.serving.pillar_cache import PillarCache
from salt_g.master.serving.pillar_service import MAX_QUESTION, KnownMinions, PillarService
from salt_g.master.settings import PillarCacheSettings
from salt_g.wire.aes import Crypticle
from salt_g.wire.pillar_reply import open_pillar
from salt_g.wire.requests import SealedRequest

ALGORITHMS = ("OAEP-SHA1", "PKCS1v15-SHA1")


@pytest.fixture
def key(minion_key):
    return minion_key


@pytest.fixture
def banks(tmp_path):
    with EmbeddedStore(str(tmp_path / "store")) as store:
        yield Banks(store)


@pytest.fixture
def pillars(tmp_path, banks, key):
    """Return a function that makes the pillar service over a small tree, with these settings."""
    roots = tmp_path / "pillar"
    roots.mkdir()
    (roots / "top.sls").write_text("base:\n  '*': [who]\n")
    (roots / "who.sls").write_text("id: {{ grains.id }}\nos: {{ grains.get('os') }}\n")

    def make(*, reports_refresh=True, **more):
        opts = {
            "id": "master",
            "cachedir": str(tmp_path / "cache"),
            "extension_modules": str(tmp_path / "ext"),
            "pillar_roots": {"base": [str(roots)]},
            "file_roots": {},
            **more,
        }
        made = PillarService(
            HubPillars(opts),
            bus=Bus(),
            data=MinionData(banks),
            cache=PillarCache(PillarCacheSettings.of(opts), banks),
            master_key=key,
            minion_key=lambda id: key.public,
            reports_refresh=reports_refresh,
        )
        made.roots = roots
        return made

    return make


def answered(pillars, key, id, **load):
    """Return the pillar that a minion gets for a load."""
    request = SealedRequest(id, {}, "nonce", Crypticle.generate(), *ALGORITHMS, 3)
    sealed = pillars.commands()["_pillar"].run(request, {"grains": {}, **load})
    return open_pillar(sealed, key, key.public, "nonce", enc_algo=ALGORITHMS[0], sig_algo=ALGORITHMS[1])


def test_pillar_is_made_for_the_sender_with_the_grains_of_the_load(pillars, key):
    found = answered(pillars(), key, "m1", grains={"id": "m2", "os": "Debian"})

    assert found == {"id": "m1", "os": "Debian"}


def test_grains_and_pillar_of_the_minion_are_stored_and_announced(pillars, key):
    duty = pillars()
    with duty._bus.subscribe("minion/refresh", name="test") as events:
        answered(duty, key, "m1", grains={"os": "Debian"})
        event = events.get(5)

    assert duty._data.get("m1") == ({"id": "m1", "os": "Debian"}, {"id": "m1", "os": "Debian"})
    assert event.tag == "minion/refresh/m1"
    assert event.data["Minion data cache refresh"] == "m1"


def test_overridden_pillar_is_sent_and_not_kept(pillars, key):
    duty = pillars()
    answered(duty, key, "m1")

    found = answered(duty, key, "m1", pillar_override={"role": "db"})

    assert found["role"] == "db"
    assert "role" not in duty._data.get("m1")[1]


def test_problems_are_in_the_pillar(pillars, key):
    duty = pillars()
    (duty.roots / "who.sls").write_text("{{ broken\n")

    found = answered(duty, key, "m1")

    assert found == {"_errors": ["Rendering SLS 'who' failed. Please see master log for details."]}


@pytest.mark.parametrize("backend", ["disk", "memory"])
def test_a_cached_pillar_is_not_compiled_again_until_it_is_forgotten(pillars, key, backend, banks):
    duty = pillars(pillar_cache=True, pillar_cache_backend=backend)
    answered(duty, key, "m1", grains={"os": "one"})
    banks.store("other", "x", 1).result(30)

    kept = answered(duty, key, "m1", grains={"os": "two"})
    cleaned = answered(duty, key, "m1", grains={"os": "three"}, clean_cache=True)

    assert (kept["os"], cleaned["os"]) == ("one", "three")


def test_the_same_question_meanwhile_waits_for_the_first(pillars, monkeypatch):
    duty, compiled, all_requested = pillars(), [], gevent.event.Event()

    def slow(wanted, *, anew=False):
        compiled.append(wanted.id)
        if len(compiled) == 3:
            all_requested.set()
        all_requested.wait(30)
        return {"a": 1}

    monkeypatch.setattr(duty, "compile", slow)
    wanted = PillarRequest("m1", {"id": "m1"})
    others = [
        wanted,
        wanted,
        PillarRequest("m1", {"id": "m1"}, pillarenv="dev"),
        PillarRequest("m2", {"id": "m2"}),
    ]

    jobs = [gevent.spawn(duty._shared, one, anew=False) for one in others]
    gevent.joinall(jobs, timeout=30)

    assert [job.value for job in jobs] == [{"a": 1}] * 4
    assert sorted(compiled) == ["m1", "m1", "m2"]
    assert duty._under_way == {}


def test_the_top_file_is_shown_as_it_is_written(pillars):
    duty = pillars()
    (duty.roots / "top.sls").write_text("base:\n  'os:x':\n    - match: grain\n    - who\n  '*': [who]\n")

    top, errors = duty.top_for("m1", {}, "base")

    assert top == {"base": {"os:x": [{"match": "grain"}, "who"], "*": ["who"]}}
    assert errors == []


def test_nothing_is_kept_of_a_minion_that_was_cut_off_while_its_pillar_was_made(
    pillars, key, other_key, monkeypatch
):
    duty = pillars()
    compile_now = duty.compile

    def compile_after_change(wanted, **options):
        duty._minion_key = lambda id: other_key.public
        return compile_now(wanted, **options)

    monkeypatch.setattr(duty, "compile", compile_after_change)

    with pytest.raises(SealBroken):
        answered(duty, key, "m1", grains={"os": "Debian"})
    assert duty._data.get("m1") is None


def test_a_question_for_pillar_has_a_bound(pillars):
    duty = pillars()
    request = SealedRequest("m1", {}, "nonce", Crypticle.generate(), *ALGORITHMS, 3, MAX_QUESTION + 1)

    with pytest.raises(WireError, match="at most"):
        duty.commands()["_pillar"].run(request, {"grains": {"a": "x"}})
    assert duty._data.get("m1") is None


class Served:
    """Data of m1, and pillar for all."""

    def __init__(self):
        self.compiled = []

    def get(self, id):
        return ({"id": id, "os": "Debian"}, {"kept": 1}) if id == "m1" else None

    def compile_for(self, id, grains):
        self.compiled.append((id, grains))
        return {"new": 1}


def test_kept_data_is_not_compiled_again():
    served = Served()

    assert KnownMinions(served, served).data_of("m1") == ({"id": "m1", "os": "Debian"}, {"kept": 1})
    assert served.compiled == []


def test_pillar_of_others_is_compiled_with_their_id_alone():
    served = Served()

    assert KnownMinions(served, served).data_of("m2") == ({"id": "m2"}, {"new": 1})
    assert served.compiled == [("m2", {"id": "m2"})]
