"""Plans kept by a real master: made, shown, approved and applied by real minions."""

import os
import pwd
import re
import subprocess
import sys

import pytest
import yaml

from tests.support.commands import PROGRAM, outcome_of
from tests.support.open_python import OpenPython
from tests.support.waiting import until

SLS = """\
{{ pillar.get('file', grains['id_file']) }}:
  file.managed:
    - source: salt://src
same:
  test.nop
"""


@pytest.fixture
def fleet(start_master, start_minion, daemon_root):
    """Return a function that starts a master with minions, each with a file that the SLS `web` changes."""

    def start(*ids, **settings):
        master = start_master(**settings)
        tree = master.root / "states"
        (tree / "web.sls").write_text(SLS)
        (tree / "src").write_text("one\ntwo\n")
        minions = {}
        for id in ids or ("web1", "web2"):
            path = daemon_root / f"file-{id}"
            path.write_text("one\n2\n")
            minions[id] = start_minion(master, id, grains={"id_file": str(path)})
        return master, minions

    return start


@pytest.fixture
def plan():
    """Run `salt-g plan`."""

    def run(master, *words, env=None):
        return outcome_of([PROGRAM, "plan", *words, "-c", str(master.config_dir)], env=env)

    return run


@pytest.fixture
def save(salt):
    """Save a plan and return its id."""

    def run(master, tgt="web*", *words, name="web.plan"):
        saved = salt(master, tgt, "state.apply", "web", "test=True", *words, "--save", name, as_json=False)
        return re.search(r"^plan ([0-9a-f]{6})", saved.out, re.M)[1]

    return run


def files(root):
    """Return {name: text} of the minions' files."""
    return {path.name: path.read_text() for path in sorted(root.glob("file-*"))}


def test_a_plan_is_made_shown_applied_once_and_dropped(fleet, salt, plan, daemon_root):
    master, _ = fleet()
    before = files(daemon_root)

    saved = salt(master, "web*", "state.apply", "web", "test=True", "--save", "web.plan", as_json=False)
    line = saved.out.splitlines()[-1]
    found = re.match(r"plan ([0-9a-f]{6}): 2 minions, 2 would change \(2 states\), 0 nothing; until ", line)
    assert found, saved
    assert saved.code == 0
    shown = plan(master, "show", found[1], "--diff").out
    assert "+1 -1" in shown and "+two" in shown and "web1:" in shown
    assert "state.apply web test=True" in plan(master, "list").out
    assert files(daemon_root) == before

    applied = plan(master, "apply", "web.plan", "--out=json")
    assert applied.code == 0, applied
    assert set(applied.minions) == {"web1", "web2"}
    assert set(files(daemon_root).values()) == {"one\ntwo\n"}

    again = plan(master, "apply", found[1])
    assert again.code == 2
    assert "a plan is applied once" in again.err
    assert "applied by root as job" in plan(master, "list").out
    assert "is removed" in plan(master, "drop", found[1]).out
    assert f"there is no plan '{found[1]}'" in plan(master, "show", found[1]).err


def test_one_minion_that_differs_is_refused_and_the_others_apply(fleet, plan, save, daemon_root):
    master, _ = fleet()
    id = save(master)
    (daemon_root / "file-web2").write_text("one\n2\n3\n")

    applied = plan(master, "apply", id, "--out=json")

    assert applied.code == 1
    refused = applied.minions["web2"]
    path = daemon_root / "file-web2"
    assert refused.startswith(f"web2: not applied, 1 of 2 differ: {path} planned +1 -1, now +1 -2 (edited ")
    assert files(daemon_root) == {"file-web1": "one\ntwo\n", "file-web2": "one\n2\n3\n"}


def test_a_tree_that_changed_on_the_master_is_refused(fleet, plan, save, daemon_root):
    master, _ = fleet()
    id = save(master)
    before = files(daemon_root)
    (master.root / "states" / "src").write_text("one\nthree\n")

    applied = plan(master, "apply", id, "--out=json")

    assert {"salt://src has changed" in one for one in applied.minions.values()} == {True}
    assert files(daemon_root) == before


def test_a_plan_survives_a_kill_of_the_master_and_is_not_applied_twice(fleet, salt, plan, save, daemon_root):
    master, _ = fleet()
    id = save(master)
    master.kill()
    master.start()
    until(lambda: len(salt(master, "web*", "test.ping", "-t", "1").minions) == 2, "both minions are back")

    assert plan(master, "apply", id).code == 0
    assert set(files(daemon_root).values()) == {"one\ntwo\n"}
    assert "a plan is applied once" in plan(master, "apply", id).err


