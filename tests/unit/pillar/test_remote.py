import os

import pytest

from salt_g.errors import PillarError
from salt_g.formats.yaml_load import load
from salt_g.pillar.remote import RemotePillar, ext_pillar_settings


class Master:
    def __init__(self, pillar):
        self.pillar = pillar
        self.load = None

    def ask_pillar(self, load):
        self.load = load
        return self.pillar


def test_pillar_is_what_the_master_sends():
    master = Master({"a": 1, "_errors": ["no"]})
    opts = {"id": "m1", "saltenv": None, "pillarenv": None}

    pillar = RemotePillar(master, opts, {"os": "Debian"}).compile(override={"b": 2}, pillarenv="dev")

    assert pillar == {"a": 1, "_errors": ["no"]}
    assert master.load == {
        "cmd": "_pillar",
        "id": "m1",
        "grains": {"os": "Debian"},
        "saltenv": None,
        "pillarenv": "dev",
        "pillar_override": {"b": 2},
        "extra_minion_data": {},
        "secrets": True,
        "ver": "2",
    }


def test_something_else_than_pillar_is_an_error():
    with pytest.raises(PillarError, match="sent str"):
        RemotePillar(Master("bad load"), {"id": "m1"}, {}).compile()


def test_roots_cannot_be_chosen():
    with pytest.raises(PillarError, match="roots"):
        RemotePillar(Master({}), {"id": "m1"}, {}).compile(roots={"base": ["/etc"]})


def test_named_settings_are_passed_on_nested_as_they_are():
    opts = {"pass_to_ext_pillars": ["a:b", "c", "no:such"], "a": {"b": 1, "x": 2}, "c": [3]}

    assert ext_pillar_settings(opts) == {"a": {"b": 1}, "c": [3]}


def test_a_copy_for_calls_without_a_master_is_plain_and_private(tmp_path):
    opts = {"id": "m1", "cachedir": str(tmp_path), "minion_pillar_cache": True}
    pillar = {"password": "{{ 1 + 1 }}"}

    RemotePillar(Master(pillar), opts, {}).compile()

    copy = tmp_path / "pillar" / "cache.sls"
    assert load(copy.read_text()) == pillar
    assert load((tmp_path / "pillar" / "top.sls").read_text()) == {"base": {"m1": ["cache"]}}
    assert os.stat(copy).st_mode & 0o777 == 0o600


def test_no_copy_is_kept_of_overridden_pillar(tmp_path):
    opts = {"id": "m1", "cachedir": str(tmp_path), "minion_pillar_cache": True}

    RemotePillar(Master({}), opts, {}).compile(override={"a": 1})

    assert list(tmp_path.iterdir()) == []
