"""`salt-g call --resources`: a function on this minion and on its resources."""

import json

import pytest

SLS = "samba:\n  service.running: []\n"


@pytest.fixture
def call(salt_g):
    """Return the command on a machine with two dummies; values may be changed in `salt_g.pillar`."""
    salt_g.write(
        {
            "top.sls": "base:\n  '*':\n    - dummies\n",
            "dummies.sls": json.dumps({"resources": {"dummy": {"resource_ids": ["d-01", "d-02"]}}}),
        },
        below=salt_g.pillar,
    )
    salt_g.write({"web.sls": SLS})
    return salt_g


def test_all_minions_are_selected_by_default(call):
    assert call("-r", "test.ping").value == {"m1": True, "d-01": True, "d-02": True}
    assert call("test.ping").value is True


@pytest.mark.parametrize(
    ("target", "value", "code"),
    [
        (["--tgt", "d-01"], True, 0),
        (["--tgt", "d-*"], {"d-01": True, "d-02": True}, 0),
        (["--tgt", "T@dummy", "--tgt-type", "compound"], {"d-01": True, "d-02": True}, 0),
        (["--tgt", "T@dummy"], {"d-01": True, "d-02": True}, 0),
        (["--tgt", "not T@dummy:d-01 and not m1"], True, 0),
        (["--tgt", "T@dummy", "--tgt-type", "glob"], {}, 0),
        (["--tgt", "d-02,m1", "--tgt-type", "list"], {"m1": True, "d-02": True}, 0),
        (["--tgt", "resource_id:d-02", "--tgt-type", "grain"], True, 0),
        (["--tgt", "nope"], {}, 0),
    ],
)
def test_targets_choose(call, target, value, code):
    outcome = call("-r", *target, "test.ping")

    assert (outcome.value, outcome.code) == (value, code)


def test_an_impossible_call_is_a_failure(call):
    refused = call("-r", "--tgt", "d-01", "cmd.run", "id")
    unknown = call("-r", "test.nosuch")
    wrong = call("-r", "--tgt", "d-01", "service.status")

    assert (refused.code, unknown.code, wrong.code) == (1, 1, 1)
    assert refused.value.startswith("Function 'cmd.run' is not supported for resource type 'dummy'.")
    text = "Function 'test.nosuch' is not available on the managing minion or any per-resource loader."
    assert text in unknown.err
    assert wrong.value.startswith("ERROR running service.status for 'd-01': ")


def test_state_runs_are_one_block_with_the_minions_own_and_by_id_without(call):
    folded = call("-r", "state.single", "test.nop", "x")
    by_id = call("-r", "--tgt", "d-*", "state.apply", "web")
    alone = call("-r", "--tgt", "d-01", "state.apply", "web", "test=True")
    shown = call("-r", "--tgt", "d-*", "state.apply", "web", as_json=False)

    assert list(folded.value) == [
        "test_|-x_|-x_|-nop",
        "test_|-d-01 x_|-d-01 x_|-nop",
        "test_|-d-02 x_|-d-02 x_|-nop",
    ]
    assert [one["__run_num__"] for one in folded.value.values()] == [0, 1, 2]
    assert list(by_id.value) == ["d-01", "d-02"]
    assert list(alone.value) == ["service_|-samba_|-samba_|-running"]
    assert "ID: d-02 samba" in shown.out


def test_one_failed_state_fails_the_call(call):
    failing = "{% if grains.id == 'd-02' %}x:\n  test.fail_without_changes: []\n{% endif %}\n"
    call.write({"mine.sls": failing + "y:\n  test.nop: []\n"})

    failed = call("-r", "state.apply", "mine")

    assert failed.code == 1
    assert [one["result"] for one in failed.value.values()] == [True, True, False, True]


def test_a_call_without_resources_loads_nothing_of_them(call):
    out = call("test.ping", env={"PYTHONVERBOSE": "1"})

    assert "salt_g.minion" in out.err
    assert "salt_g.minion.resources" not in out.err
    assert "salt_g.resources" not in out.err


def test_pillar_and_top_file_name_single_resources_without_a_master(call):
    call.write(
        {
            "top.sls": "base:\n  '*':\n    - dummies\n  'd-02':\n    - second\n",
            "second.sls": "me: {{ grains.id }}\n",
        },
        below=call.pillar,
    )
    call.write(
        {
            "top.sls": "base:\n  'T@dummy':\n    - both\n  'I@me:d-02':\n    - one\n",
            "both.sls": "samba:\n  service.running: []\nhere:\n  test.nop: []\n",
            "one.sls": "{{ pillar.me }}:\n  test.nop: []\n",
        }
    )

    shown = call("-r", "--tgt", "d-*", "pillar.get", "me", "unmask=True")
    applied = call("-r", "--tgt", "T@dummy", "--tgt-type", "compound", "state.highstate")
    wanted = call("-r", "--tgt", "( I@me:d-02 and T@dummy ) or m1", "--tgt-type", "compound", "test.ping")

    assert shown.value == {"d-01": "", "d-02": "d-02"}
    assert applied.code == 0
    ids = {id: [tag.split("_|-")[1] for tag in run] for id, run in applied.value.items()}
    assert ids == {"d-01": ["samba", "here"], "d-02": ["samba", "here", "d-02"]}
    assert wanted.value == {"m1": True, "d-02": True}


TYPE = """\
def discover(opts):
    return [f"x-{number:02}" for number in range(6)]
"""
MEET = """\
import os, time

def others(folder, wanted):
    \"\"\"Return how many are at work at once: wait until there are so many, or nearly all have gone.\"\"\"
    mine = os.path.join(folder, __opts__["id"])
    open(mine, "w").close()
    try:
        deadline = time.monotonic() + 5
        while len(os.listdir(folder)) < wanted and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)  # one more than allowed would come now
        return len(os.listdir(folder))
    finally:
        os.unlink(mine)
"""


def test_resources_are_worked_on_side_by_side_as_many_as_the_setting_says(salt_g, tmp_path):
    salt_g.write(
        {"top.sls": "base:\n  '*': [some]\n", "some.sls": "resources: {meeting: {}}\n"}, below=salt_g.pillar
    )
    types = tmp_path / "types"
    salt_g.write({"__init__.py": TYPE, "modules/meet.py": MEET}, below=types / "resources" / "meeting")
    met = tmp_path / "met"
    met.mkdir()

    outcome = salt_g(
        *("-r", "--tgt", "T@meeting", "meet.others", str(met), "3"),
        module_dirs=[str(types)],
        resource_fan_out=3,
    )

    assert list(outcome.value) == [f"x-{number:02}" for number in range(6)]
    assert max(outcome.value.values()) == 3
