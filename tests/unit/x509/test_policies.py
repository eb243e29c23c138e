"""Signing policies, which take precedence over a minion's request, also in old spellings."""

import pytest

from salt_g.x509.policies import as_mapping, enforced, revoked


def test_a_policy_may_be_a_list_and_is_not_shared():
    policy = [{"a": [1]}, {"b": 2}]

    made = as_mapping(policy)
    made["a"].append(2)

    assert (made, policy) == ({"a": [1, 2], "b": 2}, [{"a": [1]}, {"b": 2}])
    assert as_mapping(None) == {}


def test_settings_fixed_by_the_policy_cannot_be_overridden():
    requested = {"days_valid": 9999, "basicConstraints": "CA:TRUE", "CN": "a"}

    assert enforced({"days_valid": 30, "X509v3 Basic Constraints": "CA:FALSE"}, requested) == {
        "days_valid": 30,
        "basicConstraints": "CA:FALSE",
        "CN": "a",
    }


def test_an_old_spelling_does_not_get_around_a_policy():
    assert enforced({"keyUsage": "digitalSignature"}, {"X509v3 Key Usage": "keyCertSign"}) == {
        "keyUsage": "digitalSignature"
    }


@pytest.mark.parametrize(
    ("policy", "requested", "expected"),
    [
        ({"O": "Us"}, {"CN": "a", "O": "Other"}, {"O": "Us"}),
        ({"subject": {"O": "Us"}}, {"CN": "a", "O": "Other"}, {"subject": {"CN": "a", "O": "Us"}}),
        ({"subject": ["O=Us"]}, ["CN=a"], {"subject": ["O=Us", "CN=a"]}),
        ({"subject": "O=Us"}, {"CN": "a"}, {"subject": "O=Us"}),
        ({"days_valid": 1}, "CN=a", {"subject": "CN=a", "days_valid": 1}),
    ],
)
def test_subjects_are_merged_in_favour_of_the_policy(policy, requested, expected):
    assert enforced(policy, {"subject": requested}) == expected


def test_without_a_policy_arguments_stay():
    requested = {"subject": "CN=a"}

    assert enforced({}, requested) == requested
    assert enforced({}, requested) is not requested


def test_entries_of_old_revocation_lists_have_the_current_form():
    old = {"one": [{"serial_number": "AB"}, {"reason": "superseded"}]}
    new = {"certificate": "x", "reason": "unspecified", "extensions": {"invalidityDate": 1}}

    assert revoked([old, new]) == [
        {"serial_number": "AB", "extensions": {"CRLReason": "superseded"}},
        {"certificate": "x", "extensions": {"invalidityDate": 1, "CRLReason": "unspecified"}},
    ]
