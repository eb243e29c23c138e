"""The same command lines for stock's tools and ours, on one stock master: the same output."""

import json
import os
import re
import subprocess
import sys

import pytest

#: What differs between two runs of one program.
VOLATILE = [
    (re.compile(r"\b20\d{18}\b"), "{JID}"),
    # Each names its own program.
    (re.compile(r"salt-g run|salt-run"), "{RUN}"),
    (re.compile(r"^-{40,}$", re.MULTILINE), "{RULE}"),
    (re.compile(r"(Started: |Duration: |Total run time: +)\S+( ms)?"), r"\1{TIME}"),
]
#: Words, and the exit code of ours where it is another on purpose: stock's says 0 although no minion was
#: reached or one failed, or prints its help for what is no command.
COMMANDS = [
    (["m1", "test.ping"], None),
    (["m1", "test.ping", "-v"], None),
    (["m1", "test.ping", "--show-jid"], None),
    (["m1", "test.ping", "--summary"], None),
    (["m1", "test.ping", "-v", "--summary"], None),
    (["m1", "test.arg", "1", "a=[1, 2]", "--out=yaml"], None),
    (["m1", "cmd.run", "exit 3"], None),
    (["m1", "cmd.run", "exit 3", "--out=json"], None),
    (["m1", "cmd.run", "exit 3", "--static"], 1),
    (["m1", "no.such"], None),
    (["m1", "test.ping,test.echo", ",", "hi"], None),
    (["m1", "test.ping,test.echo"], None),
    (["m1", "test.ping,test.echo", "a,b,c"], None),
    (["m1", "test.ping", "-b", "1"], None),
    (["m1", "cmd.run", "exit 3", "-b", "50%"], None),
    (["m1", "test.ping", "--batch-safe-limit=1"], None),
    (["m1", "test.ping", "--preview-target"], None),
    (["zzz", "test.ping"], None),
    (["zzz", "test.ping", "--async"], 2),
    (["-G", "role:web", "test.echo", "x"], None),
    (["-N", "ones", "test.ping"], None),
    (["m1", "-d", "test.ping"], None),
    (["m1", "test.echo", "--out=txt", "a b"], None),
    (["m1", "test.echo", "--out=raw", "a b"], None),
    (["m1", "test.echo", "--return_kwargs={a: b}", "x"], None),
    (["m1", "test.echo", "--metadata={a: b}", "x"], None),
]
CLIENT = """
import json, sys
from {module} import LocalClient
client = LocalClient({conf!r})
told = [
    client.cmd("m1", "test.ping"),
    client.cmd("m1", "test.echo", ["x"], full_return=True),
    client.cmd("m1", ["test.ping", "test.echo"], [[], ["x"]]),
    client.cmd("zzz", "test.ping"),
    client.cmd_async("zzz", "test.ping"),
    list(client.cmd_iter("m1", "test.ping")),
    [one for one in client.cmd_iter_no_block("m1", "test.ping") if one],
    list(client.cmd_cli("m1", "test.ping")),
    list(client.cmd_batch("m1", "test.ping", batch="1")),
    client.cmd_subset("m1", "test.ping", subset=1),
    client.cmd_full_return("m1", "test.ping"),
    sorted(client.run_job("m1", "test.ping")),
    client.gather_minions("m1", "glob"),
]
print(json.dumps(told))
"""


@pytest.fixture
def both(fleet, tmp_path):
    """Run a command line with stock's `salt` and with ours; return both results."""
    if not (fleet.master.whose == "stock" and fleet.tools == "ours"):
        pytest.skip("compared on a stock master alone")

    # With a home of its own: a token in it would be used.
    env = {**os.environ, "HOME": str(tmp_path)}

    def run(*words):
        stock = [str(fleet.stock_bin / "salt"), "-c", str(fleet.master.conf), *words]
        ours = subprocess.run(
            fleet.command("salt", *words),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=150, env=env,
        )  # fmt: skip
        return outcome_of(fleet.stock(stock, env)), outcome_of(ours)

    return run


def outcome_of(done):
    """Return (exit code, output without volatile parts)."""
    text = done.stdout
    for pattern, stands in VOLATILE:
        text = pattern.sub(stands, text)
    return done.returncode, text.rstrip("\n")


@pytest.mark.parametrize(("words", "code"), COMMANDS, ids=[" ".join(words) for words, _ in COMMANDS])
def test_commands_have_stocks_output_and_exit_codes(both, words, code):
    (stock_code, stock_text), (our_code, our_text) = both(*words)

    assert comparable(our_text, words) == comparable(stock_text, words)
    assert our_code == (stock_code if code is None else code)


def comparable(text, words):
    """Return text without the parts that only one of the two prints."""
    lines = text.splitlines()
    # Stock says of a job that was not published that it has the jid 0.
    if "--async" in words:
        lines = [line for line in lines if not line.endswith("job ID: 0")]
    # The order of a minion's own fields in a batch is that of its message.
    return sorted(lines) if "-b" in words else lines


def test_the_python_client_has_stocks_return_values(fleet):
    if not (fleet.master.whose == "stock" and fleet.tools == "ours"):
        pytest.skip("compared on a stock master alone")
    conf = str(fleet.master.conf / "master")

    stock = return_values_of(fleet.stock_bin / "python", "salt.client", conf)
    ours = return_values_of(None, "salt_g.client", conf)

    assert ours == stock


def return_values_of(python, module, conf):
    done = subprocess.run(
        [str(python or sys.executable), "-W", "ignore", "-c", CLIENT.format(module=module, conf=conf)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(VOLATILE[0][0].sub("{JID}", done.stdout.splitlines()[-1]))
