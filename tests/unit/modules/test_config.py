"""Values from settings, grains and pillar, in that order."""

import pytest

from salt_g.modules import config, event, sdb
from salt_g.sdb import env


@pytest.fixture(autouse=True)
def minion(call_context):
    call_context(
        opts={
            "o": 1,
            "nest": {"k": "v"},
            "both": "opts",
            "l": [1],
            "d": {"a": 1},
            "x.a": 1,
            "secret": "sdb://os/UNIT_SECRET",
            "os": {"driver": "env"},
            "mine": {"driver": "mine"},
            "file_client": "local",
        },
        grains={"role": "web", "both": "grains"},
        pillar={
            "p": "pv",
            "both": "pillar",
            "l": [2],
            "d": {"b": 2},
            "master": {"m": 3, "x.b": 2, "d": {"a": 9}},
        },
        functions={"sdb.get": sdb.get},
        tables={
            "sdb": {
                "env.get": env.get,
                "env.set": env.set_,
                "mine.get": lambda key, profile: f"mine {key}",
                "mine.set_": lambda *a, **k: True,
            }
        },
    )


def test_get_takes_the_first_that_has_the_path(monkeypatch):
    monkeypatch.setenv("UNIT_SECRET", "s3cret")

    assert config.get("nest:k") == "v"
    assert config.get("role") == "web"
    assert config.get("p") == "pv"
    assert config.get("m") == 3
    assert config.get("hosts.file") == "/etc/hosts"
    assert config.get("nope") == ""
    assert config.get("nope", default="d") == "d"
    assert config.get("both") == "opts"
    assert config.get("both", omit_opts=True) == "grains"
    assert config.get("both", omit_opts=True, omit_grains=True) == "pillar"
    assert config.get("secret") == "s3cret"


def test_get_can_merge_all():
    assert config.get("d", merge="recurse") == {"a": 1, "b": 2}
    assert config.get("d", merge="overwrite") == {"a": 1}


def test_option_takes_keys_not_paths():
    assert config.option("o") == 1
    assert config.option("nest:k") == ""
    assert config.option("nope", default=7) == 7
    assert config.option("both", omit_all=True) == ""
    assert config.option("bo*", wildcard=True) == {"both": "opts"}
    assert config.option("zz*", wildcard=True) == {}


def test_merge_adds_up():
    assert config.merge("l") == [1, 2]
    assert config.merge("d") == {"a": 1, "b": 2}
    assert config.merge("both") == "opts"
    assert config.merge("nope", default="d") == "d"


def test_modes_protocols_and_names_are_read():
    assert config.dot_vals("x") == {"x.a": 1, "x.b": 2}
    assert config.backup_mode("minion") == "minion"
    assert config.manage_mode(644) == config.manage_mode("0644") == config.manage_mode("0o644") == "0644"
    assert config.manage_mode(None) is None
    assert config.valid_fileproto("salt://x")
    assert not config.valid_fileproto("gopher://x")
    assert not config.valid_fileproto("/x")
    assert config.items()["o"] == 1


def test_secrets_come_by_uri(monkeypatch):
    monkeypatch.setenv("UNIT_SECRET", "s")

    assert sdb.get("sdb://os/UNIT_SECRET") == "s"
    assert sdb.get("sdb://mine/k") == "mine k"
    assert sdb.get("plain") == "plain"
    assert sdb.get("sdb://nope/k") == "sdb://nope/k"
    assert sdb.set_("sdb://mine/k", 1) is True
    assert sdb.set_("plain", 1) is False
    with pytest.raises(TypeError, match="wasnt found"):
        sdb.get("sdb://nope/k", strict=True)
    with pytest.raises(TypeError, match="must start with"):
        sdb.get("plain", strict=True)


def test_a_hash_is_made_once(monkeypatch):
    monkeypatch.setenv("UNIT_HASH", "")

    made = sdb.get_or_set_hash("sdb://os/UNIT_HASH", 12)

    assert len(made) == 12
    assert sdb.get_or_set_hash("sdb://os/UNIT_HASH") == made


def test_events_go_nowhere_without_a_minion():
    assert event.send("a/b", {"k": 1}, with_grains=True, with_env=["HOME"], with_env_opts=True) is False
    assert event.fire({}, "t") is False
    assert event.fire_master({}, "t") is False
