"""The mine of a master: owners and readers."""

import gevent
import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.master.serving.mine import MAX_SIZE, Mine, MineQuery
from salt_g.master.settings import MineSettings
from salt_g.match.minion_view import MinionView


class Keys:
    def accepted(self):
        return frozenset(("m1", "m2"))


class Known:
    """Fake minion data: a pillar of m1, nothing of m2."""

    def minion(self, id, *, greedy=True):
        return MinionView(id, {"os": "Debian"}, {"role": "web"}) if id == "m1" else None


class FromMinion:
    def __init__(self, id):
        self.id = id


@pytest.fixture
def mine(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        banks = Banks(store)

        def make(**opts):
            return Mine(
                MineSettings.of({"minion_data_cache": True, **opts}),
                banks=banks,
                keys=Keys(),
                expected=Known(),
            )

        yield make


def ask(duty, id, cmd, **load):
    return duty.commands()[cmd].run(FromMinion(id), load)


def test_new_values_are_merged_or_replace_all(mine):
    duty = mine()
    ask(duty, "m1", "_mine", data={"a": 1, "b": 1})
    ask(duty, "m1", "_mine", data={"a": 2})

    merged = ask(duty, "m1", "_mine_get", tgt="*", fun=["a", "b"])
    ask(duty, "m1", "_mine", data={"c": 3}, clear=True)
    cleared = ask(duty, "m1", "_mine_get", tgt="*", fun="a,b,c")

    assert merged == {"a": {"m1": 2}, "b": {"m1": 1}}
    assert cleared == {"c": {"m1": 3}}


def test_one_function_is_answered_by_minion(mine):
    duty = mine()
    ask(duty, "m1", "_mine", data={"a": 1})
    ask(duty, "m2", "_mine", data={"a": 2})

    assert ask(duty, "m2", "_mine_get", tgt="*", fun="a") == {"m1": 1, "m2": 2}
    assert ask(duty, "m2", "_mine_get", tgt="*", fun=["a"]) == {"a": {"m1": 1, "m2": 2}}
    assert ask(duty, "m2", "_mine_get", tgt="m1", fun="a", tgt_type="list") == {"m1": 1}
    assert ask(duty, "m2", "_mine_get", tgt="os:Debian", fun="a", expr_form="grain") == {"m1": 1}
    assert ask(duty, "m2", "_mine_get", tgt="x", fun="a", tgt_type="nonsense") == {}


def test_a_minion_without_an_accepted_key_is_not_read(mine):
    duty = mine()
    ask(duty, "gone", "_mine", data={"a": 1})

    assert ask(duty, "m1", "_mine_get", tgt="*", fun="a") == {}


def test_many_changes_of_one_minion_lose_nothing(mine):
    duty = mine()

    jobs = [gevent.spawn(ask, duty, "m1", "_mine", data={f"f{n}": n}) for n in range(20)]
    gevent.joinall(jobs, timeout=60)

    names = [f"f{n}" for n in range(20)]
    assert len(ask(duty, "m1", "_mine_get", tgt="*", fun=names)) == 20


def test_nothing_is_kept_when_that_is_switched_off(mine):
    duty = mine(minion_data_cache=False)

    assert ask(duty, "m1", "_mine", data={"a": 1}) is True
    assert ask(duty, "m1", "_mine_flush") is True
    assert ask(duty, "m1", "_mine_get", tgt="*", fun="a") == {}


def test_values_are_deleted_one_by_one_or_all(mine):
    duty = mine()
    ask(duty, "m1", "_mine", data={"a": 1, "b": 2})

    ask(duty, "m1", "_mine_delete", fun="a")
    left = ask(duty, "m1", "_mine_get", tgt="*", fun="a,b")
    ask(duty, "m1", "_mine_flush")

    assert left == {"b": {"m1": 2}}
    assert ask(duty, "m1", "_mine_get", tgt="*", fun="b") == {}


@pytest.mark.parametrize(
    ("limits", "may"),
    [
        ({}, True),
        ({"allow_tgt": "m2"}, True),
        ({"allow_tgt": "m[13]"}, False),
        ({"allow_tgt": "os:Debian", "allow_tgt_type": "grain"}, False),
        ({"allow_tgt": "m1 or L@m2", "allow_tgt_type": "compound"}, True),
        ({"allow_tgt": "m2", "allow_tgt_type": "nonsense"}, False),
        ({"allow_tgt": ["m2", "m3"], "allow_tgt_type": "list"}, True),
        ({"allow_tgt": "m[2-9]", "allow_tgt_type": "pcre"}, True),
        ({"allow_tgt": "ids", "allow_tgt_type": "nodegroup"}, True),
        ({"allow_tgt": "grains", "allow_tgt_type": "nodegroup"}, False),
        ({"allow_tgt": "N@ids and not N@grains", "allow_tgt_type": "compound"}, False),
        ({"allow_tgt": "m2 and not G@os:Windows", "allow_tgt_type": "compound"}, False),
        ({"allow_tgt": "not I@role:db", "allow_tgt_type": "compound"}, False),
    ],
)
def test_limits_select_the_readers(mine, limits, may):
    duty = mine(nodegroups={"ids": "L@m2,m3", "grains": "G@os:Debian or m2"})
    ask(duty, "m1", "_mine", data={"a": {"__data__": 1, "__saltmine_acl__": 1, **limits}})

    assert ask(duty, "m2", "_mine_get", tgt="*", fun="a") == ({"m1": 1} if may else {})


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [
        ("os:Debian", "grain"),
        ("os:Deb.*", "grain_pcre"),
        ("192.0.2.0/24", "ipcidr"),
        ("G@os:Debian", "compound"),
        ("P@os:Deb.*", "compound"),
        ("Gx@osxDebian", "compound"),
        ("m1 or ( G@os:Debian )", "compound"),
        ("not G@os:Windows", "compound"),
        ("deb", "nodegroup"),
        ("N@deb", "compound"),
    ],
)
def test_a_target_by_minion_data_permits_no_reader(mine, caplog, tgt, tgt_type):
    duty = mine(nodegroups={"deb": "G@os:Debian"})
    limits = {"allow_tgt": tgt, "allow_tgt_type": tgt_type}

    ask(duty, "m2", "_mine", data={"a": {"__data__": 1, "__saltmine_acl__": 1, **limits}})

    assert ask(duty, "m1", "_mine_get", tgt="*", fun="a") == {}
    assert "m2: no minion may read its mine entry 'a': allow_tgt depends on grains" in caplog.text


def test_pillar_of_the_master_lets_read(mine):
    duty = mine()
    limits = {"allow_tgt": "role:web", "allow_tgt_type": "pillar"}

    ask(duty, "m2", "_mine", data={"a": {"__data__": 1, "__saltmine_acl__": 1, **limits}})

    assert ask(duty, "m1", "_mine_get", tgt="*", fun="a") == {"m2": 1}


def test_old_loads_are_understood():
    question = MineQuery.from_load({"tgt": "x", "fun": "a,a", "expr_form": "PILLAR"})

    assert question == ("x", "pillar", ("a",), False)


def test_a_mine_grows_to_its_bound_and_what_is_there_stays(mine, caplog):
    duty = mine()
    for name in "abc":
        ask(duty, "m1", "_mine", data={name: "x" * (MAX_SIZE // 3)})

    found = ask(duty, "m1", "_mine_get", tgt="*", fun="a,b,c")

    assert sorted(found) == ["a", "b"]
    assert "m1: its mine would have" in caplog.text
    assert ask(duty, "m1", "_mine", data={"c": "y"}) is True
