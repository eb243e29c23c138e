import io
import json
import logging
import os
import subprocess
import sys

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.telemetry import log

OPTS = {
    "log_level": "info",
    "log_level_logfile": None,
    "log_file": "/nonexistent/salt-g/log",
    "log_fmt_console": "[%(levelname)-8s] %(message)s",
    "log_fmt_logfile": "%(asctime)s,%(msecs)03d [%(name)-17s:%(lineno)-4d][%(levelname)-8s] %(message)s",
    "log_datefmt": "%H:%M:%S",
    "log_datefmt_logfile": "%Y-%m-%d %H:%M:%S",
    "log_fmt_jid": "[JID: %(jid)s]",
    "log_fmt_minion_id": "[%(minion_id)s]",
    "id": "web1",
}


@pytest.fixture
def set_up(monkeypatch, tmp_path):
    """Yield a function that sets up logging with changed settings, and returns the console's text."""
    console = io.StringIO()
    level, class_ = logging.root.level, logging.getLoggerClass()

    def make(console_level=None, **changes):
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setattr(sys, "stderr", console)
        opts = {**OPTS, "log_file": str(tmp_path / "logs" / "minion"), **changes}
        log.set_up(opts, console_level=console_level)
        return console

    yield make
    log._remove_handlers()
    logging.root.setLevel(level)
    logging.setLoggerClass(class_)


def test_console_lines_have_the_form_of_the_settings(set_up):
    console = set_up()

    logging.getLogger("salt_g.some").info("job %s done", 7)

    assert console.getvalue() == "[INFO    ] job 7 done\n"


def test_messages_below_the_level_are_not_shown(set_up):
    console = set_up(console_level="error", log_level_logfile="quiet")

    logging.getLogger("salt_g.some").warning("odd")

    assert console.getvalue() == ""


def test_quiet_shows_nothing_at_all(set_up):
    console = set_up(log_level="quiet", log_level_logfile="quiet")

    logging.getLogger("salt_g.some").critical("fire")

    assert console.getvalue() == ""


def test_text_of_others_cannot_forge_a_line(set_up):
    console = set_up()

    logging.getLogger("salt_g.some").info("id %s", "x\n[INFO    ] key accepted\r\x1b[2K\x85")

    assert console.getvalue() == "[INFO    ] id x\n    [INFO    ] key accepted\\r\\x1b[2K\\x85\n"


def test_text_of_an_exception_cannot_forge_a_line(set_up):
    console = set_up()

    try:
        raise ValueError("x\n[INFO    ] key accepted")
    except ValueError:
        logging.getLogger("salt_g.some").exception("failed")

    assert "\n[INFO" not in console.getvalue()
    assert "\n    ValueError: x\n" in console.getvalue()


def test_one_message_cannot_fill_the_disk():
    text = log.sanitize("x" * 100_000)

    assert len(text) < 66_000
    assert text.endswith("(34464 more characters)")


def test_the_file_is_made_with_the_first_line_and_is_private(set_up, tmp_path):
    set_up()
    path = tmp_path / "logs" / "minion"
    assert not path.exists()

    logging.getLogger("salt_g.some").info("first")

    assert path.read_text().endswith("[INFO    ] first\n")
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_a_file_that_cannot_be_opened_is_reported_once_on_the_console(set_up, tmp_path):
    (tmp_path / "file").write_text("")
    console = set_up(log_file=str(tmp_path / "file" / "log"))

    logging.getLogger("salt_g.some").info("first")
    logging.getLogger("salt_g.some").info("second")

    assert console.getvalue().count("Failed to open log file") == 1
    assert "second" in console.getvalue()


def test_levels_of_single_loggers_hold_for_ours_too(set_up):
    console = set_up(log_granular_levels={"salt.quietroom": "error"})

    logging.getLogger("salt_g.quietroom").info("not shown")

    assert console.getvalue() == ""
    logging.getLogger("salt_g.quietroom").setLevel(logging.NOTSET)
    logging.getLogger("salt.quietroom").setLevel(logging.NOTSET)


def test_users_modules_have_the_further_levels(set_up):
    console = set_up(log_level="trace", log_fmt_console="%(levelname)s %(funcName)s %(message)s")
    logger = logging.getLogger("user.module.of.this.test")

    logger.trace("seen")
    logger.garbage("not seen")

    assert console.getvalue() == "TRACE test_users_modules_have_the_further_levels seen\n"


def test_a_traceback_can_be_asked_for_from_a_level_on(set_up):
    console = set_up()
    logger = logging.getLogger("user.module.of.another.test")

    try:
        raise ValueError("reason")
    except ValueError:
        logger.error("short", exc_info_on_loglevel=logging.DEBUG)
        logger.error("long", exc_info_on_loglevel=logging.INFO)

    assert console.getvalue().startswith("[ERROR   ] short\n[ERROR   ] long\n    Traceback")


