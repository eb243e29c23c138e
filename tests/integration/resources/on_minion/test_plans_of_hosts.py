"""Plans and undo of hosts behind a real sshd, through a master and the minion that manages them."""

import os

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.file_trees import snapshot
from tests.support.ssh_servers import place_for_servers

SLS = """
{top}/{{{{ grains.id }}}}/app.conf:
  file.managed:
    - source: salt://app.conf
    - makedirs: True
    - mode: '0640'
{top}/{{{{ grains.id }}}}/old:
  file.absent: []
again:
  file.append:
    - name: {top}/{{{{ grains.id }}}}/app.conf
    - text: more
"""


@pytest.fixture
def hosts(manage, tmp_path):
    """Yield two hosts, `web-01` and `web-02`, whose states are below `tmp_path/ID`."""
    with place_for_servers() as place:
        server = place.sshd("plans")
        names = ("web-01", "web-02")
        manage.write({"web.sls": SLS.format(top=tmp_path), "app.conf": "port 80\n"})
        for name in names:
            (tmp_path / name).mkdir()
            (tmp_path / name / "old").write_text("old")
        settings = {name: place.settings(server) for name in names}
        manage({"ssh": {"hosts": settings}}, state_undo=True)
        for name in names:
            manage.until_answered(name, "test.ping")
        yield manage


def test_plans_of_hosts_are_applied_exactly_and_undone(hosts, tmp_path):
    before = snapshot(tmp_path)
    words = ("web-0*", "state.apply", "web", "test=True", "--save", "web.plan")
    saved = hosts.salt(*words, as_json=False)
    assert snapshot(tmp_path) == before
    assert "2 minions, 2 would change" in saved.out, saved
    os.unlink(tmp_path / "web-02/old")

    conf = str(hosts.master.config_dir)
    applied = outcome_of([PROGRAM, "plan", "apply", "web.plan", "-c", conf, "--out=json"])

    assert applied.code != 0
    assert "not applied, 1 of 3 differ" in f"{applied.minions['web-02']}"
    assert all(ret["result"] for ret in applied.minions["web-01"].values()), applied
    assert not (tmp_path / "web-02/app.conf").exists()
    assert (tmp_path / "web-01/app.conf").read_text() == "port 80\nmore\n"

    (tmp_path / "web-02/old").write_text("old")
    undone = hosts.salt("web-01", "state.undo", "last").minions["web-01"]

    assert undone["left"] == {}
    assert snapshot(tmp_path) == before
