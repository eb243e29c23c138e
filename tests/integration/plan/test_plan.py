"""Real plans on one machine: made, applied exactly, refused if anything differs."""

import json
import os
import pathlib
import random
import shutil
import subprocess

import pytest
import yaml

from tests.support.file_trees import plant, random_states, snapshot

#: Rounds of the random test; more of them at night.
ROUNDS = int(os.environ.get("SALT_G_PLANS", "6"))
SAVE = ("test=True", "--save")


def test_a_plan_is_summed_up_shown_and_applied_exactly(salt_g, plan, apply, conf):
    path, states = conf
    salt_g.write({"t.sls": yaml.safe_dump({**states, "same": {"test.nop": []}})})
    file = salt_g.root / "t.plan"

    saved = salt_g("state.apply", "t", *SAVE, str(file), as_json=False)
    before = path.read_text()
    applied = apply(file)

    line = saved.out.splitlines()[-1]
    assert line.startswith(f"plan {file}: 1 minion, 1 would change (1 state), 0 nothing; until ")
    assert file.stat().st_mode & 0o777 == 0o600
    assert before == "a\nb\n"
    assert applied.code == 0
    assert applied.states["conf"][2]["diff"].endswith("-b\n+B\n")
    assert path.read_text() == "a\nB\n"


def test_a_file_that_was_edited_since_is_named_with_both_changes(plan, apply, conf):
    path, states = conf
    file = plan(states)
    path.write_text("a\nb\nc\n")

    refused = apply(file, "--retcode-passthrough")

    assert refused.code == 3
    assert refused.value.startswith(
        f"m1: not applied, 1 of 1 differ: {path} planned +1 -1, now +1 -2 (edited "
    )
    assert path.read_text() == "a\nb\nc\n"


def test_other_lines_of_the_same_number_are_another_change(plan, apply, conf):
    path, states = conf
    file = plan(states)
    path.write_text("a\nX\n")

    assert "planned +1 -1, now +1 -1 (other lines)" in apply(file).value


ALTERED = {
    "SLS": ("t.sls", "# a comment\n", "salt://t.sls has changed"),
    "included SLS": ("more.sls", "# a comment\n", "salt://more.sls has changed"),
    "import": ("m.jinja", "{# a comment #}", "salt://m.jinja has changed"),
    "source": ("src", "more\n", "salt://src has changed"),
    "archive": ("a.tar", "", "salt://a.tar has changed"),
}


@pytest.mark.parametrize("altered", ALTERED)
def test_a_changed_tree_is_refused_and_nothing_is_touched(salt_g, tree, plan, apply, altered):
    name, text, result = ALTERED[altered]
    (tree / "there").mkdir()
    (tree / "there" / "x").write_text("x")
    subprocess.run(["tar", "-cf", str(salt_g.states / "a.tar"), "-C", str(tree / "there"), "x"], check=True)
    salt_g.write({"src": "text\n", "m.jinja": "{% set name = 'in' %}", "more.sls": "n: {test.nop: []}\n"})
    file = plan(
        "{% from 'm.jinja' import name %}\ninclude: [more]\n"
        f"{tree}/{{{{ name }}}}:\n  file.managed:\n    - source: salt://src\n"
        f"{tree}/out:\n  archive.extracted:\n    - source: salt://a.tar\n    - enforce_toplevel: False\n"
    )
    before = snapshot(tree)
    if altered == "archive":
        subprocess.run(
            ["tar", "-rf", str(salt_g.states / "a.tar"), "-C", str(salt_g.states), "src"], check=True
        )
    else:
        with open(salt_g.states / name, "a") as opened:
            opened.write(text)

    refused = apply(file)

    assert refused.code == 1
    assert refused.value.startswith("m1: not applied, ")
    assert result in refused.value
    assert snapshot(tree) == before


