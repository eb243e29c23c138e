"""Plugins of a starting daemon: users' log handlers, and settings that name unknown sources."""

import pytest

HANDLER = """
import logging


def setup_handlers():
    handler = logging.FileHandler(__opts__["log_copy"])
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    return [handler]
"""
FAILS = """
def setup_handlers():
    raise OSError("no collector")
"""
WRONG = """
def setup_handlers():
    return "syslog"
"""


@pytest.fixture
def handlers(daemon_root):
    """Return a directory for the setting `log_handlers_dirs`."""
    directory = daemon_root / "handlers"
    directory.mkdir()
    return directory


def test_the_log_goes_to_users_handlers(start_master, daemon_root, handlers):
    (handlers / "copies.py").write_text(HANDLER)
    copy = daemon_root / "copy.log"

    start_master(log_handlers_dirs=[str(handlers)], log_copy=str(copy), log_level="info")

    assert "INFO salt_g.master.daemon listening on ports" in copy.read_text()


def test_a_handler_that_fails_is_named_and_left_out(start_master, daemon_root, handlers):
    (handlers / "copies.py").write_text(HANDLER)
    (handlers / "fails.py").write_text(FAILS)
    (handlers / "wrong.py").write_text(WRONG)
    copy = daemon_root / "copy.log"

    master = start_master(log_handlers_dirs=[str(handlers)], log_copy=str(copy))

    assert "log handler fails failed; logging continues without it" in master.log()
    assert "no collector" in master.log()
    assert "wrong.setup_handlers must return a logging.Handler, a list of handlers or False" in master.log()
    assert copy.exists()


def test_sources_without_a_plugin_are_named_at_the_start(start_master):
    settings = {"ext_pillar": [{"cmd_json": "echo {}"}, {"foreman": {}}], "master_tops": {"cobbler": {}}}

    log = start_master(**settings).log()

    assert "ext_pillar: 'foreman' has no effect: no plugin provides it" in log
    assert "master_tops: 'cobbler' has no effect: no plugin provides it" in log
    assert "'cmd_json'" not in log
