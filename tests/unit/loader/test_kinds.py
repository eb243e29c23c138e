"""Kinds of plugins: each has its room, its setting and its folders."""

import importlib

from salt_g.loader.kinds import KINDS


def test_the_room_of_a_kind_is_a_package():
    rooms = {kind.name: kind.room for kind in KINDS.values() if kind.room}

    assert rooms["modules"] == "salt_g.modules"
    assert all(importlib.import_module(room).__path__ for room in rooms.values())


def test_each_kind_has_a_setting_for_further_directories():
    options = {kind.name: kind.dirs_option for kind in KINDS.values()}

    assert (options["modules"], options["runners"], options["tops"]) == (
        "module_dirs",
        "runner_dirs",
        "top_dirs",
    )
    assert len(set(options.values())) == len(options)


def test_plugins_are_synced_from_a_folder_of_the_file_server():
    assert (KINDS["modules"].source, KINDS["modules"].folder) == ("_modules", "modules")
    assert (KINDS["outputters"].source, KINDS["outputters"].folder) == ("_output", "output")
    assert len({kind.source for kind in KINDS.values()}) == len(KINDS)