def test_a_link_that_leads_to_another_file_of_the_same_content_is_refused(salt_g, tree, plan, apply):
    salt_g.write({"one/a": "same\n", "one/b": "same\n"})
    link = salt_g.states / "one" / "link"
    link.symlink_to("a")
    file = plan(f"{tree}/out:\n  file.recurse:\n    - source: salt://one\n    - keep_symlinks: True\n")
    link.unlink()
    link.symlink_to("b")

    assert "salt://one/link (link) has changed" in apply(file).value
    assert not (tree / "out").exists()


def test_changed_pillar_is_refused_by_its_key_and_never_by_its_value(salt_g, plan, apply, conf):
    path, states = conf
    (salt_g.pillar / "top.sls").write_text("base: {'*': [p]}")
    (salt_g.pillar / "p.sls").write_text("nginx: {port: 80}\npassword: Planted-secret-1\n")
    file = plan(states)
    (salt_g.pillar / "p.sls").write_text("nginx: {port: 81}\npassword: Planted-secret-1\n")

    refused = apply(file)

    assert refused.value == "m1: not applied, it is not as planned: pillar nginx has changed"
    assert "Planted" not in file.read_text()
    assert path.read_text() == "a\nb\n"


def test_chunks_that_compile_otherwise_are_named(salt_g, tree, plan, apply):
    (salt_g.pillar / "top.sls").write_text("base: {'*': [p]}")
    (salt_g.pillar / "p.sls").write_text("names: [a, b]\n")
    text = "{% for n in pillar.names %}\n" + f"{tree}/{{{{ n }}}}:\n  file.touch\n" + "{% endfor %}\n"
    file = plan(text)
    (salt_g.pillar / "p.sls").write_text("names: [b, c]\n")

    refused = apply(file).value

    assert f"{tree}/c is not in the plan" in refused
    assert f"{tree}/a is in the plan but no longer in the states" in refused
    assert list(tree.iterdir()) == []


def test_commands_need_to_be_accepted_and_are_named(tree, plan, apply):
    file = plan({"say": {"cmd.run": [{"name": f"echo hi > {tree}/said"}]}})

    refused = apply(file)
    assert refused.code == 1
    assert f"1 of 1 cannot report what they change (runs echo hi > {tree}/said)" in refused.value
    assert "accept_opaque=True" in refused.value
    assert list(tree.iterdir()) == []

    assert apply(file, "accept_opaque=True").code == 0
    assert (tree / "said").read_text() == "hi\n"


def test_a_plan_that_was_edited_or_is_of_another_machine_is_refused(salt_g, plan, apply, conf):
    path, states = conf
    file = plan(states)
    kept = json.loads(file.read_text())

    kept["document"]["until"] += 1
    file.write_text(json.dumps(kept))
    assert "was edited" in apply(file).value
    file.write_text("no plan")
    assert "is not a plan" in apply(file).value
    file.unlink()
    assert "cannot be read: No such file" in apply(file).value
    file = plan(states)
    (salt_g.root / "cache" / "plan.key").unlink()
    assert "was not made by this machine" in apply(file).value
    assert path.read_text() == "a\nb\n"


def test_a_change_beyond_the_plan_ends_the_run(tree, plan, apply):
    """A state that changes only because another did was not in the plan: the run ends before it."""
    (tree / "one").write_text("1\n")
    file = plan(
        {
            "first": {"file.managed": [{"name": str(tree / "one")}, {"contents": "2\n"}]},
            "copy": {"cmd.run": [{"name": "true"}, {"require": [{"file": "first"}]}]},
            "second": {
                "file.append": [
                    {"name": str(tree / "two")},
                    {"text": "x"},
                    {"onlyif": f"grep 2 {tree}/one"},
                    {"require": [{"cmd": "copy"}]},
                ]
            },
            "third": {
                "file.touch": [
                    {"name": str(tree / "three")},
                    {"require_any": [{"cmd": "copy"}]},
                    {"order": "last"},
                ]
            },
        }
    )

    ended = apply(file, "accept_opaque=True")

    assert ended.code == 1
    assert (tree / "one").read_text() == "2\n"
    assert sorted(os.listdir(tree)) == ["one"]
    result, comment, _ = ended.states["second"]
    assert result is False
    assert "it would change more than planned" in comment
    assert "planned nothing, now new file" in comment
    assert "third" not in ended.states


