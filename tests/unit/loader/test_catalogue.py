"""The catalogue of built-in plugins, which includes those that cannot run on this machine."""

from salt_g.loader.catalogue import builtin_plugins


def test_plugins_are_sorted_with_their_functions():
    executors = builtin_plugins("executors")

    assert [entry.stem for entry in executors] == sorted(entry.stem for entry in executors)
    assert {entry.stem: list(entry.functions) for entry in executors}["process"] == ["execute"]


def test_plugins_of_other_systems_are_in_it_under_each_name_that_they_may_have():
    serving = {entry.stem: entry.names for entry in builtin_plugins("modules")}

    assert {stem for stem, names in serving.items() if "pkg" in names} >= {"aptpkg", "yumpkg"}


def test_a_kind_of_users_plugins_only_has_none():
    assert builtin_plugins("matchers") == []
