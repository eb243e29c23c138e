"""Requests left unanswered during an outage, which is logged once."""

import logging

import pytest

from salt_g.errors import KeysUnavailable
from salt_g.master.admission.outage import Outage
from salt_g.transport.protocols import Postponed


def test_an_outage_is_logged_when_it_begins_and_when_it_ends(caplog):
    caplog.set_level(logging.INFO)
    outage = Outage()

    for _ in range(3):
        with pytest.raises(Postponed), outage.postponing("sign-ins"):
            raise KeysUnavailable("/pki", OSError(24, "Too many open files"))
    for _ in range(2):
        with outage.postponing("sign-ins"):
            pass

    assert caplog.text.count("left unanswered") == 1
    assert caplog.text.count("answered again") == 1


def test_other_errors_pass_unless_they_are_named():
    outage = Outage()

    with pytest.raises(OSError), outage.postponing("requests"):
        raise OSError
    with pytest.raises(Postponed), outage.postponing("sign-ins", OSError):
        raise OSError
