"""The table of verdicts."""

import pytest

from salt_g.state.run.requisites import RequisiteVerdict, failed_targets, requisite_verdict

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
        ({}, RequisiteVerdict.MET),
        ({"require": [SAME, CHANGED]}, RequisiteVerdict.MET),
        ({"require": [SAME, FAILED]}, RequisiteVerdict.FAIL),
        ({"require": [PLANNED]}, RequisiteVerdict.MET),
        ({"require": [NOT_RUN]}, RequisiteVerdict.MET),
        ({"require_any": [FAILED, SAME]}, RequisiteVerdict.MET),
        ({"require_any": [FAILED, FAILED]}, RequisiteVerdict.FAIL),
        ({"watch": [SAME]}, RequisiteVerdict.MET),
        ({"watch": [SAME, CHANGED]}, RequisiteVerdict.CHANGE),
        ({"watch": [FAILED_CHANGED]}, RequisiteVerdict.FAIL),
        ({"watch_any": [FAILED, CHANGED]}, RequisiteVerdict.CHANGE),
        ({"watch_any": [FAILED]}, RequisiteVerdict.FAIL),
        ({"onchanges": [CHANGED]}, RequisiteVerdict.MET),
        ({"onchanges": [SAME]}, RequisiteVerdict.ONCHANGES_QUIET),
        ({"onchanges": [SAME, CHANGED]}, RequisiteVerdict.MET),
        ({"onchanges": [FAILED]}, RequisiteVerdict.ONCHANGES_QUIET),
        ({"onchanges": [FAILED_CHANGED]}, RequisiteVerdict.ONCHANGES_QUIET),
        ({"onchanges_any": [SAME, CHANGED]}, RequisiteVerdict.MET),
        ({"onfail": [FAILED]}, RequisiteVerdict.MET),
        ({"onfail": [SAME]}, RequisiteVerdict.ONFAIL_QUIET),
        ({"onfail": [SAME, FAILED]}, RequisiteVerdict.MET),
        ({"onfail": [PLANNED]}, RequisiteVerdict.MET),
        ({"onfail": [SAME, NOT_RUN_FAILED]}, RequisiteVerdict.ONFAIL_QUIET),
        ({"onfail_any": [SAME, FAILED]}, RequisiteVerdict.MET),
        ({"onfail_all": [FAILED, FAILED]}, RequisiteVerdict.MET),
        ({"onfail_all": [FAILED, SAME]}, RequisiteVerdict.ONFAIL_QUIET),
        ({"prereq": [PLANNED]}, RequisiteVerdict.MET),
        ({"prereq": [SAME]}, RequisiteVerdict.NO_PREVIEW_CHANGES),
        ({"prereq": [SAME, PLANNED]}, RequisiteVerdict.MET),
        ({"prereq": [FAILED]}, RequisiteVerdict.FAIL),
        ({"require": [FAILED], "onchanges": [SAME]}, RequisiteVerdict.FAIL),
        ({"watch": [CHANGED], "onchanges": [SAME]}, RequisiteVerdict.ONCHANGES_QUIET),
        ({"onfail": [SAME], "onchanges": [CHANGED]}, RequisiteVerdict.ONFAIL_QUIET),
        ({"onfail": [FAILED], "onchanges": [SAME]}, RequisiteVerdict.ONCHANGES_QUIET),
        ({"prereq": [SAME], "onfail": [SAME]}, RequisiteVerdict.NO_PREVIEW_CHANGES),
        ({"onchanges": [SKIPPING]}, RequisiteVerdict.SKIP_REQUISITES),
        ({"watch": [SKIPPING]}, RequisiteVerdict.SKIP_WATCH),
        ({"require": [SKIPPING]}, RequisiteVerdict.MET),
    ],
)
def test_requisites_decide_by_the_results_before(kinds, expected):
    assert verdict(**kinds) is expected


def test_every_failed_target_is_named_once():
    other = {"__sls__": "web", "__id__": "o"}
    found = {"require": [(LOW, FAILED), (other, SAME)], "onfail": [(LOW, FAILED), (other, FAILED)]}

    assert failed_targets(found) == ["web.t", "web.o"]