def test_of_two_applications_at_once_one_is_refused(fleet, plan, save, daemon_root):
    master, _ = fleet()
    id = save(master)
    command = [PROGRAM, "plan", "apply", id, "-c", str(master.config_dir)]

    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    both = [subprocess.Popen(command, **pipes) for _ in "12"]
    results = [(one.communicate(timeout=60), one.returncode) for one in both]

    assert sorted(code for _, code in results) == [0, 2]
    assert sum("a plan is applied once" in err for (_, err), _ in results) == 1


def test_minions_that_are_away_are_named_at_both_ends(fleet, salt, plan, save):
    master, minions = fleet()
    minions["web2"].stop()
    saved = salt(
        master, "-L", "web1,web2", "state.apply", "web", "test=True", "--save", "x", "-t", "2", as_json=False
    )
    assert "1 minion, 1 would change" in saved.out
    assert "without web2: did not return" in saved.out
    assert saved.code == 1

    minions["web2"].start()
    until(lambda: salt(master, "web2", "test.ping", "-t", "1").code == 0, "web2 is back")
    id = save(master)
    minions["web2"].stop()
    applied = plan(master, "apply", id, "--out=json", "-t", "2")
    assert applied.code == 1
    assert "did not return" in str(applied.minions["web2"])


def test_commands_are_run_only_if_accepted(fleet, salt, plan, daemon_root):
    master, _ = fleet("web1")
    run = f"say: {{cmd.run: [{{name: 'touch {daemon_root}/said'}}]}}"
    (master.root / "states" / "run.sls").write_text(run)
    saved = salt(master, "web1", "state.apply", "run", "test=True", "--save", "run", as_json=False)
    assert "1 opaque" in saved.out
    assert f"runs touch {daemon_root}/said (opaque)" in plan(master, "show", "run").out

    refused = plan(master, "apply", "run")
    assert refused.code == 2
    assert "--accept-opaque accepts them" in refused.err
    assert not (daemon_root / "said").exists()
    assert plan(master, "apply", "run", "--accept-opaque").code == 0
    assert (daemon_root / "said").exists()


def test_a_job_that_names_a_plan_by_itself_is_refused(fleet, salt, save, daemon_root):
    """Only `salt-g plan apply` may apply a plan, so that approval cannot be bypassed."""
    master, _ = fleet("web1")
    id = save(master, "web1")
    before = files(daemon_root)

    refused = salt(master, "web1", "state.apply_plan", id)
    assert f"plans are applied by `salt-g plan apply {id}` only" in refused.minions["web1"]
    named = salt(master, "web1", "state.apply_plan", str(daemon_root / "file-web1"))
    assert "not applied" in named.minions["web1"]
    assert files(daemon_root) == before


PILLAR_SECRET = "Planted-secret-1"


def test_the_plans_secrets_show_nowhere(fleet, salt, plan, daemon_root):
    master, minions = fleet("web1", pillar_secrets=["password"])
    (master.root / "states" / "pw.sls").write_text(
        f"{daemon_root}/pw: {{file.managed: [{{contents: {{{{ pillar.password }}}}}}]}}\n"
        "run: {cmd.run: [{name: 'true {{ pillar.password }}'}]}\n"
    )
    words = ["pillar={password: " + PILLAR_SECRET + "}"]
    saved = salt(master, "web1", "state.apply", "pw", "test=True", *words, "--save", "pw", as_json=False)
    shown = plan(master, "show", "pw", "--diff", "--out=json")
    applied = plan(master, "apply", "pw", "--accept-opaque", "--out=json")

    assert applied.code == 0, applied
    for outcome in (saved, shown, applied):
        assert PILLAR_SECRET not in outcome.out + outcome.err
    for path in [*master.root.rglob("*"), *minions["web1"].root.rglob("*")]:
        # The minion keeps the high data of its last run for itself, as stock does.
        if path.is_file() and path.name not in ("pw", "highstate.cache.p"):
            assert PILLAR_SECRET.encode() not in path.read_bytes(), path
    assert (daemon_root / "pw").read_text() == f"{PILLAR_SECRET}\n"


USERS = {
    "maker": ["state.apply", "state.apply_plan"],
    "second": ["state.approve_plan"],
    "third": [{"web1": ["state.apply_plan", "state.approve_plan"]}],
}


def as_user(name):
    """Return the options of a user's login."""
    return ["-a", "auto", "--username", name, "--password", "x"]


