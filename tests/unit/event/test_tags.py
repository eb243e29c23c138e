"""Tags, which are those of stock."""

import pytest

from salt_g.event import tags

JID = "20260102030405678901"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (tags.job_new(JID), f"salt/job/{JID}/new"),
        (tags.job_publish(JID), f"salt/job/{JID}/publish"),
        (tags.job_return(JID, "m1"), f"salt/job/{JID}/ret/m1"),
        (tags.job_progress(JID, "m1", 3), f"salt/job/{JID}/prog/m1/3"),
        (tags.job_start(JID, "m1"), f"salt/job/{JID}/start/m1"),
        (tags.job_error(JID), f"salt/job/{JID}/error"),
        (tags.job_failed_state(JID, "m1", "state.sls"), f"salt/job/{JID}/sub/m1/error/state.sls"),
        (tags.state_result(JID, "m1", "web"), f"salt/state_result/{JID}/m1/web"),
        (tags.minion_start("m1"), "salt/minion/m1/start"),
        (tags.syndic_start("s1"), "salt/syndic/s1/start"),
        (tags.beacon("m1", "load"), "salt/beacon/m1/load/"),
        (tags.beacon("m1", "inotify", "/etc/x"), "salt/beacon/m1/inotify//etc/x"),
        (tags.minion_refresh("m1"), "minion/refresh/m1"),
        (tags.resource_refresh("m1"), "resource/refresh/m1"),
        (tags.run(JID), f"salt/run/{JID}"),
        (tags.run(JID, "ret"), f"salt/run/{JID}/ret"),
        (tags.wheel(JID, "new"), f"salt/wheel/{JID}/new"),
        (tags.wheel(JID), f"salt/wheel/{JID}"),
        (tags.batch(JID, "halted"), f"salt/batch/{JID}/halted"),
        (tags.rollout(JID, "wave"), f"salt/rollout/{JID}/wave"),
        (tags.rollout(JID), f"salt/rollout/{JID}"),
        (tags.cloud("vm", "created"), "salt/cloud/vm/created"),
        (tags.fileserver_update("roots"), "salt/fileserver/roots/update"),
        (tags.queue_process("q"), "salt/queue/q/process"),
        (tags.stats("MWorker"), "salt/stats/MWorker"),
    ],
)
def test_a_tag_is_spelled_as_in_stock(tag, expected):
    assert tag == expected


def test_everything_about_a_job_begins_alike():
    made = [tags.job_new(JID), tags.job_return(JID, "m1"), tags.job_error(JID)]

    assert all(tag.startswith(tags.job(JID)) for tag in made)
