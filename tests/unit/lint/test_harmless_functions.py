"""Execution functions that templates may call while a tree is only checked."""

import pytest

from salt_g import api
from salt_g.errors import NoSuchFunction
from salt_g.lint.harmless_functions import PILLAR, HarmlessFunctions
from salt_g.lint.unknown import TEXT
from salt_g.loader import Loader
from salt_g.local_call import local_context


@pytest.fixture
def reported():
    return []


@pytest.fixture
def offered(tmp_path, reported):
    return HarmlessFunctions(Loader({"cachedir": str(tmp_path)}).table("modules"), reported.append)


def test_functions_that_read_the_machine_are_not_called(offered, reported, tmp_path):
    assert offered["cmd.run"](f"touch {tmp_path}/x") == TEXT
    assert reported == ["cmd.run"]
    assert not (tmp_path / "x").exists()


def test_functions_that_only_compute_are_called(offered, reported, tmp_path):
    context = local_context({"cachedir": str(tmp_path), "id": "m"}).replace(
        grains={"os_family": "Debian"}, pillar={"a": {"b": 1}}, in_template=True
    )
    with api.use(context):
        assert offered["grains.filter_by"]({"Debian": {"x": 1}}) == {"x": 1}
        assert reported == []
        assert offered["pillar.get"]("a:b") == 1
        assert reported == [PILLAR]


def test_an_unknown_name_is_missing_with_the_nearest(offered):
    with pytest.raises(NoSuchFunction) as missing:
        offered["cmd.runn"]

    assert "cmd.run" in missing.value.nearest
    assert "cmd.runn" not in offered
    assert offered.get("cmd.runn") is None


def test_plugins_are_known_by_their_names(offered):
    assert offered.has_plugin("pkg")
    assert not offered.has_plugin("nosuch")
    assert "pkg.version" in set(offered)
    assert len(offered) > 1000