def test_templates_that_ask_for_test_mode_are_applied_as_planned(tree, plan, apply):
    file = plan(f"{tree}/{{{{ 'dry' if opts.test else 'real' }}}}:\n  file.touch\n")

    assert apply(file).code == 0
    assert os.listdir(tree) == ["dry"]


def test_hidden_states_and_secrets_show_nothing_and_are_compared_all_the_same(salt_g, tree, plan, apply):
    (salt_g.pillar / "top.sls").write_text("base: {'*': [p]}")
    (salt_g.pillar / "p.sls").write_text("password: Planted-secret-1")
    for name in ("hidden", "secret"):
        (tree / name).write_text("old\n")
    states = {
        "hidden": {
            "file.managed": [{"name": str(tree / "hidden")}, {"contents": "Unseen-1"}, {"no_log": True}]
        },
        "secret": {"file.managed": [{"name": str(tree / "secret")}, {"contents_pillar": "password"}]},
        "run": {"cmd.run": [{"name": "true Planted-secret-1"}]},
    }
    file = plan(states, pillar_secrets=["password"])

    text = file.read_text()
    assert "Unseen" not in text and "Planted" not in text
    assert "runs true <secret:password>" in text
    (tree / "hidden").write_text("other\n")
    refused = apply(file, "accept_opaque=True", pillar_secrets=["password"]).value
    assert f"{tree}/hidden planned (no_log), now (no_log) (other lines)" in refused
    (tree / "hidden").write_text("old\n")
    assert apply(file, "accept_opaque=True", pillar_secrets=["password"]).code == 0
    assert (tree / "secret").read_text() == "Planted-secret-1\n"


def test_only_test_runs_of_states_are_saved(salt_g, tmp_path):
    for words, result in (
        (("state.apply", "t"), "--save needs test=True"),
        (("test.ping", "test=True"), "--save is for test runs of state.apply"),
    ):
        refused = salt_g(*words, "--save", str(tmp_path / "x.plan"), as_json=False)
        assert refused.code == 64
        assert result in refused.err


def test_the_test_pass_writes_nothing(salt_g, tree, plan, apply, conf):
    path, states = conf
    file = plan(states)
    path.write_text("edited\n")
    os.utime(path, (1, 1))
    before = snapshot(tree)

    apply(file)

    assert snapshot(tree) == before
    assert path.stat().st_mtime == 1


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_random_plans_change_what_they_list_and_undo_takes_it_back(salt_g, tree, plan, apply, seed):
    rng = random.Random(seed)
    plant(tree, rng)
    salt_g.write({"many/one": "1\n", "many/deep/two": "2\n"})
    before = snapshot(tree)

    file = plan(random_states(tree, rng))
    assert snapshot(tree) == before
    applied = apply(file, state_undo=True)

    listed = {c["id"] for c in json.loads(file.read_text())["document"]["chunks"] if c["verdict"] == "change"}
    changed = {id for id, (result, _, changes) in applied.states.items() if changes}
    assert changed <= listed
    if snapshot(tree) != before:
        salt_g("state.undo", "last", state_undo=True)
        assert snapshot(tree) == before


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_random_states_of_different_files_do_by_plan_what_they_do_without(salt_g, tree, plan, apply, seed):
    rng = random.Random(seed)
    plant(tree, rng)
    salt_g.write({"many/one": "1\n", "many/deep/two": "2\n"})
    names = ("file.managed", "file.append", "file.directory", "file.touch", "file.absent")
    wanted = [one for one in random_states(tree, rng).values() if next(iter(one)) in names]
    states, taken = {}, set()
    for number, one in enumerate(wanted):
        path = pathlib.Path(next(iter(one.values()))[0]["name"])
        if not any(path in (known, *known.parents) or known in path.parents for known in taken):
            taken.add(path)
            states[f"s{number}"] = one
    if not states:
        pytest.skip("no states of different files")
    file = plan(states)
    copied = tree.with_name("copy")
    subprocess.run(["cp", "-a", str(tree), str(copied)], check=True)

    by_plan = apply(file)
    after = snapshot(tree)
    subprocess.run(["rm", "-rf", str(tree)], check=True)
    copied.rename(tree)
    plain = salt_g("state.apply", "t")

    assert snapshot(tree) == after, by_plan
    assert {id: one[0] for id, one in plain.states.items()} == {
        id: one[0] for id, one in by_plan.states.items()
    }


