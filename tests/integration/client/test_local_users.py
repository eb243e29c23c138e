"""The command line's socket and users other than the master's own."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import gevent
import pytest

from salt_g.event.bus import Bus
from salt_g.master.calls.ipc_server import IpcServer
from salt_g.process.supervisor import Supervisor

JID = "20260102030405678901"
#: A user without rights.
NOBODY = 65534
PROGRAM = """
import json, os, sys
from salt_g.client.unix_link import UnixLink
from salt_g.errors import SaltGError
os.setgroups([]); os.setgid(65534); os.setuid(65534)
def attempt(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except SaltGError as exc:
        return f"{type(exc).__name__}: {exc}"
try:
    link = UnixLink(sys.argv[1])
except SaltGError as exc:
    print(json.dumps([str(exc)])); sys.exit()
told = [attempt(link.subscribe, "salt/"), attempt(link.fire, "salt/key", {})]
told.append(attempt(link.ask, {"cmd": "publish"}, timeout=30, follow=True))
event = link.next_event(30)
told.append([event.tag, link.next_event(0.2)])
print(json.dumps(told))
"""

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def directory():
    """Yield a directory that every user may enter."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def run_as_nobody(directory, *, is_open):
    """Serve, and run the client as nobody; return its answers, and the users that the server saw."""
    bus, supervisor, callers = Bus(), Supervisor("test"), []

    def answer(load, caller):
        callers.append(caller.uid)
        bus.fire("salt/job/20260102030405678902/ret/x", {"n": 1})
        bus.fire(f"salt/job/{JID}/new", {"n": 2})
        return {"load": {"jid": JID, "minions": ["a"]}}

    server = IpcServer(
        str(directory / "salt_g.ipc"), answer=answer, bus=bus, supervisor=supervisor, is_open=is_open
    )
    server.start()
    command = [sys.executable, "-c", PROGRAM, str(directory)]
    try:
        done = gevent.get_hub().threadpool.apply(
            lambda: subprocess.run(command, capture_output=True, text=True, timeout=120)
        )
    finally:
        server.stop()
        supervisor.stop()
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), callers


def test_another_user_gets_events_of_its_own_jobs_only_and_fires_none(directory):
    (follow, fire, reply, events), callers = run_as_nobody(directory, is_open=True)

    assert follow == "ClientError: only root and the master's user may follow all events"
    assert fire == "ClientError: only root and the master's user may fire events"
    assert reply["load"]["jid"] == JID
    assert events == [f"salt/job/{JID}/new", None]
    assert callers == [NOBODY]


def test_another_user_cannot_connect_unless_the_master_has_rules_for_users(directory):
    (result,), callers = run_as_nobody(directory, is_open=False)

    assert "(Permission denied); run as root or the master's user" in result
    assert callers == []


#: Runs a command of ours as a user without rights, who may not read our files: all of them are loaded before.
AS_NOBODY = """
import contextlib, io, os, sys
from salt_g.cli import dispatch
words = ["salt-g", sys.argv[1], "-c", *sys.argv[2:]]
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    dispatch.run(words)
os.setgroups([]); os.setgid(65534); os.setuid(65534)
sys.exit(dispatch.run(words))
"""


@pytest.mark.parametrize(
    "words", [("cmd", "*", "test.ping"), ("run", "jobs.list_jobs"), ("event",), ("match", "*")], ids=" ".join
)
def test_no_access_to_the_directory_of_the_socket_is_reported(directory, words):
    conf, sock_dir = directory / "conf", directory / "sock"
    conf.mkdir()
    sock_dir.mkdir(0o700)
    (conf / "master").write_text(json.dumps({"root_dir": str(directory), "sock_dir": str(sock_dir)}))

    ended = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, words[0], str(conf), *words[1:]],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"{sock_dir}/salt_g.ipc (Permission denied); run as root or the master's user" in ended.stderr
    assert "Traceback" not in ended.stderr
