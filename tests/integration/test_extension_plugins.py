"""Plugins in the style of extensions, with imports of stock's package, run against real servers."""

import http.server
import json
import shutil

import pytest

from tests.support.free_ports import free_port
from tests.support.servers import missing, running, serving

#: A client of a store of secrets that speaks as the KV engine of Vault does.
SECRETS = """
import salt.utils.http
import salt.utils.immutabletypes
from salt.defaults import NOT_SET
from salt.exceptions import CommandExecutionError


def read_secret(path, key=None, default=NOT_SET):
    config = salt.utils.immutabletypes.freeze(__opts__["secrets"])
    mount, _, name = path.partition("/")
    answer = salt.utils.http.query(
        f"{config['url']}/v1/{mount}/data/{name}", method="GET", decode=True, decode_type="json", status=True,
        header_dict={"X-Vault-Token": config["token"]}, opts=__opts__, raise_error=False,
    )
    if answer.get("status") == 404 and default is not NOT_SET:
        return default
    if "dict" not in answer or answer.get("status") != 200:
        raise CommandExecutionError(f"{path}: {answer.get('error')}")
    data = answer["dict"]["data"]["data"]
    return data[key] if key else data


def names():
    return sorted(__pillar__["from_store"])
"""
SDB = """
def get(key, profile=None):
    path, _, name = key.rpartition("/")
    return __salt__["secrets.read_secret"](path, name)
"""
PILLAR = """
from salt.utils.dictupdate import update


def ext_pillar(minion_id, pillar, path):
    return {"from_store": update({"of": minion_id}, __salt__["secrets.read_secret"](path))}
"""
RETURNER = """
import salt.returners
import salt.utils.jid
import salt.utils.job
import salt.utils.json
import redis


def returner(ret):
    names = {"host": "host", "port": "port"}
    options = salt.returners.get_returner_options("kept", ret, names, __salt__=__salt__, __opts__=__opts__)
    server = redis.StrictRedis(options["host"], int(options["port"]), decode_responses=True)
    seconds = salt.utils.job.get_keep_jobs_seconds(__opts__)
    about = {**ret, "job": salt.utils.jid.format_jid_instance(ret["jid"], ret)}
    server.setex(f"{ret['id']}:{ret['fun']}", seconds, salt.utils.json.dumps(about))
"""
AGGREGATED = """
def joined(name):
    return {"name": name, "result": True, "comment": "", "changes": {}}


def mod_aggregate(low, chunks, running):
    tags = {__utils__["state.gen_tag"](chunk) for chunk in chunks}
    return {**low, "name": f"{len(tags)} tags"}
"""


class Vault(http.server.BaseHTTPRequestHandler):
    """Server of one secret for clients that have the token."""

    def do_GET(self):
        is_known = self.headers.get("X-Vault-Token") == "root"
        found = {"data": {"data": {"user": "web", "word": "open"}, "metadata": {"version": 1}}}
        is_there = self.path == "/v1/secret/data/app"
        code = 403 if not is_known else 200 if is_there else 404
        body = json.dumps(found if code == 200 else {"errors": ["no"]}).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@pytest.fixture
def machine(salt_g):
    """Yield the command on a machine with these plugins and the address of a secret store."""
    folder = salt_g.root / "plugins"
    plugins = {
        "modules/secrets.py": SECRETS,
        "sdb/store.py": SDB,
        "pillar/store.py": PILLAR,
        "returners/kept.py": RETURNER,
        "states/collected.py": AGGREGATED,
    }
    salt_g.write(plugins, below=folder)
    options = {"modules": "module_dirs", "sdb": "sdb_dirs", "pillar": "pillar_dirs"}
    options |= {"returners": "returner_dirs", "states": "states_dirs"}
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Vault)) as vault:
        url = f"http://127.0.0.1:{vault.server_port}"
        settings = {option: [str(folder / name)] for name, option in options.items()}
        settings |= {"secrets": {"url": url, "token": "root"}, "mystore": {"driver": "store"}}
        settings["ext_pillar"] = [{"store": "secret/app"}]
        yield lambda *words, **more: salt_g(*words, **{**settings, **more})


def test_a_module_an_sdb_driver_and_a_pillar_source_read_secrets(machine):
    assert machine("secrets.read_secret", "secret/app", "user").value == "web"
    assert machine("secrets.read_secret", "secret/none", "default=nothing").value == "nothing"
    assert machine("sdb.get", "sdb://mystore/secret/app/user").value == "web"
    assert machine("secrets.names").value == ["of", "user", "word"]


def test_a_refused_request_is_an_error_of_the_function(machine):
    refused = machine("secrets.read_secret", "secret/other")

    assert refused.code == 1
    assert "secret/other: " in refused.out + refused.err


def test_a_returner_keeps_a_return_in_a_server(machine, tmp_path):
    redis = pytest.importorskip("redis")
    program = shutil.which("redis-server")
    if program is None:
        missing("redis-server")
    port = free_port()
    words = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    with running(words, "Ready to accept connections"):
        machine("test.echo", "hi", "--return=kept", **{"kept.host": "127.0.0.1", "kept.port": port})
        kept = json.loads(redis.StrictRedis("127.0.0.1", port).get("m1:test.echo"))

    assert (kept["return"], kept["retcode"], kept["success"]) == ("hi", 0, True)
    assert kept["job"]["Function"] == "test.echo"
    assert kept["job"]["StartTime"]


def test_aggregation_finds_the_function_for_tags(machine, salt_g):
    salt_g.write({"both.sls": "a:\n  collected.joined: []\nb:\n  collected.joined: []\n"})

    made = machine("state.apply", "both", state_aggregate=True)

    assert {ret["name"] for ret in made.value.values()} == {"2 tags"}
