"""Returner `salt_cache`: the same calls give the same results and files in stock and in salt-g."""

import json
import os
import pathlib
import subprocess
import sys

CALLS = """
import json, os, sys
JID, LATER, QUIET = (f"2026010203040567890{number}" for number in (1, 2, 3))
load = {"fun": "test.echo", "arg": ["x"], "tgt": "*", "tgt_type": "glob", "user": "root", "jid": JID}
ret = {"id": "m1", "jid": JID, "fun": "test.echo", "return": "x", "success": True, "retcode": 0, "out": "raw"}
calls = [
    ["prep_jid", False, JID], ["prep_jid", True, QUIET],
    ["save_load", JID, load, ["m2", "m1"]], ["save_minions", JID, ["m3"]],
    ["save_minions", JID, ["s1"], "syndic"], ["save_load", QUIET, load, ["m1"]],
    ["save_load", LATER, {**load, "jid": LATER, "fun": "saltutil.find_job"}, []],
    ["returner", ret], ["returner", {**ret, "return": "y"}],
    ["returner", {"id": "m2", "jid": JID, "return": {"a": 1}}],
    ["returner", {**ret, "jid": QUIET}], ["returner", {**ret, "jid": "20260102030405678999"}],
    ["get_load", JID], ["get_load", "none"], ["get_load", LATER], ["get_load", QUIET],
    ["get_jid", JID], ["get_jid", "none"], ["get_jid", QUIET],
    ["get_jids"], ["get_jids_filter", 5], ["get_jids_filter", 5, False], ["get_jids_filter", 1, False],
    ["update_endtime", JID, 1767322000], ["get_endtime", JID], ["get_endtime", "none"], ["get_jids"],
    ["clean_old_jobs"], ["get_jids"],
]
answers = [call(*one) for one in calls]
os.utime(os.path.join(cachedir, "jobs", "loads", JID + ".p"), (1, 1))
answers += [call("clean_old_jobs"), call("get_jids")]
top = os.path.join(cachedir, "jobs")
files = [os.path.join(at, name)[len(top):] for at, _, names in os.walk(top) for name in names]
print(json.dumps([answers, sorted(files)]))
"""
STOCK = """
import sys
import salt.config, salt.loader
cachedir = sys.argv[1]
opts = {**salt.config.master_config("/dev/null"), "cachedir": cachedir, "job_cache_store_endtime": True}
returners = salt.loader.returners(opts, {})
def call(name, *arguments):
    return returners[f"salt_cache.{name}"](*arguments)
"""
OURS = """
import sys
from salt_g import api, local_call
from salt_g.config import load
cachedir = sys.argv[1]
opts = {**load("master", "/none").opts, "cachedir": cachedir, "job_cache_store_endtime": True}
context = local_call.local_context(opts)
def call(name, *arguments):
    with api.use(context):
        return context.table("returners")[f"salt_cache.{name}"](*arguments)
"""


def outcome(python, text, cachedir):
    """Return results and files of the calls, with a cache below a directory."""
    cachedir.mkdir()
    words = [str(python), "-c", text + CALLS, str(cachedir)]
    ran = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_the_same_calls_leave_the_same_jobs(tmp_path, stock_bin):
    answers, files = outcome(stock_bin / "python", STOCK, tmp_path / "stock")
    ours = outcome(pathlib.Path(sys.executable), OURS, tmp_path / "ours")

    assert ours[0] == answers
    assert ours[1] == files