def test_another_person_than_the_maker_has_to_approve(fleet, salt, plan, daemon_root):
    master, _ = fleet(plan_approval="other", external_auth={"auto": USERS})
    words = ("web*", "state.apply", "web", "test=True", "--save", "x", *as_user("maker"))
    saved = salt(master, *words, as_json=False)
    id = re.search(r"^plan ([0-9a-f]{6})", saved.out, re.M)[1]
    before = files(daemon_root)

    waits = plan(master, "apply", id, *as_user("maker"))
    assert "someone other than maker has to approve it" in waits.err
    own = plan(master, "approve", id, *as_user("maker"))
    assert "maker needs permission for state.approve_plan" in own.err
    elsewhere = plan(master, "approve", id, *as_user("third"))
    assert "there is no plan" in elsewhere.err
    assert files(daemon_root) == before

    assert plan(master, "approve", id, *as_user("second")).code == 0
    assert "second needs permission for state.apply_plan" in plan(master, "apply", id, *as_user("second")).err
    assert plan(master, "apply", id, *as_user("maker")).code == 0
    assert set(files(daemon_root).values()) == {"one\ntwo\n"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_local_users_are_known_by_the_kernel_and_not_by_a_name_that_they_claim(
    fleet, open_directory, daemon_root
):
    """Users of `publisher_acl`: the author of a plan cannot approve it, not even under another name."""
    rights = {"bin": ["state.*"], "games": ["state.approve_plan", "state.apply_plan"]}
    daemon_root.chmod(0o755)
    master, _ = fleet("web1", plan_approval="other", publisher_acl=rights)
    python = OpenPython(open_directory)

    def as_user(name, *words):
        entry = pwd.getpwnam(name)
        become = ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
        return outcome_of([python.enter, *become, PROGRAM, *words, "-c", str(master.config_dir)])

    saved = as_user("bin", "cmd", "web1", "state.apply", "web", "test=True", "--save", "x")
    assert "1 minion, 1 would change" in saved.out, saved
    id = re.search(r"^plan ([0-9a-f]{6}): ", saved.out, re.M)[1]

    own = as_user("bin", "plan", "approve", id)
    assert f"plan {id} was made by bin: another person has to approve it" in own.err
    claim = {"cmd": "plan_approve", "plan": id, "user": "games"}
    script = (
        "import sys; from salt_g.client.unix_link import UnixLink\n"
        f"print(UnixLink({str(master.sock_dir)!r}).ask({claim!r}, timeout=30))"
    )
    (daemon_root / "claim.py").write_text(script)
    entry = pwd.getpwnam("bin")
    become = ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
    claimed = outcome_of([python.enter, *become, sys.executable, str(daemon_root / "claim.py")])
    assert "AuthenticationError" in claimed.out, claimed
    assert "has to approve it" in as_user("bin", "plan", "apply", id).err

    assert as_user("games", "plan", "approve", id).code == 0
    assert as_user("bin", "plan", "apply", id).code == 0
    assert files(daemon_root) == {"file-web1": "one\ntwo\n"}


def test_root_cannot_approve_its_own_plan_either(fleet, plan, save):
    master, _ = fleet("web1", plan_approval="other")
    id = save(master, "web1")

    refused = plan(master, "approve", id)

    assert refused.code == 2
    assert "was made by root: another person has to approve it" in refused.err


def test_a_stranger_and_a_wrong_password_get_nothing(fleet, plan, save):
    master, _ = fleet("web1", external_auth={"auto": USERS})
    id = save(master, "web1")
    for action in ("show", "approve", "apply", "drop"):
        refused = plan(master, action, id, *as_user("nobody"))
        assert refused.code == 2
        assert "there is no plan" in refused.err
    login = ["-a", "pam", "--username", "maker", "--password", "wrong"]
    assert "Authentication" in plan(master, "show", id, *login).err
    assert plan(master, "show", id).code == 0


def test_a_plan_of_resources_is_applied_through_their_minion(start_master, start_minion, salt, plan):
    """One of two resources is changed by hand between plan and apply: only that one is refused."""
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text("base: {'*': [d]}\n")
    dummies = {"resources": {"dummy": {"resource_ids": ["d-01", "d-02"]}}}
    (master.root / "pillar" / "d.sls").write_text(yaml.safe_dump(dummies))
    (master.root / "states" / "run.sls").write_text("samba:\n  service.running: []\n")
    start_minion(master, "web1")
    until(
        lambda: len(salt(master, "d-*", "test.ping", "-t", "2").minions) == 2, "the resources are registered"
    )
    salt(master, "d-*", "service.stop", "samba")

    saved = salt(master, "d-*", "state.apply", "run", "test=True", "--save", "r", as_json=False)
    salt(master, "d-02", "service.start", "samba")
    applied = plan(master, "apply", "r", "--out=json")

    assert "2 minions, 2 would change (2 states)" in saved.out, saved
    assert applied.minions["d-02"].startswith("dummy:d-02: not applied, 1 of 1 differ: service.running samba")
    assert applied.minions["d-01"]["service_|-samba_|-samba_|-running"]["result"] is True
    assert salt(master, "d-01", "service.status", "samba").minions == {"d-01": True}
