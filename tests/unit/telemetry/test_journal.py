"""Records in systemd's journal, with a datagram socket in its place."""

import io
import json
import logging
import os
import pathlib
import socket
import struct
import subprocess
import sys

import pytest

from salt_g.telemetry import journal


@pytest.fixture
def received(tmp_path):
    """Yield a fake journal: `received()` returns the fields of its next record."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.settimeout(10)
        yield lambda: fields_of(listener.recv(1 << 20))


@pytest.fixture
def logger(tmp_path):
    """Yield a logger whose records go to that journal."""
    fields = {"SYSLOG_IDENTIFIER": "salt-g-minion", "SALT_ID": "web1"}
    handler = journal.JournalHandler(fields, jid=lambda: "2026", address=str(tmp_path / "socket"))
    logger = logging.Logger("salt_g.some")
    logger.addHandler(handler)
    yield logger
    handler.close()


def fields_of(datagram):
    """Return the fields of a record, parsed as the journal does."""
    fields = {}
    while datagram:
        line, _, rest = datagram.partition(b"\n")
        name, is_short, value = line.partition(b"=")
        if not is_short:
            [size] = struct.unpack("<Q", rest[:8])
            value, rest = rest[8 : 8 + size], rest[8 + size + 1 :]
        fields[name.decode()] = value.decode()
        datagram = rest
    return fields


def test_a_record_has_priority_and_fields(logger, received):
    logger.warning("disk %s is full", "/srv")

    fields = received()
    assert fields["MESSAGE"] == "disk /srv is full"
    assert (fields["PRIORITY"], fields["LOGGER"]) == ("4", "salt_g.some")
    assert (fields["SYSLOG_IDENTIFIER"], fields["SALT_ID"], fields["SALT_JID"]) == (
        "salt-g-minion",
        "web1",
        "2026",
    )
    assert fields["CODE_FILE"] == __file__
    assert fields["CODE_FUNC"] == "test_a_record_has_priority_and_fields"
    assert int(fields["CODE_LINE"]) > 0


def test_a_peer_cannot_forge_a_field_with_a_line_end(logger, received):
    logger.error("first\nPRIORITY=0\nMESSAGE=second")

    fields = received()
    assert fields["MESSAGE"] == "first\nPRIORITY=0\nMESSAGE=second"
    assert fields["PRIORITY"] == "3"


@pytest.mark.parametrize(
    ("level", "priority"), [("CRITICAL", 2), ("ERROR", 3), ("WARNING", 4), ("INFO", 6), ("DEBUG", 7)]
)
def test_levels_are_priorities_of_syslog(level, priority):
    assert journal.priority_of(getattr(logging, level)) == priority


def test_without_a_journal_lines_carry_their_priority(logger, monkeypatch):
    console = io.StringIO()
    monkeypatch.setattr(sys, "stderr", console)

    logger.error("one\ntwo")

    assert console.getvalue() == "<3>one\n<3>two\n"


def test_a_journal_that_does_not_read_blocks_no_logger(logger, received, monkeypatch):
    console = io.StringIO()
    monkeypatch.setattr(sys, "stderr", console)

    for number in range(5000):
        logger.warning("line %d", number)

    assert received()["MESSAGE"] == "line 0"
    assert console.getvalue().endswith("<4>line 4999\n")


def test_only_the_stream_that_the_variable_names_is_the_journal(tmp_path):
    code = (
        "import os; from salt_g.telemetry.journal import is_standard_error as asked\n"
        "print(asked()); s = os.fstat(2)\n"
        "os.environ['JOURNAL_STREAM'] = f'{s.st_dev}:{s.st_ino}'; print(asked())\n"
        "os.environ['JOURNAL_STREAM'] = '1:2'; print(asked())"
    )

    with open(tmp_path / "stderr", "wb") as stderr:
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=stderr, text=True, check=True,
            env={name: value for name, value in os.environ.items() if name != "JOURNAL_STREAM"},
        )  # fmt: skip

    assert done.stdout.split() == ["False", "True", "False"]


@pytest.mark.skipif(os.path.exists(journal.SOCKET), reason="the real journal would take the lines")
def test_a_program_of_a_service_logs_for_the_journal(tmp_path):
    settings = {"id": "web1", "log_level": "debug", "file_client": "local", "root_dir": str(tmp_path)}
    (tmp_path / "minion").write_text(json.dumps(settings))
    read, write = os.pipe()
    status = os.fstat(write)

    subprocess.run(
        [pathlib.Path(sys.executable).with_name("salt-g"), "call", "-c", tmp_path, "test.ping"],
        stdout=subprocess.DEVNULL, stderr=write, check=True,
        env={**os.environ, "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"},
    )  # fmt: skip
    os.close(write)

    with open(read, encoding="utf-8") as stream:
        assert "<7>test.ping received for minion 'web1'\n" in stream.read()