def test_formats_may_use_the_fields_of_stock(set_up):
    console = set_up(log_fmt_console="%(colorlevel)s%(bracketname)s%(minion_id)s%(jid)s %(message)s")
    token = log.current_jid.set("2026")

    logging.getLogger("a").warning("text")

    log.current_jid.reset(token)
    assert console.getvalue() == "\033[0;1;33m[WARNING ]\033[0;0m[a                ][web1][JID: 2026] text\n"


def test_setting_up_twice_shows_lines_once(set_up):
    set_up()
    console = set_up()

    logging.getLogger("salt_g.some").info("once")

    assert console.getvalue().count("once") == 1


def test_native_threads_that_log_do_not_meet_at_locks_of_greenlets(tmp_path):
    code = (
        "from gevent import monkey; monkey.patch_all()\n"
        "import logging\n"
        "from salt_g.telemetry import log\n"
        f"log.set_up({{**{OPTS!r}, 'log_file': {str(tmp_path / 'log')!r}}}, counts_floods=True)\n"
        "locks = [logging._lock, *(handler.lock for handler in logging.root.handlers)]\n"
        "print({type(lock).__module__ for lock in locks})\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert (done.stdout, done.stderr) == ("{'_thread'}\n", "")


def test_a_hidden_call_is_logged_as_hidden(set_up):
    console = set_up()
    token = log.is_hidden.set(True)

    try:
        raise RuntimeError("secret")
    except RuntimeError:
        logging.getLogger("salt_g.some").exception("the %s word", "secret")
    log.is_hidden.reset(token)
    logging.getLogger("salt_g.some").error("an open word")

    hidden = "[ERROR   ] (not shown, because of no_log)\n"
    assert console.getvalue() == hidden + "[ERROR   ] an open word\n"


@pytest.mark.parametrize("form", ["[%(levelname)-8s] %(message)s", "json"])
def test_errors_of_commands_and_tracebacks_do_not_show_what_they_quote(set_up, form):
    console = set_up(log_fmt_console=form)

    try:
        raise CommandExecutionError("psql said: password = s3cret")
    except CommandExecutionError as exc:
        logging.getLogger("salt_g.some").exception("%s failed: %s", "pg.do", exc)

    assert "pg.do failed: psql said: password = REDACTED" in console.getvalue()
    assert "CommandExecutionError: psql said: password = REDACTED" in console.getvalue()
    assert console.getvalue().count("s3cret") == 1, "the line of code alone"


def test_json_lines_have_fields_and_stay_one_line(set_up):
    console = set_up(log_fmt_console="json", log_level_logfile="quiet")
    token = log.current_jid.set("20260102030405678901")

    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("salt_g.some").exception("job %s\nfailed", 7)
    finally:
        log.current_jid.reset(token)

    [line] = console.getvalue().splitlines()
    fields = json.loads(line)
    assert (fields["level"], fields["logger"], fields["id"]) == ("error", "salt_g.some", "web1")
    assert (fields["message"], fields["jid"]) == ("job 7\nfailed", "20260102030405678901")
    assert fields["exception"].endswith("ValueError: two\nlines")
    assert fields["time"].endswith("+00:00")


def test_json_lines_of_what_is_no_text_are_valid_for_strict_readers(set_up):
    console = set_up(log_fmt_console="json", log_level_logfile="quiet")
    name = b"caf\xe9\x00".decode("utf-8", "surrogateescape")

    record = logging.makeLogRecord({"msg": "%s: %r\u2028\x1b[31m", "args": (name, b"\xff\n"), "name": "x"})
    # Not through a logger: the report of a test, which has its log, cannot hold such text.
    log._handlers[0].handle(record)

    [line] = console.getvalue().splitlines()
    assert "\\ud" not in line.replace("\\\\ud", "")
    assert json.loads(line)["message"] == "caf\\udce9\x00: b'\\xff\\n'\u2028\x1b[31m"


def test_the_log_file_has_a_json_format_of_its_own(set_up, tmp_path):
    console = set_up(log_fmt_logfile="json")

    logging.getLogger("salt_g.some").info("done")

    assert console.getvalue() == "[INFO    ] done\n"
    assert json.loads((tmp_path / "logs" / "minion").read_text())["message"] == "done"


def test_a_syslog_that_does_not_run_is_reported_once(set_up, tmp_path):
    console = set_up(log_file=f"file://{tmp_path}/no-syslog")

    logging.getLogger("salt_g.some").info("one")
    logging.getLogger("salt_g.some").info("two")

    assert console.getvalue().count("Failed to open log file") == 1
    assert "Traceback" not in console.getvalue()


def test_a_log_file_that_cannot_be_written_is_reported_once(set_up):
    console = set_up(log_file="/dev/full")

    logging.getLogger("a").warning("one")
    logging.getLogger("a").warning("two")

    assert (
        console.getvalue().count(
            "cannot write to the log file /dev/full: No space left on device; lines are lost"
        )
        == 1
    )
    assert "Traceback" not in console.getvalue()
