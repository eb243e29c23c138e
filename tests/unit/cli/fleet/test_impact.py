"""Lines of `salt-g impact`."""

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
        "1 not known, what they read is not here yet: db1",
    ]


def test_an_ordinary_state_is_not_mentioned():
    found = {**FOUND, "readers": [], "older": [], "broad": [], "unknown": [], "calls": {}, "sls": {}}

    assert lines(found, older=60.0) == ["0 of 1,000 read it in their last run"]


def test_a_name_of_no_kind_is_refused_with_the_kinds(capsys):
    assert main(["pillar:a", "nginx"]) == exit_codes.FAILED

    error = capsys.readouterr().err
    assert error.startswith("salt-g impact: cannot ask about 'nginx': write salt://PATH, pillar:KEY")
    assert len(error.splitlines()) == 1
