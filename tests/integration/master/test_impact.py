"""Read sets of state runs on real minions, and impact queries over them."""

import json
import subprocess

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until


@pytest.fixture(params=["embedded", "postgres"])
def settings(request):
    """Return settings of a master with each kind of store."""
    if request.param == "postgres":
        return {"impact": True, "store": request.getfixturevalue("postgres_url")}
    return {"impact": True}


@pytest.fixture
def tree(tmp_path):
    """Return a tree of states and pillar.

    `web` reads pillar, a template and a source; `db` reads all pillar.
    """
    states, pillar = tmp_path / "states", tmp_path / "pillar"
    states.mkdir()
    pillar.mkdir()
    (states / "top.sls").write_text("base:\n  m1: [web]\n  m2: [db]\n")
    (states / "web.sls").write_text(
        "{% from 'map.jinja' import user with context %}\n"
        f"site:\n  file.managed:\n    - name: {tmp_path}/site\n    - source: salt://files/site.jinja\n"
        "    - template: jinja\n    - context: {port: {{ pillar['nginx']['port'] }}, user: {{ user }}}\n"
    )
    (states / "map.jinja").write_text("{% set user = salt['grains.filter_by']({'default': 'www'}) %}")
    (states / "files").mkdir()
    (states / "files" / "site.jinja").write_text("{{ port }} {{ user }} {{ salt['pillar.get']('motd') }}\n")
    (states / "db.sls").write_text("all:\n  test.nop:\n    - name: {{ salt['pillar.items']() | length }}\n")
    (pillar / "top.sls").write_text("base:\n  '*': [data]\n")
    (pillar / "data.sls").write_text("nginx: {port: 80, user: w}\nmotd: hello\ndb: {word: s3cret-word}\n")
    return {"file_roots": {"base": [str(states)]}, "pillar_roots": {"base": [str(pillar)]}}


def impact(master, *words):
    result = outcome_of([PROGRAM, "impact", *words, "-c", str(master.config_dir), "--out=json"])
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_minions_are_found_by_what_their_last_runs_read(settings, tree, start_master, start_minion, salt):
    master = start_master(**tree, **settings)
    for id in ("m1", "m2"):
        start_minion(master, id)
    assert salt(master, "*", "state.apply").code == 0
    until(lambda: impact(master, "salt://top.sls")["readers"] == ["m1", "m2"], "both runs are there")

    def readers(*names):
        return impact(master, *names)["readers"]

    names = ("salt://web.sls", "salt://files/site.jinja", "salt://files", "salt://map.jinja")
    for name in (*names, "grain:os_family", "function:grains.filter_by"):
        assert readers(name) == ["m1"]
    # The second minion reads pillar as a whole.
    found = impact(master, "pillar:nginx:port")
    assert (found["readers"], found["broad"], found["minions"]) == (["m1", "m2"], ["m2"], 2)
    assert readers("pillar:motd") == ["m1", "m2"]
    assert readers("pillar:nginx:user") == readers("pillar:other") == ["m2"]
    assert readers("salt://other.sls") == readers("function:cmd.run") == []
    assert impact(master, "pillar:nginx:port", "--sls")["sls"] == {"db": 1, "web": 1}

    result = outcome_of([PROGRAM, "impact", "pillar:nginx:port", "-c", str(master.config_dir)])
    assert result.out.splitlines()[0] == "2 of 2 read it in their last run (1 broad: they read all of it)"
    assert "  highstate: m[1-2]" in result.out


def test_the_return_of_a_run_shows_nothing_of_it(settings, tree, start_master, start_minion, salt, tmp_path):
    master = start_master(**tree, **settings)
    start_minion(master)
    ret = salt(master, "m1", "state.apply", "web", "--show-jid")
    until(lambda: impact(master, "salt://web.sls")["readers"] == ["m1"], "the run is there")

    shown = outcome_of([PROGRAM, "run", "jobs.list_jobs", "-c", str(master.config_dir), "--out=json"])
    jid = next(jid for jid, job in json.loads(shown.out).items() if job["Function"] == "state.apply")
    job = outcome_of([PROGRAM, "run", "jobs.lookup_jid", jid, "-c", str(master.config_dir), "--out=json"])
    assert "read_set" not in job.out + ret.out

    reads = outcome_of([PROGRAM, "run", "impact.reads", "m1", "-c", str(master.config_dir), "--out=json"])
    assert "pillar:motd" in reads.out and "hello" not in reads.out and "s3cret-word" not in reads.out


def test_the_last_run_of_each_call_counts(tree, start_master, start_minion, salt):
    master = start_master(**tree, impact=True)
    start_minion(master)
    for words in (["web"], ["db"], ["web", "test=True"]):
        salt(master, "m1", "state.apply", *words)

    calls = impact(master, "pillar:motd")["calls"]

    assert sorted(calls.values()) == [["m1"], ["m1"]] and len(calls) == 2
    master.stop()
    # The store answers without the master, too.
    assert impact(master, "pillar:motd")["calls"] == calls


def test_a_minion_sends_a_set_once(tree, start_master, start_minion, salt):
    master = start_master(**tree, impact=True, log_level="debug")
    start_minion(master)
    for _ in range(2):
        salt(master, "m1", "state.apply", "web")

    assert impact(master, "salt://web.sls")["unknown"] == []
    master.kill()
    master.start()
    salt(master, "m1", "state.apply", "web")
    assert impact(master, "salt://web.sls")["readers"] == ["m1"]


