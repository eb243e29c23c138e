"""Managed resources: discovery, checks, retention; a bad one does not affect the others."""

from salt_g.resource_model.srn import Srn

LISTING = "def discover(opts):\n    return opts['pillar']['resources']['t']['ids']\n"


def test_ids_come_from_discover_or_from_pillar_and_numbers_become_text(managed):
    made = managed(
        {"t": {"ids": ["a", 42]}, "u": {"hosts": {"h": {}}, "resource_ids": ["i"]}},
        {"t/__init__.py": LISTING, "u/__init__.py": "def grains():\n    return {}\n"},
    )

    assert made.ids == {"t": ["a", "42"], "u": ["i", "h"]}
    assert made.registration()["resources"] == {"t": ["a", "42"], "u": ["i", "h"]}


def test_bad_ids_are_left_out_with_their_place_and_the_others_stay(managed, caplog):
    made = managed(
        {"dummy": {"resource_ids": ["ok", "we ird", "../up", "-x", "m1", None, "ok", "x" * 129]}, "Bad": {}}
    )

    assert made.ids == {"dummy": ["ok"]}
    assert made.trouble["resources:dummy:resource_ids[4]"] == "it is the id of this minion"
    assert "resources:dummy:resource_ids[1]" in made.trouble
    assert "No resource module found for type 'Bad'; skipping discovery." in caplog.text


def test_a_type_that_raises_keeps_its_last_resources(managed):
    made = managed({"t": {"ids": ["a"]}}, {"t/__init__.py": LISTING})

    made.pillar["resources"] = {"t": {}}
    made.refresh()

    assert made.ids == {"t": ["a"]}
    assert made.trouble == {"resources:t": "discover: KeyError: 'ids'"}


def test_init_is_called_once_and_again_after_the_types_part_of_pillar_has_changed(managed):
    source = (
        "def init(opts):\n    __context__['n'] = __context__.get('n', 0) + 1\n"
        "def shutdown(opts):\n    __context__['ended'] = True\n"
        "def grains():\n    return {'n': __context__['n'], 'ended': __context__.get('ended', False)}\n"
    )
    made = managed({"t": {"resource_ids": ["a"], "x": 1}}, {"t/__init__.py": source})

    first = dict(made.of(Srn("t", "a")).grains)
    made.pillar["other"] = 1
    made.refresh()
    second = dict(made.of(Srn("t", "a")).grains)
    made.pillar["resources"] = {"t": {"resource_ids": ["a"], "x": 2}}
    made.refresh()
    third = dict(made.of(Srn("t", "a")).grains)

    assert first == second == {"n": 1, "ended": False}
    assert third == {"n": 2, "ended": True}


def test_init_that_raises_is_noted_and_tried_again(managed):
    source = "def init(opts):\n    raise OSError('no bus')\n"
    made = managed({"t": {"resource_ids": ["a"]}}, {"t/__init__.py": source})

    assert made.ids == {"t": ["a"]}
    assert made.trouble == {"t:*": "init: OSError: no bus"}


def test_grains_of_rooms_lie_below_those_of_the_connection(managed):
    made = managed(
        {"t": {"resource_ids": ["a"]}},
        {
            "t/__init__.py": "def grains():\n    return {'who': __resource__['id'], 'both': 1}\n",
            "t/grains/more.py": "def more():\n    return {'more': True, 'both': 2}\n",
        },
    )

    assert made.registration()["resource_grains"] == {"t:a": {"who": "a", "both": 1, "more": True}}


def test_a_type_that_cannot_be_used_here_says_why(managed):
    made = managed(
        {"t": {"resource_ids": ["a"]}},
        {"t/__init__.py": "def __virtual__():\n    return (False, 'no ssh')\n"},
    )

    assert made.ids == {}
    assert made.trouble == {"resources:t": "no ssh"}
