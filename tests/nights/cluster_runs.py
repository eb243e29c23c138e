"""Orchestrations and batches that a cluster resumes when its masters are killed.

Each has steps that record on a minion that they ran: none may run twice, and each run that a master
accepted has a result.
"""

import collections
import re

import psycopg
from cluster_load import AGAIN, Worker

from salt_g.client import LocalClient, RunnerClient
from salt_g.client.batch_link import start_batch
from salt_g.client.batch_window import Batch
from salt_g.client.publishing import JobRequest, with_keywords
from salt_g.config import load
from salt_g.wire.packing import unpack
from tests.support.waiting import until

#: Steps of an orchestration, and the longest time of each (s).
STEPS, WORK = 3, 2
#: Longest wait for the results of all at the end (s).
PATIENCE = 240
SLS = """
{{% for step in range({steps}) %}}
step-{{{{ step }}}}:
  salt.function:
    - name: cmd.shell
    - tgt: {{{{ pillar['minion'] }}}}
    - arg: ["echo {{{{ pillar['number'] }}}}-{{{{ step }}}} >> {ran}; sleep {work}"]
{{% endfor %}}
"""


def write_tree(root):
    """Write the orchestration; return its state tree."""
    (root / "tree").mkdir()
    (root / "tree" / "steps.sls").write_text(SLS.format(steps=STEPS, ran=root / "ran-steps", work=WORK))
    return root / "tree"


class Orchestrator(Worker):
    """Orchestrations and batches, at each master in turn; `taken` is {jid: number} of the accepted."""

    def __init__(self, masters, ids, root, pace=1.0):
        super().__init__(pace)
        self._masters, self._ids = masters, ids
        self._root = root
        self._ran, self._batch_ran = root / "ran-steps", root / "ran-batch"
        self.taken = {"orchestration": {}, "batch": {}}
        self.requested = 0

    def work(self):
        """Start one of each."""
        self.requested += 1
        number, master = self.requested, self._masters[self.requested % len(self._masters)]
        pillar = {"number": number, "minion": self._ids[number % len(self._ids)]}
        with RunnerClient(load("master", str(master.config_dir)).opts) as runner:
            result = runner.cmd_async(
                {"fun": "state.orchestrate", "kwarg": {"mods": "steps", "pillar": pillar}}
            )
        self.taken["orchestration"][result["jid"]] = number
        line = f"echo {number}-{{{{ grains['id'] }}}} >> {self._batch_ran}; sleep {WORK}"
        arg = with_keywords([line], {"template": "jinja"})
        with LocalClient(c_path=str(master.config_dir / "master")) as local:
            jid = start_batch(local, JobRequest("*", "cmd.shell", arg), Batch("1"), {})
        self.taken["batch"][jid] = number
        self.rest(AGAIN)

    def settle(self, url):
        """Wait until all runs have ended."""
        with psycopg.connect(url, autocommit=True) as server:
            sql = "SELECT count(*) FROM salt_g.shared WHERE name LIKE 'call/%'"
            until(lambda: not server.execute(sql).fetchone()[0], "the end of all runs", seconds=PATIENCE)

    def _ended_early(self):
        """Return the jids of batches that give a reason for their early end, such as a slow database."""
        texts = [path.read_text(errors="replace") for path in self._root.glob("*/log-master")]
        return {jid for text in texts for jid in re.findall(r"batch (\d+) ended early", text)}

    def add_to(self, report, url):
        """Add the measurements to a report."""
        ran = collections.Counter(_lines(self._ran))
        results = {jid: _results(url, jid) for jid in self.taken["orchestration"]}
        report.add("orchestrations taken", len(results))
        report.add("orchestrations without a result", sum(not one for one in results.values()), "", ("==", 0))
        report.add("orchestrations that failed", sum(False in one for one in results.values()), "", ("==", 0))
        report.add("steps that ran", len(ran))
        report.add("steps that ran twice", sum(count > 1 for count in ran.values()), "", ("==", 0))
        lost = sum(
            f"{n}-{step}" not in ran for n in self.taken["orchestration"].values() for step in range(STEPS)
        )
        report.add("steps that did not run", lost, "", ("==", 0))
        times = collections.Counter(_lines(self._batch_ran))
        begun = {line.partition("-")[0] for line in times}
        report.add("batches taken", len(self.taken["batch"]))
        report.add("parts of batches that ran", len(times))
        report.add(
            "parts of batches that ran twice", sum(count > 1 for count in times.values()), "", ("==", 0)
        )
        early = self._ended_early()
        report.add("batches that ended early", len(early & self.taken["batch"].keys()))
        whole = {jid: number for jid, number in self.taken["batch"].items() if jid not in early}
        given = {f"{number}-{id}" for jid, number in whole.items() for id in _expected(url, jid)}
        report.add("parts of batches that did not run", len(given - times.keys()), "", ("==", 0))
        # A minion that is on its way to another master does not answer the ping of a batch.
        idle = sum(str(number) not in begun for number in self.taken["batch"].values())
        report.add("batches that ran nowhere", idle)


def _lines(path):
    return path.read_text().split() if path.exists() else []


def _expected(url, jid):
    """Return the minions to which a job was published."""
    with psycopg.connect(url) as server:
        rows = server.execute("SELECT ids FROM salt_g.expected WHERE jid = %s", (jid,)).fetchall()
    return [id for (packed,) in rows for id in unpack(packed)]


def _results(url, jid):
    """Return the results of an orchestration's steps, [] if there are none."""
    with psycopg.connect(url) as server:
        row = server.execute("SELECT data FROM salt_g.returns WHERE jid = %s", (jid,)).fetchone()
    result = unpack(row[0])["return"]["return"] if row else None
    if not isinstance(result, dict):
        return [False] if row else []
    return [entry["result"] for running in result["data"].values() for entry in running.values()]
