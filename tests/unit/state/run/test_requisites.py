"""The table of verdicts."""

import pytest

from salt_g.state.run.requisites import Verdict, failed_targets, requisite_verdict

LOW = {"__sls__": "web", "__id__": "t"}
SAME = {"result": True, "changes": {}}
CHANGED = {"result": True, "changes": {"x": 1}}
FAILED = {"result": False, "changes": {}}
FAILED_CHANGED = {"result": False, "changes": {"x": 1}}
PLANNED = {"result": None, "changes": {"x": 1}}
NOT_RUN = {"result": True, "changes": {}, "__state_ran__": False}
NOT_RUN_FAILED = {"result": False, "changes": {}, "__state_ran__": False}
SKIPPING = {"result": True, "changes": {"x": 1}, "skip_req": True}


def verdict(**kinds):
    return requisite_verdict({kind: [(LOW, ret) for ret in rets] for kind, rets in kinds.items()})


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ({}, Verdict.MET),
        ({"require": [SAME, CHANGED]}, Verdict.MET),
        ({"require": [SAME, FAILED]}, Verdict.FAIL),
        ({"require": [PLANNED]}, Verdict.MET),
        ({"require": [NOT_RUN]}, Verdict.MET),
        ({"require_any": [FAILED, SAME]}, Verdict.MET),
        ({"require_any": [FAILED, FAILED]}, Verdict.FAIL),
        ({"watch": [SAME]}, Verdict.MET),
        ({"watch": [SAME, CHANGED]}, Verdict.CHANGE),
        ({"watch": [FAILED_CHANGED]}, Verdict.FAIL),
        ({"watch_any": [FAILED, CHANGED]}, Verdict.CHANGE),
        ({"watch_any": [FAILED]}, Verdict.FAIL),
        ({"onchanges": [CHANGED]}, Verdict.MET),
        ({"onchanges": [SAME]}, Verdict.ONCHANGES_QUIET),
        ({"onchanges": [SAME, CHANGED]}, Verdict.MET),
        ({"onchanges": [FAILED]}, Verdict.ONCHANGES_QUIET),
        ({"onchanges": [FAILED_CHANGED]}, Verdict.ONCHANGES_QUIET),
        ({"onchanges_any": [SAME, CHANGED]}, Verdict.MET),
        ({"onfail": [FAILED]}, Verdict.MET),
        ({"onfail": [SAME]}, Verdict.ONFAIL_QUIET),
        ({"onfail": [SAME, FAILED]}, Verdict.MET),
        ({"onfail": [PLANNED]}, Verdict.MET),
        ({"onfail": [SAME, NOT_RUN_FAILED]}, Verdict.ONFAIL_QUIET),
        ({"onfail_any": [SAME, FAILED]}, Verdict.MET),
        ({"onfail_all": [FAILED, FAILED]}, Verdict.MET),
        ({"onfail_all": [FAILED, SAME]}, Verdict.ONFAIL_QUIET),
        ({"prereq": [PLANNED]}, Verdict.MET),
        ({"prereq": [SAME]}, Verdict.NO_PREVIEW_CHANGES),
        ({"prereq": [SAME, PLANNED]}, Verdict.MET),
        ({"prereq": [FAILED]}, Verdict.FAIL),
        ({"require": [FAILED], "onchanges": [SAME]}, Verdict.FAIL),
        ({"watch": [CHANGED], "onchanges": [SAME]}, Verdict.ONCHANGES_QUIET),
        ({"onfail": [SAME], "onchanges": [CHANGED]}, Verdict.ONFAIL_QUIET),
        ({"onfail": [FAILED], "onchanges": [SAME]}, Verdict.ONCHANGES_QUIET),
        ({"prereq": [SAME], "onfail": [SAME]}, Verdict.NO_PREVIEW_CHANGES),
        ({"onchanges": [SKIPPING]}, Verdict.SKIP_REQUISITES),
        ({"watch": [SKIPPING]}, Verdict.SKIP_WATCH),
        ({"require": [SKIPPING]}, Verdict.MET),
    ],
)
def test_requisites_decide_by_the_results_before(kinds, expected):
    assert verdict(**kinds) is expected


def test_every_failed_target_is_named_once():
    other = {"__sls__": "web", "__id__": "o"}
    found = {"require": [(LOW, FAILED), (other, SAME)], "onfail": [(LOW, FAILED), (other, FAILED)]}

    assert failed_targets(found) == ["web.t", "web.o"]
