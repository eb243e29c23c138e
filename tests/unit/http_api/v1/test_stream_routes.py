"""Routes of streams."""

import pytest

from salt_g.http_api.messages import Refusal


def test_steps_begin_with_what_is_known(call, master, parts):
    master.answers["job_steps"] = {"row": True, "steps": {"m1": {"total": 3}}}
    body = call("GET", "/jobs/1/steps").body

    assert next(body).startswith(b"tag: salt/job/1/step/m1\ndata: {")
    assert next(body).startswith(b"retry:")
    body.close()
    assert len(parts.streams) == 0


def test_a_client_that_comes_back_gets_no_old_steps(call, master, parts):
    master.answers["job_steps"] = {"row": True, "steps": {"m1": {"total": 3}}}
    body = call("GET", "/jobs/1/steps", headers={"last-event-id": f"{parts.events.boot}-0"}).body

    assert next(body) == b""
    body.close()


def test_steps_of_a_job_that_is_not_seen_are_not_there(call, master):
    master.answers["job_steps"] = {"row": None}
    with pytest.raises(Refusal) as refusal:
        call("GET", "/jobs/1/steps")
    assert refusal.value.status == 404
