"""Plans of states that depend on each other, or do not report their changes."""

import json
import os

SILENT = """\
import os

def touched(name):
    if os.path.exists(name):
        return {"name": name, "result": True, "changes": {}, "comment": ""}
    if __opts__["test"]:
        return {"name": name, "result": None, "changes": {}, "comment": "It will be touched"}
    open(name, "w").close()
    return {"name": name, "result": True, "changes": {"new": name}, "comment": ""}
"""


def test_dependants_of_a_state_with_unknown_changes_are_planned(salt_g, tree, plan, apply):
    """Like `user.present` and `service.running` of stock, which report no changes in test mode."""
    salt_g.write({"_states/silent.py": SILENT})
    salt_g("saltutil.sync_states")
    path = str(tree / "x")
    then = {"cmd.run": [{"name": f"echo >> {tree}/ran"}, {"onchanges": [{"silent": path}]}]}
    file = plan({path: {"silent.touched": []}, "then": then})

    chunks = json.loads(file.read_text())["document"]["chunks"]
    assert [chunk["shown"] for chunk in chunks][:1] == ["It will be touched"]
    assert chunks[1]["opaque"] == f"runs echo >> {tree}/ran"
    assert apply(file, "accept_opaque=True").code == 0
    assert sorted(os.listdir(tree)) == ["ran", "x"]


def test_dependants_of_a_state_with_onfail_are_planned(tree, plan, apply, conf):
    """In test mode the state with `onfail` runs, and fails, because the other has not succeeded yet."""
    states = conf[1]
    (tree / "binary").write_bytes(b"\0\xff\n")
    states["repair"] = {
        "file.append": [{"name": str(tree / "binary")}, {"text": "x"}, {"onfail": [{"file": "conf"}]}]
    }
    states["next"] = {"file.touch": [{"name": str(tree / "next")}, {"require": [{"file": "repair"}]}]}

    applied = apply(plan(states))

    assert applied.code == 0, applied
    assert (tree / "next").exists()


def test_two_states_of_the_same_path_are_planned_so_and_applied(tree, plan, apply, conf):
    """In test mode the second state sees the file that the first would replace, as do those it triggers."""
    path, states = conf
    new = tree / "new"
    states["more"] = {"file.append": [{"name": str(path)}, {"text": "c"}]}
    states["again"] = {"file.append": [{"name": str(path)}, {"text": "b"}]}
    states["mark"] = {"file.touch": [{"name": str(tree / "mark")}, {"onchanges": [{"file": "again"}]}]}
    states["directory"] = {"file.directory": [{"name": str(new)}]}
    states["within"] = {"file.managed": [{"name": str(new / "f")}, {"contents": "x"}]}
    file = plan(states)

    shown = {c["id"]: c["shown"] for c in json.loads(file.read_text())["document"]["chunks"]}
    assert shown["more"] == "+1 -0, may differ after conf"
    assert shown["again"] == f"Known only after more has run; now: File {path} is in correct state"
    assert shown["mark"] == shown["within"] == "new file"
    applied = apply(file)

    assert applied.code == 0, applied
    assert path.read_text() == "a\nB\nc\nb\n"
    assert sorted(os.listdir(tree)) == ["mark", "new", "x.conf"]


def test_dependants_of_a_failed_state_are_held_to_their_plan(salt_g, tree, plan, apply, conf):
    salt_g.write({"_states/fail.py": FAIL})
    salt_g("saltutil.sync_states")
    path, states = conf
    states = {"fail": {"fail.later": [{"name": str(path)}]}, **states}
    file = plan(states)
    assert "may differ after fail" in file.read_text()

    ended = apply(file)

    assert ended.code == 1
    assert "planned +1 -1, may differ after fail, now " in ended.states["conf"][1]
    assert path.read_text() == "half"


def test_files_of_a_directory_that_is_known_after_others_belong_to_the_plan(salt_g, tree, plan, apply):
    salt_g.write({"many/one": "1\n"})
    states = {
        "gone": {"file.absent": [{"name": str(tree / "d")}]},
        "copy": {"file.recurse": [{"name": str(tree / "d")}, {"source": "salt://many"}]},
    }
    (tree / "d").write_text("a file")
    file = plan(states)
    (salt_g.states / "many" / "one").write_text("2\n")
    assert "salt://many/one has changed" in apply(file).value
    (salt_g.states / "many" / "one").write_text("1\n")

    assert apply(file).code == 0
    assert (tree / "d" / "one").read_text() == "1\n"


FAIL = """\
def later(name):
    if not __opts__["test"]:
        with open(name, "w") as file:
            file.write("half")
    result = None if __opts__["test"] else False
    return {"name": name, "result": result, "changes": {"new": name}, "comment": ""}
"""


def test_a_service_that_would_be_treated_otherwise_by_now_is_refused(salt_g, plan, apply):
    """The state reports no changes in test mode, so its comments are compared."""
    salt_g.write({"_states/wordy.py": WORDY})
    salt_g("saltutil.sync_states")
    word = salt_g.root / "word"
    word.write_text("stopped")
    file = plan({"x": {"wordy.done": [{"name": "x"}, {"path": str(word)}]}})
    word.write_text("disabled")

    refused = apply(file).value

    assert (
        refused
        == "m1: not applied, 1 of 1 differ: wordy.done x planned would be stopped, now would be disabled"
    )


WORDY = """\
def done(name, path):
    with open(path) as file:
        return {"name": name, "result": None, "changes": {}, "comment": "would be " + file.read()}
"""
