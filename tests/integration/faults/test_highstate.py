"""A highstate during which the master is killed and restarted."""

import pytest

from tests.support.waiting import until

TOP = "base:\n  '*': [slow]\n"
SLOW = """\
first:
  file.managed:
    - name: {out}/first
    - contents: {{{{ pillar['word'] }}}}
wait:
  cmd.run:
    - name: touch {out}/waits; until [ -e {out}/go ]; do sleep 0.1; done
last:
  file.managed:
    - name: {out}/last
    - source: salt://source
"""


@pytest.fixture
def begun(start_master, start_minion, client, tmp_path):
    """Return (master, minion, jid, directory): a highstate that waits for `go` and then fetches a file."""
    master = start_master()
    files = {
        "states/top.sls": TOP,
        "states/slow.sls": SLOW.format(out=tmp_path),
        "states/source": "from the master\n",
        "pillar/top.sls": "base:\n  '*': [word]\n",
        "pillar/word.sls": "word: hello\n",
    }
    for name, text in files.items():
        (master.root / name).write_text(text)
    minion = start_minion(master, request_channel_timeout=5)
    jid = client(master).cmd_async("m1", "state.apply")
    until((tmp_path / "waits").exists, "the highstate is in its middle")
    return master, minion, jid, tmp_path


def check(master, minion, jid, out, run):
    """Check that the highstate has completed and the master has its return."""
    returned = until(lambda: run(master, "jobs.lookup_jid", jid), "the return came")
    assert [state["result"] for state in returned["m1"].values()] == [True] * 3
    assert (out / "first").read_text() == "hello\n"
    assert (out / "last").read_text() == "from the master\n"
    assert run(master, "jobs.exit_success", jid) == {"m1": True}
    until(lambda: not list((minion.cachedir / "returns").iterdir()), "the spool is empty")


def test_the_return_arrives_when_the_master_was_back_before_the_end(begun, run):
    master, minion, jid, out = begun

    master.kill()
    master.start()
    (out / "go").touch()

    check(master, minion, jid, out, run)


def test_the_return_arrives_when_the_highstate_waited_for_the_master(begun, run):
    master, minion, jid, out = begun

    master.kill()
    (out / "go").touch()
    until(lambda: "wait" in minion.log(), "the highstate goes on")
    master.start()

    check(master, minion, jid, out, run)
