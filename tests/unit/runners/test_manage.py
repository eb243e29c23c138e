import pytest

import salt_g
from salt_g.master.publishing.target_resolution import ResolvedTarget
from salt_g.runners import manage


class FakePresence:
    def connected(self):
        return {"m2", "m1"}

    def addresses(self):
        return {"m1": "192.0.2.1"}


class FakeKeys:
    def __init__(self):
        self.deleted = []

    def accepted(self):
        return frozenset(("m1", "m2", "m3"))

    def delete(self, match):
        self.deleted.append(match)


class PingClient:
    """Client with two expected minions, one of which answers."""

    def run_job(self, tgt, fun, *, tgt_type, timeout, listen):
        assert (tgt, tgt_type) == (["m1", "m2"], "list")
        return {"jid": "1", "minions": tgt}

    def get_iter_returns(self, jid, minions, timeout, gather_job_timeout):
        yield {"m1": {"ret": True}}
        yield {"m2": {"out": "no_return", "ret": "Minion did not return"}}


class FakeTargets:
    """Fake resolver: `nobody` selects no minion, every other target selects m1 and m2."""

    def resolve(self, tgt, tgt_type="glob"):
        return ResolvedTarget([] if tgt == "nobody" else ["m1", "m2"])


@pytest.fixture
def fleet(call_context):
    keys = FakeKeys()
    call_context(
        opts={"timeout": 5, "gather_job_timeout": 10},
        presence=FakePresence(),
        keys=keys,
        client=PingClient(),
        targets=FakeTargets(),
    )
    return keys


def test_status_reports_answering_and_silent_minions(fleet):
    assert manage.status() == {"up": ["m1"], "down": ["m2"]}
    assert manage.up() == ["m1"]
    assert manage.down() == ["m2"]


def test_status_without_minions_is_empty(fleet):
    assert manage.status(tgt="nobody") == {"up": [], "down": []}


def test_down_deletes_the_keys_of_the_silent_when_asked(fleet):
    manage.down(removekeys=True)

    assert fleet.deleted == [{"minions": ["m2"]}]


@pytest.mark.parametrize("name", ["list_state", "present", "joined", "allowed", "alived", "reaped"])
def test_connected_minions_under_each_name_of_the_function(fleet, name):
    function = getattr(manage, name)

    assert function() == ["m1", "m2"]
    assert function(subset=["m2", "m3"]) == ["m2"]
    assert function(show_ip=True) == {"m1": "192.0.2.1", "m2": ""}
    assert f"manage.{name}" in function.__doc__


@pytest.mark.parametrize(
    "name", ["list_not_state", "not_present", "not_joined", "not_allowed", "not_alived", "not_reaped"]
)
def test_unconnected_minions_under_each_name_of_the_function(fleet, name):
    assert getattr(manage, name)() == ["m3"]
    assert getattr(manage, name)(subset=["m1"]) == []


def test_versions_are_compared_with_the_release_that_this_master_is_like(call_context, fake_client):
    answers = {
        "ours": {"ret": salt_g.__version__, "retcode": 0},
        "same": {"ret": salt_g.SALT_LEVEL, "retcode": 0},
        "old": {"ret": "3006.28", "retcode": 0},
        "new": {"ret": "3999.1", "retcode": 0},
        "off": {"retcode": 1},
    }
    call_context(opts={"timeout": 5}, client=fake_client(test_version=answers), targets=FakeTargets())

    assert manage.versions() == {
        "Master": salt_g.__version__,
        "Minion newer than master": {"new": "3999.1"},
        "Minion offline": {"off": False},
        "Minion requires update": {"old": "3006.28"},
        "Up to date": {"ours": salt_g.__version__, "same": salt_g.SALT_LEVEL},
    }


def test_key_regen_leaves_no_key(call_context, fake_client, tmp_path):
    (tmp_path / "minions").mkdir()
    (tmp_path / "minions" / "m1").write_text("key")
    (tmp_path / "master.pem").write_text("key")
    client = fake_client(saltutil_regen_keys={})
    call_context(opts={"pki_dir": str(tmp_path)}, client=client)

    result = manage.key_regen()

    assert client.calls[0][:2] == ("*", "saltutil.regen_keys")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert result.startswith("The minion and master keys have been deleted.")
