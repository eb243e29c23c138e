"""Stock's wheel client, which logs in to our master and changes its keys."""

import json
import pathlib
import shutil
import subprocess
import tempfile

import pytest
import yaml

from salt_g.wire.rsa import PrivateKey

LOGIN = {"eauth": "sharedsecret", "username": "fred", "password": "geheim"}
#: Asks stock's client each low of standard input, prints the returns.
PROGRAM = """
import json, sys
import salt.config, salt.wheel
client = salt.wheel.WheelClient(salt.config.master_config(sys.argv[1]))
for low in json.load(sys.stdin):
    try:
        print(json.dumps(client.cmd_sync(low)["data"]["return"]))
    except Exception as exc:
        print(json.dumps(type(exc).__name__))
"""


@pytest.fixture
def master():
    """Yield a master of ours with one pending key and a user who may log in."""
    from tests.support.daemons import RunningMaster

    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    running = RunningMaster(
        root / "m",
        auto_accept=False,
        external_auth={"sharedsecret": {"fred": ["@wheel", "@runner"]}},
        sharedsecret="geheim",
    ).start()
    # Stock's tools have to find the ports that were free.
    (running.config_dir / "master").write_text(yaml.safe_dump(running.settings))
    (running.pki_dir / "minions_pre").mkdir(exist_ok=True)
    (running.pki_dir / "minions_pre" / "web1").write_text(PrivateKey.generate(2048).public.pem)
    yield running
    running.stop()
    shutil.rmtree(root, ignore_errors=True)


def ask(stock_bin, master, *lows):
    done = subprocess.run(
        [str(stock_bin / "python"), "-c", PROGRAM, str(master.config_dir / "master")],
        input=json.dumps(lows),
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_stocks_client_changes_keys(stock_bin, master):
    listed, accepted, deleted = ask(
        stock_bin,
        master,
        {"fun": "key.list_all", **LOGIN},
        {"fun": "key.accept", "match": "web1", **LOGIN},
        {"fun": "key.delete", "match": "web1", **LOGIN},
    )

    assert listed["minions_pre"] == ["web1"]
    assert accepted == {"minions": ["web1"]}
    assert deleted == {}


def test_stocks_client_reports_a_wrong_password(stock_bin, master):
    answers = ask(stock_bin, master, {"fun": "key.list_all", **LOGIN, "password": "x"})

    assert answers == ["EauthAuthenticationError"]
