"""Returns of highstates that have no states to run."""

import logging

import pytest

from salt_g import api
from salt_g.api import CallContext
from salt_g.services.plugins import Services
from salt_g.state.run.no_states import NO_MATCH, NO_STATES, no_match, running


def calling(opts, **parts):
    """Return a context in which plugins of m1 are called."""
    return api.use(CallContext(opts={"id": "m1", **opts}, grains={}, pillar={}, services=Services(), **parts))


def test_the_entry_has_failed_and_says_why():
    assert running("because") == {
        NO_STATES: {
            "result": False,
            "comment": "because",
            "name": "No States",
            "changes": {},
            "__run_num__": 0,
        }
    }


@pytest.mark.parametrize(
    ("opts", "shown"),
    [
        ({}, "'top.sls' matches nothing for m1;"),
        (
            {"state_top": "t.sls", "file_client": "local", "file_roots": {"base": ["/srv"]}},
            "'t.sls' matches nothing for m1 below {'base': ['/srv']};",
        ),
    ],
)
def test_the_log_says_where_a_top_file_was_looked_for(caplog, opts, shown):
    with calling(opts), caplog.at_level(logging.ERROR):
        found = no_match()

    assert found[NO_STATES]["comment"] == NO_MATCH
    assert shown in caplog.text


def test_a_resource_is_named():
    with calling({}, resource={"id": "d-01", "type": "dummy"}):
        (entry,) = no_match().values()

    assert entry["comment"].endswith("matches found for resource 'd-01'.")
    assert entry["name"] == "states"
