"""Lines of `salt-g impact`."""

import json
import subprocess

import pytest

from salt_g.cli import exit_codes
from salt_g.cli.fleet.impact import lines, main

FOUND = {
    "minions": 1000,
    "readers": [f"web{number}" for number in range(1, 213)],
    "older": ["web1", "web2", "web3"],
    "broad": ["web9"],
    "unknown": ["db1"],
    "calls": {'{"fun": "state.apply"}': [f"web{number}" for number in range(1, 213)]},
    "names": {"pillar:nginx:port": 211, "pillar": 1},
    "sls": {"nginx": 212},
}


def test_the_counts_come_first():
    assert lines(FOUND, older=7 * 86400.0) == [
        "212 of 1,000 read it in their last run (3 older than 7 d, 1 broad: they read all of it)",
        "  highstate: web[1-212]",
        "  in nginx: 212",
        "1 unknown, with no record of their reads yet: db1",
    ]


def test_an_ordinary_state_is_not_mentioned():
    found = {**FOUND, "readers": [], "older": [], "broad": [], "unknown": [], "calls": {}, "sls": {}}

    assert lines(found, older=60.0) == ["0 of 1,000 read it in their last run"]


def test_a_name_of_no_kind_is_refused_with_the_kinds(capsys):
    assert main(["pillar:a", "nginx"]) == exit_codes.USAGE

    error = capsys.readouterr().err
    assert error.startswith("salt-g impact: cannot ask about 'nginx': write salt://PATH, pillar:KEY")
    assert len(error.splitlines()) == 1


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Return a repository with one commit, and settings of a master that never ran."""
    words = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run(["git", "-C", tmp_path, *words, *command], check=True)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "master").write_text(f"root_dir: {tmp_path}\n")
    monkeypatch.chdir(tmp_path)
    return ("-c", str(tmp_path / "etc"))


def test_an_answer_about_nothing_is_data_where_data_are_asked_for(repository, capsys):
    words = ["--git", "HEAD..HEAD", *repository]

    assert main(words) == exit_codes.OK
    assert capsys.readouterr().out == "no file of the tree differs in HEAD..HEAD\n"
    assert main([*words, "--out=json", "--sls"]) == exit_codes.OK
    found = json.loads(capsys.readouterr().out)
    assert (found["readers"], found["calls"], found["minions"]) == ([], {}, None)
    assert found.keys() == FOUND.keys()


def test_a_root_that_is_not_there_is_an_error(repository, capsys):
    assert main(["--git", "HEAD..HEAD", "--root", "nope", *repository, "--out=json"]) == exit_codes.USAGE

    out, err = capsys.readouterr()
    assert (out, "--root 'nope' is a folder in neither commit" in err) == ("", True)
