"""Log lines from templates."""

import logging

import pytest

from salt_g.modules import logmod


@pytest.mark.parametrize("level", ["debug", "info", "warning", "error", "critical"])
def test_a_message_is_logged_at_its_level(caplog, level):
    caplog.set_level(logging.DEBUG)

    assert getattr(logmod, level)("100% odd") is True
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        (level.upper(), "100% odd")
    ]


def test_an_exception_that_is_handled_is_logged_too(caplog):
    try:
        raise ValueError("cause")
    except ValueError:
        logmod.exception("odd")

    assert caplog.records[0].exc_info[0] is ValueError
