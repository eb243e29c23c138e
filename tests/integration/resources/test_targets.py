"""Minions and resources selected by each form of a target."""

import json

import pytest

DUMMIES = ("d-01", "d-02", "d-03", "e-01", "dummy:web-02")
OF_M1 = ("d-01", "d-02", "d-03", "web-01", "thing:web-02")
OF_M2 = ("e-01", "dummy:web-02")


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["m1"], ["m1"]),
        (["d-01"], ["d-01"]),
        (["*"], ["m1", "m2", *OF_M1, *OF_M2]),
        (["m2*"], ["m2", *OF_M2]),
        (["d-*"], ["d-01", "d-02", "d-03"]),
        (["thing:web-02"], ["thing:web-02"]),
        (["-E", "m2"], ["m2"]),
        (["-E", "d-0."], ["d-01", "d-02", "d-03"]),
        (["-L", "d-01,m1"], ["m1", "d-01"]),
        (["-I", "role:x"], ["m1"]),
        (["-I", "host:192.0.2.1"], ["web-01"]),
        (["-S", "198.51.100.0/24"], ["web-01"]),
        (["-G", "resource_id:d-0*"], ["d-01", "d-02", "d-03"]),
        (["-G", "os:Fedora"], ["thing:web-02"]),
        (["-N", "first"], ["m2", "d-01"]),
        (["-C", "T@dummy"], DUMMIES),
        (["-C", "T@dummy:d-02"], ["d-02"]),
        (["-C", "T@dummy:web-02"], ["dummy:web-02"]),
        (["-C", "M@m1"], ["m1"]),
        (["-C", "M@m1 and T@dummy"], ["d-01", "d-02", "d-03"]),
        (["-C", "m2 and T@dummy"], OF_M2),
        (["-C", "I@role:x and T@dummy"], ["d-01", "d-02", "d-03"]),
        (["-C", "T@dummy or m1"], ["m1", *DUMMIES]),
        (["-C", "T@dummy and G@resource_id:d-02"], ["d-02"]),
        (["-C", "T@dummy and not L@d-01 and not M@m2"], ["d-02", "d-03"]),
        (["-C", "not T@dummy"], ["m1", "m2", "web-01", "thing:web-02"]),
        (["-C", "d-01 or d-02"], ["d-01", "d-02"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_exactly_the_targeted_minions_answer(fleet, words, ids):
    answers, code, result = fleet.salt(*words, "test.ping")

    assert answers == dict.fromkeys(ids, True), result
    assert code == 0


def test_each_of_two_resources_with_one_id_answers_for_itself(fleet):
    answers, _, _ = fleet.salt("thing:web-02", "test.whoami")

    assert answers == {"thing:web-02": {"id": "web-02", "type": "thing"}}


def test_an_id_of_two_types_is_refused_with_both_names(fleet):
    answers, code, result = fleet.salt("web-02", "test.ping")

    assert answers == {}
    assert code != 0
    assert "dummy:web-02 and thing:web-02" in result


def test_an_unregistered_resource_is_reported_at_once(fleet):
    answers, code, result = fleet.salt("-C", "T@dummy:nope", "test.ping")

    assert (answers, code != 0) == ({}, True)
    assert "resource dummy:nope is not registered" in result


def test_a_type_without_resources_selects_none(fleet):
    assert fleet.salt("-C", "T@nosuch", "test.ping")[:2] == ({}, 2)


def test_an_unknown_id_of_a_list_is_missing(fleet):
    answers, code, _ = fleet.salt("-L", "d-01,nope", "test.ping")

    assert answers["d-01"] is True
    assert "did not return" in str(answers["nope"])
    assert code == 1


def test_a_function_that_a_type_lacks_fails_for_it(fleet):
    answers, code, _ = fleet.salt("d-01", "test.whoami")

    assert "is not supported for resource type 'dummy'" in answers["d-01"]
    assert code == 1


def test_a_minion_only_function_goes_to_no_resource(fleet):
    answers, code, _ = fleet.salt("*", "saltutil.running")

    assert (set(answers), code) == ({"m1", "m2"}, 0)


def test_a_minion_only_function_for_resources_is_refused_with_their_minion(fleet):
    answers, code, result = fleet.salt("-C", "T@thing", "saltutil.refresh_pillar")

    assert (answers, code != 0) == ({}, True)
    assert "saltutil.refresh_pillar is for minions; target the managing minion (m1)" in result


def test_several_functions_are_answered_by_resources_too(fleet):
    answers, _code, result = fleet.salt("-L", "d-01,m1", "test.ping,pkg.list_pkgs", ",")

    assert answers["d-01"]["test.ping"] is True, result
    assert answers["m1"]["test.ping"] is True, result


def test_a_batch_works_through_resources(fleet):
    answers, code, result = fleet.salt("-b", "2", "-C", "T@dummy and M@m1", "test.ping")

    assert set(answers) >= {"d-01", "d-02", "d-03"}, result
    assert code == 0


def test_the_job_shows_the_target_as_written_and_the_minions_that_answered(fleet):
    fleet.salt("-C", "M@m1 and T@dummy", "test.ping", "--metadata={a: b}")
    newest = sorted(fleet.run("jobs.list_jobs", "search_target=M@m1 and T@dummy").items())[-1]

    found = fleet.run("jobs.print_job", newest[0])[newest[0]]

    assert newest[1]["Target"] == "M@m1 and T@dummy"
    assert set(found["Result"]) == {"d-01", "d-02", "d-03"}


def test_why_a_target_means_a_resource_is_explained(fleet):
    result = json.loads(
        fleet._done("match", "--explain", "--out=json", "-C", "M@m1 and T@dummy and not d-02").out
    )

    assert sorted(name for name, one in result.items() if one["matched"]) == ["d-01", "d-03"]
    assert result["e-01"]["terms"][:2] == [
        {"term": "M@m1", "matched": False, "compared": "minion", "value": "m2"},
        {"term": "T@dummy", "matched": True, "compared": "name", "value": "dummy:e-01"},
    ]
    assert result["m1"]["matched"] is False
