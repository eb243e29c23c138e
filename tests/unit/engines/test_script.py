"""The engine `script` with real programs; the service `events` takes its events."""

import os
import shlex
import sys

import pytest

from salt_g.engines import script
from salt_g.errors import CommandExecutionError


class Enough(Exception):
    """Stops an engine, which would otherwise run forever."""


class Bus:
    """Takes events up to the wanted number."""

    def __init__(self, wanted):
        self.fired, self._wanted = [], wanted

    def fire(self, tag, data):
        self.fired.append((tag, data))
        if len(self.fired) == self._wanted:
            raise Enough


@pytest.fixture
def run(call_context):
    """Return a function that runs a program as a master's engine until `wanted` events have been fired."""

    def start(code, wanted, **options):
        bus = Bus(wanted)
        call_context(opts={"__role": "master", "id": "m_master"}, events=bus)
        with pytest.raises(Enough):
            script.start(f"{sys.executable} -c {shlex.quote(code)}", interval=0, **options)
        return bus.fired

    return start


def test_each_line_is_an_event(run):
    code = """print('{"tag": "a/b", "data": {"x": 1}}'); print('{"tag": "c", "data": {"id": "me"}}')
print('{"tag": "empty"}')"""

    assert run(code, 4) == [
        ("a/b", {"x": 1, "id": "m_master"}),
        ("c", {"id": "me"}),
        ("empty", {}),
        # The program has been started again.
        ("a/b", {"x": 1, "id": "m_master"}),
    ]


def test_lines_are_read_as_yaml_where_that_is_wanted(run):
    assert run("print('{tag: a, data: {x: yes}}')", 1, output="yaml") == [
        ("a", {"x": True, "id": "m_master"})
    ]


def test_with_onchange_what_is_as_before_is_not_reported(run, tmp_path):
    count = tmp_path / "count"
    count.write_text("0")
    code = f"""import json; n = int(open({str(count)!r}).read()); open({str(count)!r}, 'w').write(str(n + 1))
print(json.dumps({{"tag": "a", "data": {{"n": n // 3}}}}))"""

    assert [data["n"] for _, data in run(code, 3, onchange=True)] == [0, 1, 2]


def test_a_malformed_event_is_logged_and_skipped(run, caplog):
    code = """import sys
print('no json'); print('[1]'); print('{"tag": "a", "data": 3}'); print('{"tag": 7}'); print('')
sys.stdout.flush(); print('Traceback', file=sys.stderr); sys.stderr.flush()
print('{"tag": "ok"}')"""

    assert run(code, 1) == [("ok", {})]
    assert len(caplog.records) == 5
    assert caplog.records[0].message.endswith(r"'no json\n'")


def test_a_line_that_is_no_event_is_logged_without_its_passwords(run, caplog):
    code = """print('password: s3cret'); print('{"tag": "ok"}', flush=True)"""

    assert run(code, 1) == [("ok", {})]
    assert "password: REDACTED" in caplog.text
    assert "s3cret" not in caplog.text


def test_an_engine_that_ends_takes_its_program_along(run):
    code = """import os, signal
print('{"tag": "pid", "data": {"pid": %d}}' % os.getpid(), flush=True); signal.pause()"""

    ((_, data),) = run(code, 1)

    assert not os.path.exists(f"/proc/{data['pid']}")


def test_a_program_that_fails_is_logged_and_started_again(run, caplog):
    assert len(run("""print('{"tag": "a"}', flush=True); raise SystemExit(3)""", 2)) == 2
    assert "exited with code 3" in caplog.text


def test_on_a_minion_events_go_to_the_master(call_context):
    sent = []

    def send(tag, data):
        sent.append((tag, data))
        raise Enough

    call_context(opts={"__role": "minion", "id": "m1"}, functions={"event.send": send})
    with pytest.raises(Enough):
        script.start("""echo '{"tag": "a", "data": {"x": 1}}'""")

    assert sent == [("a", {"x": 1, "id": "m1"})]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cmd": ""}, "`cmd` is empty"),
        ({"cmd": "/no/such/program -a"}, "'/no/such/program' cannot be run"),
        ({"cmd": "true", "output": "nonsense"}, "output 'nonsense' is not a known format"),
    ],
)
def test_settings_that_cannot_be_used_are_named(call_context, options, words):
    call_context()

    with pytest.raises(CommandExecutionError, match=words):
        script.start(**options)