def test_nothing_of_the_machine_is_opened_for_writing_before_the_comparison(salt_g, tree, plan, apply, conf):
    """The only write-like system calls of a refused plan are those of the lock and of caches."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    path, states = conf
    states["link"] = {"file.symlink": [{"name": str(tree / "link")}, {"target": "x"}]}
    states["directory"] = {"file.directory": [{"name": str(tree / "d" / "e")}, {"makedirs": True}]}
    states["gone"] = {"file.absent": [{"name": str(path.with_name("gone"))}]}
    path.with_name("gone").write_text("x")
    file = plan(states)
    path.write_text("edited\n")
    calls = salt_g.root / "calls"

    command = [strace, "-f", "-o", str(calls), "-e", "trace=%file,ftruncate", salt_g.program]
    words = ["call", "-c", str(salt_g.conf), "state.apply_plan", str(file)]
    refused = subprocess.run([*command, *words], capture_output=True, text=True, timeout=120)

    assert "m1: not applied, 1 of 4 differ" in refused.stdout
    writing = [line for line in calls.read_text().splitlines() if str(tree) in line and is_writing(line)]
    assert writing == []


def is_writing(line):
    """Return whether a system call can change a file."""
    words = (
        "O_WRONLY",
        "O_RDWR",
        "O_CREAT",
        "rename",
        "unlink",
        "mkdir",
        "rmdir",
        "link(",
        "linkat(",
        "chmod",
    )
    return (
        any(word in line for word in (*words, "chown", "truncate", "utimens", "mknod"))
        and "readlink" not in line
    )


KILL = """\
import os, signal

def done(name):
    if __opts__["test"]:
        return {"name": name, "result": None, "changes": {"kill": "now"}, "comment": ""}
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_that_is_killed_leaves_a_lock_that_nobody_waits_for_and_a_plan_that_differs(
    salt_g, tree, plan, apply
):
    salt_g.write({"_states/kill.py": KILL})
    salt_g("saltutil.sync_states")
    file = plan(
        {
            "first": {"file.managed": [{"name": str(tree / "a")}, {"contents": "x"}]},
            "then": {"kill.done": [{"require": [{"file": "first"}]}]},
            "last": {
                "file.managed": [
                    {"name": str(tree / "b")},
                    {"contents": "x"},
                    {"require": [{"kill": "then"}]},
                ]
            },
        }
    )

    killed = apply(file, as_json=False)
    assert killed.code == -9
    assert os.listdir(tree) == ["a"]

    refused = apply(file)
    assert refused.value.startswith(f"m1: not applied, 1 of 3 differ: {tree}/a planned new file, now nothing")
    assert os.listdir(tree) == ["a"]


def test_of_two_runs_at_once_one_gets_the_lock(salt_g, tree, plan):
    go = salt_g.root / "go"
    os.mkfifo(go)
    file = plan({"wait": {"cmd.run": [{"name": f"read line < {go}; echo x >> {tree}/said"}]}})
    command = [
        salt_g.program,
        "call",
        "-c",
        str(salt_g.conf),
        "state.apply_plan",
        str(file),
        "accept_opaque=True",
    ]

    first = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    # Opened as soon as the command of the first one reads it.
    with open(go, "w") as opened:
        second = subprocess.run(command, capture_output=True, text=True, timeout=60)
        opened.write("line\n")

    first.communicate(timeout=60)
    assert first.returncode == 0
    assert second.returncode == 1
    assert 'The function "state.apply_plan" is running as PID' in second.stdout
    assert (tree / "said").read_text() == "x\n"
