"""Gathering of grains: precedence of sources."""

import logging
import os

import pytest

from salt_g import api
from salt_g.loader.grains import gather, static_grains


def opts(tmp_path, **settings):
    return {"id": "unit", "conf_file": str(tmp_path / "minion"), "cachedir": str(tmp_path), **settings}


def test_settings_win_over_the_file_over_users_modules_over_ours(tmp_path):
    (tmp_path / "grains").write_text("b: file\nc: file\nd: file\n")
    table = {
        "core.ours": lambda: {"a": "ours", "b": "ours", "c": "ours", "d": "ours"},
        "aaa.users": lambda: {"b": "users", "c": "users", "d": "users"},
    }

    found = gather(opts(tmp_path, grains={"d": "settings"}), table)

    assert found == {"a": "ours", "b": "file", "c": "file", "d": "settings"}


def test_users_modules_win_over_ours(tmp_path):
    table = {"core.ours": lambda: {"a": "ours"}, "aaa.users": lambda: {"a": "users"}}

    assert gather(opts(tmp_path), table) == {"a": "users"}


def test_a_function_that_asks_for_grains_gets_those_found_before(tmp_path):
    table = {
        "core.a_late": lambda grains: {"doubled": grains["early"] * 2},
        "core.z_early": lambda: {"early": 21},
    }

    assert gather(opts(tmp_path), table)["doubled"] == 42


@pytest.mark.parametrize("error", [ValueError("no such bus"), SystemExit(1)])
def test_a_module_that_raises_is_named_and_the_others_count(tmp_path, caplog, error):
    def broken():
        raise error

    with caplog.at_level(logging.CRITICAL):
        found = gather(opts(tmp_path), {"bad.broken": broken, "good.fine": lambda: {"a": 1}})

    assert found == {"a": 1}
    assert "bad.broken" in caplog.text


def test_grains_other_than_a_mapping_are_left_out(tmp_path):
    assert gather(opts(tmp_path), {"bad.listed": lambda: ["a"], "bad.none": lambda: None}) == {}


def test_mappings_are_merged_when_the_setting_says_so(tmp_path):
    (tmp_path / "grains").write_text("site: {row: 4}\n")
    table = {"users.site": lambda: {"site": {"room": "b", "row": 1}}}

    assert gather(opts(tmp_path, grains_deep_merge=True), table) == {"site": {"room": "b", "row": 4}}
    own = opts(tmp_path, grains_deep_merge=True, grains={"site": {"rack": 2}})
    assert gather(own, table) == {"site": {"rack": 2}}


def test_the_blacklist_takes_globs_and_regular_expressions(tmp_path):
    table = {"users.many": lambda: {"cpu_flags": 1, "cpu_model": 2, "os": 3, "host": 4}}

    found = gather(opts(tmp_path, grains_blacklist=["cpu*", "o.", "["]), table)

    assert found == {"host": 4}


def test_plugins_see_settings_and_the_grains_found_so_far(tmp_path):
    table = {
        "core.first": lambda: {"first": 1},
        "users.second": lambda: {"seen": dict(api.grains), "id": api.opts["id"]},
    }

    assert gather(opts(tmp_path), table) == {"first": 1, "seen": {"first": 1}, "id": "unit"}


def test_cached_grains_are_used_while_they_are_young(tmp_path):
    settings = opts(tmp_path, grains_cache=True, grains_cache_expiration=300)
    gather(settings, {"users.a": lambda: {"a": 1}})

    assert gather(settings, {"users.a": lambda: {"a": 2}}) == {"a": 1}
    assert gather(settings, {"users.a": lambda: {"a": 3}}, refresh=True) == {"a": 3}


def test_cached_grains_expire(tmp_path):
    settings = opts(tmp_path, grains_cache=True, grains_cache_expiration=300)
    gather(settings, {"users.a": lambda: {"a": 1}})
    os.utime(tmp_path / "grains.cache.p", (0, 0))

    assert gather(settings, {"users.a": lambda: {"a": 2}}) == {"a": 2}


def test_a_broken_cache_is_gathered_anew(tmp_path):
    (tmp_path / "grains.cache.p").write_bytes(b"\xc1")

    assert gather(opts(tmp_path, grains_cache=True), {"users.a": lambda: {"a": 1}}) == {"a": 1}


def test_a_broken_grains_file_is_reported_and_left_out(tmp_path, caplog):
    (tmp_path / "grains").write_text("a: [1\n")

    assert static_grains(opts(tmp_path)) == {}
    assert str(tmp_path / "grains") in caplog.text
