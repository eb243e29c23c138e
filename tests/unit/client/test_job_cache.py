"""The cached data of a job, from our master or from a stock master's files."""

import hashlib

import pytest

from salt_g.client.job_cache import CachedJob, cached_job
from salt_g.errors import AuthorizationError, ClientError
from salt_g.wire.packing import pack

JID = "20260102030405678901"


def test_our_master_answers_itself(link):
    link.answer = lambda load: {"load": {"fun": "f"}, "returns": {"a": {"return": 1}}}

    assert cached_job(link, {}, JID, "ops") == CachedJob({"fun": "f"}, {"a": {"return": 1}})
    assert link.requests == [{"cmd": "job", "jid": JID, "user": "ops"}]


def test_an_unknown_job_is_empty(link):
    link.answer = lambda load: {"load": None, "returns": {}}

    assert cached_job(link, {}, JID, "ops") == CachedJob({}, {})


@pytest.mark.parametrize(
    ("error", "kind"),
    [({"name": "AuthorizationError", "message": "not yours"}, AuthorizationError), ("broken", ClientError)],
)
def test_a_refusal_is_raised(link, error, kind):
    link.answer = lambda load: {"error": error}

    with pytest.raises(kind, match="not yours|broken"):
        cached_job(link, {}, JID, "ops")


def test_a_stock_masters_files_are_read_where_it_does_not_know_the_question(link, tmp_path):
    digest = hashlib.sha256(JID.encode()).hexdigest()
    directory = tmp_path / "jobs" / digest[:2] / digest[2:]
    (directory / "a").mkdir(parents=True)
    (directory / ".load.p").write_bytes(pack({"fun": "f"}))
    (directory / "a" / "return.p").write_bytes(pack({"return": 4}))

    assert cached_job(link, {"cachedir": str(tmp_path)}, JID, "ops") == CachedJob(
        {"fun": "f"}, {"a": {"return": 4}}
    )
