"""pepper with each of its options, on our HTTP API and on stock's: the same output and exit code."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

from tests.support.api_client import PASSWORD
from tests.support.both_apis import both_apis
from tests.support.waiting import DEADLINE

PEPPER = str(pathlib.Path(sys.executable).with_name("pepper"))
PING = ["*", "test.ping"]
#: {name: words}; `~` in them is the directory of the test.
CALLS = {
    "ping": PING,
    "ping as text": ["-v", *PING],
    "nobody": ["nobody", "test.ping"],
    "arguments": ["*", "test.arg", "1", "foo", "a=5", "b={c: 2}"],
    "timeout": ["-t", "20", *PING],
    "pcre": ["-E", "m[0-9]", "test.ping"],
    "list": ["-L", "m1,m7", "test.ping"],
    "grain": ["-G", "kernel:Linux", "test.ping"],
    "grain pcre": ["--grain-pcre", "kernel:L.*x", "test.ping"],
    "pillar": ["-I", "colour:green", "test.ping"],
    "pillar pcre": ["--pillar-pcre", "colour:gr.*n", "test.ping"],
    "compound": ["-C", "G@kernel:Linux and m*", "test.ping"],
    "nodegroup": ["-N", "web", "test.ping"],
    "batch": ["--batch=1", "*", "test.ping"],
    "async": ["--client=local_async", *PING],
    "runner": ["--client=runner", "manage.up"],
    "runner with arguments": ["--client=runner", "cache.grains", "tgt=m1"],
    "no runner": ["--client=runner", "nope.nope"],
    "wheel": ["--client=wheel", "key.list_all"],
    "wheel with arguments": ["--client=wheel", "key.finger", "match=m1"],
    "runner async": ["--client=runner_async", "manage.up"],
    "wheel async": ["--client=wheel_async", "key.list_all"],
    "client of batches": ["--client=local_batch", "--batch=50%", *PING],
    "client of a subset": ["--client=local_subset", *PING],
    "no such client": ["--client=nope", *PING],
    "range": ["-R", "%web", "test.ping"],
    "no function": ["*", "nope.nope"],
    "profile": ["-c", "~/pepperrc", "-p", "other", *PING],
    "ssh": ["--client=ssh", *PING],
    "json": ['--json={"client": "local", "tgt": "*", "fun": "test.echo", "arg": ["x"]}'],
    "json of two": [
        '--json=[{"client": "local", "tgt": "*", "fun": "test.echo", "arg": ["x"]},'
        ' {"client": "runner", "fun": "manage.up"}]'
    ],
    "json file": ["--json-file=~/orders.json"],
    "output file": ["--output-file=~/output", *PING],
    "outputter": ["-o", "yaml", *PING],
    "debug": ["-H", *PING],
    "run": ["-r", *PING],
    "run with a runner": ["-r", "--client=runner", "manage.up"],
    "made token": ["-T", "-x", "~/cache", *PING],
    "made token for run": ["-T", "-r", "-x", "~/cache-run", *PING],
    "token expire": ["--token-expire=600", *PING],
    "ignored ssl": ["--ignore-ssl-errors", *PING],
    "fail if incomplete": ["--fail-if-incomplete", *PING],
    "fail if incomplete, missing": ["--fail-if-incomplete", "-L", "m1,m7", "test.ping"],
    "fail any": ["--fail-any", "*", "cmd.run", "exit 3"],
    "fail any none": ["--fail-any-none", *PING],
    "fail all": ["--fail-all", "*", "cmd.run", "exit 3"],
    "fail all none": ["--fail-all-none", "*", "cmd.run", "exit 3"],
}
RIGHTLESS = {
    "no right": ["*", "cmd.run", "id"],
    "no right to a runner": ["--client=runner", "manage.up"],
    "no right by run": ["-r", "*", "cmd.run", "id"],
}


@pytest.fixture(scope="module")
def ports(stock_bin, tmp_path_factory):
    """Yield ports of stock's front end and ours."""
    with both_apis(stock_bin, tmp_path_factory.mktemp("stock"), nodegroups={"web": "m*"}) as ports:
        yield ports


@pytest.fixture
def compare(ports, tmp_path):
    """Return a function that returns pepper's output at a port, without what differs between calls."""

    def run(port, words, user="ann", password=PASSWORD):
        home = tmp_path / str(port)
        home.mkdir(exist_ok=True)
        (home / "pepperrc").write_text("[other]\nSALTAPI_EAUTH=sharedsecret\n")
        (home / "orders.json").write_text('{"client": "local", "tgt": "*", "fun": "test.echo", "arg": ["y"]}')
        finished = subprocess.run(
            [sys.executable, "-W", "ignore", PEPPER, "-u", f"http://127.0.0.1:{port}", "-a", "sharedsecret"]
            + ["--username", user, "--password", password, "--non-interactive"]
            + [word.replace("~", str(home)) for word in words],
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
            check=False,
        )
        kept = sorted((path.name, path.stat().st_mode) for path in home.iterdir())
        return finished.returncode, _steady(finished.stdout), kept, finished.stderr

    return lambda words, **login: [run(port, words, **login) for port in ports]


def _steady(text):
    text = re.sub(r"\d{20}", "JID", text)
    text = re.sub(r"20\d\d-\d\d-\d\dT[\d:.+]+", "TIME", text)
    text = re.sub(r"[0-9a-f]{40,64}", "TOKEN", text)
    # Of what the option -H shows, the requests and headers of each server.
    text = re.sub(r"(?m)^(send|reply|header): .*\n", "", text).replace("salt-g run jobs", "salt-run jobs")
    text = re.sub(r'("(?:start|expire)": )[\d.]+', r"\1SECONDS", text)
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except ValueError:
        return text


@pytest.mark.parametrize("name", CALLS)
def test_an_option_has_the_same_effect(compare, name):
    stock, ours = compare(CALLS[name])

    assert ours[:3] == stock[:3], (stock, ours)


@pytest.mark.parametrize("name", RIGHTLESS)
def test_a_user_without_the_right_ends_alike(compare, name):
    stock, ours = compare(RIGHTLESS[name], user="bob")

    assert ours[:3] == stock[:3], (stock, ours)


def test_a_bad_password_ends_alike(compare):
    stock, ours = compare(PING, password="wrong")

    assert ours[:3] == stock[:3], (stock, ours)
    assert ours[0] != 0


def test_a_kept_token_needs_no_password(compare):
    words = ["-T", "-x", "~/cache", *PING]
    assert [one[0] for one in compare(words)] == [0, 0]

    stock, ours = compare(words, password="wrong")

    assert ours[:3] == stock[:3], (stock, ours)
    assert ours[0] == 0
