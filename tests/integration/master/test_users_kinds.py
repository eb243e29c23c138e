"""User plugins for parts of a master, on running daemons: logins, file servers, matchers, caches."""

import json

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

BACKEND = """
import hashlib

FILES = {"hello.txt": b"hello from a shelf\\n" * 9000, "greeting.sls": b"greet: test.nop\\n"}


def envs():
    return ["base"]


def find_file(path, saltenv="base", **kwargs):
    return {"path": path if path in FILES else "", "rel": path}


def serve_file(load, fnd):
    return {"dest": fnd["rel"], "data": FILES[fnd["path"]][load["loc"]:load["loc"] + 65536]}


def file_hash(load, fnd):
    return {"hsum": hashlib.sha256(FILES[fnd["path"]]).hexdigest(), "hash_type": "sha256"}


def file_list(load):
    return list(FILES)
"""
LOGIN = """
def auth(username, password):
    return password == username[::-1]
"""
MATCHER = """
def match(tgt, opts=None, minion_id=None):
    return __grains__["shelf"] == tgt
"""
DRIVER = """
import json


def _read():
    with open(__opts__["shelf"]) as file:
        return json.load(file)


def _write(entries):
    with open(__opts__["shelf"], "w") as file:
        json.dump(entries, file)


def store(bank, key, data):
    _write({**_read(), f"{bank}:{key}": data})


def fetch(bank, key):
    return _read().get(f"{bank}:{key}", {})


def flush(bank, key=None):
    _write({name: value for name, value in _read().items() if name != f"{bank}:{key}"})


def list(bank):
    return [name.partition(":")[2] for name in _read() if name.startswith(f"{bank}:")]


def contains(bank, key=None):
    return f"{bank}:{key}" in _read()


def updated(bank, key):
    return 1 if contains(bank, key) else None
"""
RUNNER = """
import salt.client


def ping(tgt):
    return salt.client.LocalClient(__opts__["conf_file"]).cmd(tgt, "test.ping", tgt_type="shelf", timeout=30)
"""


def test_a_users_file_server_backend_serves_minions(start_master, start_minion, salt):
    master = start_master(fileserver_backend=["roots", "shelf"])
    (master.root / "states" / "_fileserver").mkdir()
    (master.root / "states" / "_fileserver" / "shelf.py").write_text(BACKEND)
    run = [PROGRAM, "run", "-c", str(master.config_dir), "--out=json"]
    assert json.loads(outcome_of([*run, "saltutil.sync_fileserver"]).out) == ["fileserver.shelf"]
    master.stop()
    master.start()
    start_minion(master, "a")

    fetched = salt(master, "a", "cp.get_file_str", "salt://hello.txt").minions["a"]
    listed = salt(master, "a", "cp.list_master").minions["a"]
    ran = salt(master, "a", "state.apply", "greeting").minions["a"]

    assert fetched == "hello from a shelf\n" * 9000
    assert {"hello.txt", "greeting.sls"} <= set(listed)
    assert [state["result"] for state in ran.values()] == [True]


def test_a_users_login_module_lets_users_in(start_master, start_minion, salt, daemon_root):
    (daemon_root / "logins").mkdir()
    (daemon_root / "logins" / "mirror.py").write_text(LOGIN)
    master = start_master(
        auth_dirs=[str(daemon_root / "logins")], external_auth={"mirror": {"ann": ["test.*"]}}
    )
    start_minion(master, "a")
    ann = ("-a", "mirror", "--username", "ann", "--password")

    assert salt(master, *ann, "nna", "a", "test.ping").minions == {"a": True}
    refused = salt(master, *ann, "ann", "a", "test.ping")
    assert refused.code != 0
    assert "Authentication error" in refused.out + refused.err


def test_a_job_targets_by_a_users_matcher(start_master, start_minion, salt, daemon_root):
    (daemon_root / "runners").mkdir()
    (daemon_root / "runners" / "shelf.py").write_text(RUNNER)
    master = start_master(runner_dirs=[str(daemon_root / "runners")])
    (master.root / "states" / "_matchers").mkdir()
    (master.root / "states" / "_matchers" / "shelf_match.py").write_text(MATCHER)
    for id, shelf in (("a", "top"), ("b", "bottom")):
        start_minion(master, id, grains={"shelf": shelf})
    salt(master, "*", "saltutil.sync_matchers", "refresh=True")
    run = [PROGRAM, "run", "-c", str(master.config_dir), "--out=json"]
    assert json.loads(outcome_of([*run, "saltutil.sync_matchers"]).out) == ["matchers.shelf_match"]

    result = outcome_of([*run, "shelf.ping", "top"])

    assert result.code == 0, result.err
    assert json.loads(result.out) == {"a": True}


def test_a_users_cache_driver_keeps_copies_of_minion_data(start_master, start_minion):
    master = start_master()
    (master.root / "states" / "_cache").mkdir()
    (master.root / "states" / "_cache" / "shelf.py").write_text(DRIVER)
    run = [PROGRAM, "run", "-c", str(master.config_dir), "--out=json"]
    assert json.loads(outcome_of([*run, "saltutil.sync_cache"]).out) == ["cache.shelf"]
    master.stop()
    kept = master.root / "shelf.json"
    kept.write_text("{}")
    master.settings.update(cache="shelf", shelf=str(kept))
    master.start()

    start_minion(master, "a", grains={"place": "left"})

    until(lambda: '"place": "left"' in kept.read_text(), "the grains are on the shelf")
    assert "cache shelf" not in master.log()