def test_without_the_setting_minions_send_nothing_and_the_command_names_it(
    tree, start_master, start_minion, salt
):
    master = start_master(**tree)
    start_minion(master)
    assert salt(master, "m1", "state.apply", "web").code == 0

    result = outcome_of([PROGRAM, "impact", "pillar:motd", "-c", str(master.config_dir)])

    assert result.code == 2 and "set impact: True and restart it" in result.err
    wrong = outcome_of([PROGRAM, "impact", "motd", "-c", str(master.config_dir)])
    assert wrong.code != 0


@pytest.fixture
def repository(tmp_path):
    """Return a repository with `web` on its base branch.

    On another branch, a template differs for one minion.
    """
    folder = tmp_path / "repository"
    folder.mkdir()

    def git(*words):
        settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(folder), *settings, *words], check=True, capture_output=True)

    git("init", "-q", "-b", "master")
    (folder / "web.sls").write_text(
        f"site:\n  file.managed:\n    - name: {tmp_path}/site-{{{{ grains['id'] }}}}\n"
        "    - source: salt://site.jinja\n    - template: jinja\n"
    )
    (folder / "site.jinja").write_text("old\n")
    (folder / "other.sls").write_text("other: test.nop\n")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    git("checkout", "-q", "-b", "feature")
    (folder / "site.jinja").write_text("{{ 'new' if grains['id'] == 'm1' else 'old' }}\n")
    git("commit", "-q", "-a", "-m", "two")
    return folder


def test_changes_of_a_branch_are_tested_on_the_minions_concerned(
    tree, repository, start_master, start_minion, salt, tmp_path
):
    settings = {"fileserver_backend": ["git"], "gitfs_remotes": [f"file://{repository}"], "impact": True}
    master = start_master(**settings, timeout=30)
    for id in ("m1", "m2", "m3"):
        start_minion(master, id)
    assert salt(master, "m1,m2", "state.apply", "web", "-L").code == 0
    assert salt(master, "m3", "state.apply", "other").code == 0

    words = ("--git", "master..feature", "--repo", str(repository))
    found = impact(master, *words, "--verify")

    assert (found["readers"], found["minions"]) == (["m1", "m2"], 3)
    verified = found["verified"]
    assert (verified["saltenv"], verified["identical"], verified["failed"]) == ("feature", ["m2"], {})
    ((changed,),) = [one["changes"] for one in verified["would_change"]]
    assert (changed["added"], changed["removed"]) == (1, 1)
    # Nothing was changed.
    assert (tmp_path / "site-m1").read_text() == "old\n"
    result = outcome_of([PROGRAM, "impact", *words, "-c", str(master.config_dir)])
    assert result.out.splitlines()[0] == "2 of 3 read it in their last run"
    subprocess.run(["git", "-C", str(repository), "branch", "-q", "later"], check=True)
    unserved = ("--git", "master..later", "--repo", str(repository), "--verify")
    refused = outcome_of([PROGRAM, "impact", *unserved, "-c", str(master.config_dir)])
    assert refused.code == 2 and "'later' now, only base, feature: push the branch and run" in refused.err
    assert outcome_of([PROGRAM, "run", "fileserver.update", "-c", str(master.config_dir)]).code == 0
    assert impact(master, *unserved)["verified"]["identical"] == ["m2"]
    lacking = outcome_of([PROGRAM, "impact", "salt://web.sls", "--verify", "-c", str(master.config_dir)])
    assert "with the present tree: 0 would change, 2 identical" in lacking.out


def test_a_tree_in_a_folder_of_the_repository_needs_the_root(
    tree, start_master, start_minion, salt, tmp_path
):
    def git(*words):
        settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(tmp_path), *settings, *words], check=True, capture_output=True)

    git("init", "-q")
    for text in ("old\n", "new\n"):
        (tmp_path / "states" / "files" / "site.jinja").write_text(text)
        git("add", "states")
        git("commit", "-q", "-m", text)
    master = start_master(**tree, impact=True)
    start_minion(master)
    assert salt(master, "m1", "state.apply", "web").code == 0
    words = ("--git", "HEAD~1..HEAD", "--repo", str(tmp_path))

    until(lambda: impact(master, *words, "--root", "states")["readers"] == ["m1"], "the run is there")
    result = outcome_of([PROGRAM, "impact", *words, "-c", str(master.config_dir)])
    assert result.out == "0 of 1 read it in their last run\n"
    assert "top.sls is in states: name the folder that the file server serves with --root" in result.err


def test_verifying_needs_the_right_to_test(tree, start_master, start_minion, salt, tmp_path):
    accounts = tmp_path / "accounts"
    accounts.write_text("ann:secret\nben:secret\n")
    rights = {"ann": ["@runner", {"*": ["state.test"]}], "ben": ["@runner"]}
    auth = {"external_auth": {"file": {"^filename": str(accounts), **rights}}}
    master = start_master(**tree, **auth, impact=True, timeout=30)
    start_minion(master)
    assert salt(master, "m1", "state.apply", "web").code == 0

    def ask(user):
        login = ("-a", "file", "--username", user, "--password", "secret")
        words = [PROGRAM, "impact", "salt://web.sls", "--verify", *login, "-c", str(master.config_dir)]
        return outcome_of(words)

    assert "1 identical" in ask("ann").out
    refused = ask("ben")
    assert refused.code != 0 and "verified" not in refused.out
