"""Changes by state runs on real minions, with cause and author; and drift caused by others."""

import json

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until


@pytest.fixture(params=["embedded", "postgres"])
def settings(request):
    """Return settings of a master with each kind of store."""
    if request.param == "postgres":
        return {"history": True, "store": request.getfixturevalue("postgres_url")}
    return {"history": True}


@pytest.fixture
def tree(tmp_path):
    """Return a state tree with a file, and the path of that file on the minion."""
    root, target = tmp_path / "states", tmp_path / "motd"
    root.mkdir()
    (root / "motd.txt").write_text("one\n")
    (root / "web.sls").write_text(
        f"motd:\n  file.managed:\n    - name: {target}\n    - source: salt://motd.txt\n"
        "follows:\n  test.succeed_with_changes:\n    - onchanges:\n      - file: motd\n"
    )
    return root, target


def command(master, *words):
    return outcome_of([PROGRAM, *words, "-c", str(master.config_dir)])


def history(master, name):
    result = command(master, "history", str(name), "--out=json")
    return [(one["cause"], one["test"]) for one in json.loads(result.out or "[]")][::-1]


def apply(salt, master, *words):
    return salt(master, "m1", "state.apply", "web", *words)


def apply_after_another_run(salt, master, *words):
    """Apply in a job of several functions, one of which makes another state run first."""
    functions = "test.ping,state.single,state.apply"
    return salt(master, "m1", functions, ",", "test.nop", "name=x", ",", "web", *words)


@pytest.mark.parametrize("apply", [apply, apply_after_another_run])
def test_intended_and_corrective_changes_are_distinguished(
    apply, settings, tree, start_master, start_minion, salt
):
    root, target = tree
    master = start_master(file_roots={"base": [str(root)]}, **settings)
    start_minion(master)

    def grows_to(number):
        return until(lambda: len(found := history(master, target)) == number and found, f"{number} changes")

    apply(salt, master)
    assert [cause for cause, _ in grows_to(1)] == ["unknown"]
    # A user edits the file; the run corrects it. A test before only finds it.
    apply(salt, master)
    target.write_text("edited\n")
    apply(salt, master, "test=True")
    apply(salt, master)
    assert grows_to(3)[1:] == [("corrective", True), ("corrective", False)]
    # The tree asks for something else, and no user has edited.
    (root / "motd.txt").write_text("two\n")
    apply(salt, master)
    assert grows_to(4)[3] == ("intended", False)

    drift = command(master, "drift", "--diff")
    assert drift.code == 1
    assert f"1 minion: {target} +1 -1 corrected" in drift.out and "-edited" in drift.out
    result = command(master, "history", str(target)).out.splitlines()
    assert "m1 file.managed +1 -1 corrective job" in result[1] and result[1].endswith(" root")
    # What only follows from another change is no drift.
    assert "follows" not in drift.out
    # A minion that is removed is not one that should be tested.
    untested = ("drift", "--since", "1s", "--out=json")
    until(lambda: json.loads(command(master, *untested).out)["not_tested"] == ["m1"], "m1 is not tested")
    assert command(master, "key", "-d", "m1", "-y").code == 0
    assert json.loads(command(master, *untested).out)["not_tested"] == []


def test_a_master_killed_at_any_moment_leaves_no_gap_and_no_double(
    settings, tree, start_master, start_minion, salt
):
    root, target = tree
    master = start_master(file_roots={"base": [str(root)]}, timeout=30, **settings)
    start_minion(master)
    jids = set()
    for number in range(4):
        (root / "motd.txt").write_text(f"number {number}\n")
        ret = apply(salt, master, "--show-jid")
        assert ret.code == 0
        if number % 2:
            master.kill()
            master.start()
            until(lambda: salt(master, "m1", "test.ping").code == 0, "m1 is connected again")
        jids.add(number)

    found = until(lambda: len(one := history(master, target)) == len(jids) and one, "all changes are there")
    assert len(found) == len(jids)


def test_without_a_history_commands_name_the_setting_and_minions_send_nothing(
    tree, start_master, start_minion, salt
):
    root, _ = tree
    master = start_master(file_roots={"base": [str(root)]})
    start_minion(master)
    apply(salt, master)

    result = command(master, "history", "motd")

    assert result.code == 2 and "set history: True and restart it" in result.err
