"""Requests that publish a job, and the answers of masters."""

import pytest

from salt_g.client.publishing import JobRequest, Published, publish_load, read_reply, resolved, with_keywords
from salt_g.errors import (
    AuthenticationError,
    AuthorizationError,
    ClientError,
    JobLocked,
    JobMalformed,
    TargetError,
)

JID = "20260102030405678901"


def test_keywords_travel_as_a_last_marked_map():
    assert with_keywords(["a"], {"b": 1}) == ["a", {"__kwarg__": True, "b": 1}]
    assert with_keywords(["a"], {}) == ["a"]


def test_a_job_id_that_was_read_as_a_number_is_text_again():
    assert with_keywords([int(JID), 5], None) == [JID, 5]


def test_a_load_has_stocks_fields():
    job = JobRequest("web*", "test.arg", [1], ret="redis")

    load = publish_load(
        job, {"metadata": {"a": 1}}, opts={"ext_job_cache": "pgjsonb"}, user="root", timeout=9
    )

    assert load == {
        "cmd": "publish",
        "tgt": "web*",
        "tgt_type": "glob",
        "fun": "test.arg",
        "arg": [1],
        "ret": "redis,pgjsonb",
        "jid": "",
        "user": "root",
        "kwargs": {"metadata": {"a": 1}},
    }


def test_a_nodegroup_is_sent_as_what_it_means():
    groups = {"web": "L@a,b", "all": "N@web or db*"}

    assert resolved("all", "nodegroup", groups) == ("( ( L@a,b ) or db* )", "compound")
    assert resolved("x and N@web", "compound", groups) == ("x and ( L@a,b )", "compound")


def test_a_nodegroup_that_does_not_exist_is_refused():
    with pytest.raises(TargetError, match="'none' does not exist"):
        resolved("none", "nodegroup", {})


def test_a_job_that_was_published_is_read():
    reply = {"enc": "clear", "load": {"jid": JID, "minions": ["a", "b"]}}

    assert read_reply(reply) == Published(JID, ["a", "b"])


def test_a_target_without_minions_is_not_an_error():
    reply = {
        "enc": "clear",
        "load": {"jid": None, "minions": [], "error": "Master could not resolve minions"},
    }

    assert read_reply(reply) is None


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("", AuthenticationError),
        ({"error": {"name": "AuthenticationError", "message": "no"}}, AuthenticationError),
        ({"error": {"name": "EauthAuthenticationError", "message": "no"}}, AuthenticationError),
        ({"error": {"name": "AuthorizationError", "message": "no"}}, AuthorizationError),
        ({"error": "disk full"}, ClientError),
        ({"enc": "clear", "load": {"error": "The job was not published: disk full"}}, ClientError),
        ("bad load", ClientError),
        ({}, ClientError),
        (None, ClientError),
    ],
)
def test_refusals_are_raised(reply, kind):
    with pytest.raises(kind):
        read_reply(reply)


def test_a_job_that_locks_refuse_is_distinguished_from_other_problems():
    with pytest.raises(JobLocked, match="by ann"):
        read_reply({"load": {"error": "locked by ann", "locked": True}})


def test_a_malformed_job_is_distinguished_from_other_problems():
    with pytest.raises(JobMalformed, match="does not exist"):
        read_reply({"load": {"error": "target type '' does not exist", "malformed": True}})


def test_a_job_kept_for_absent_minions_is_published_even_if_none_is_connected():
    kept = {"order": "7", "kept": ["m2"], "until": 5.0}

    assert read_reply({"load": {"jid": "", "minions": [], **kept}}) == Published("", [], ("7", ["m2"], 5.0))
    assert read_reply({"load": {"jid": "7", "minions": ["m1"], **kept}}).minions == ["m1"]
    with pytest.raises(ClientError, match="full"):
        read_reply({"load": {"error": "the mailbox is full"}})
