"""All parts of a master, made in one pass over real files: shared objects, and their sockets."""

import os

from salt_g.shapes import MasterCall


def test_making_parts_starts_none_of_them(compose):
    parts, _, network, _ = compose()

    assert parts.servers.requests.addresses == []
    assert os.listdir(compose.root / "sock_dir") == []
    assert network.bus.subscriptions == ()


def test_a_key_that_is_accepted_on_disk_can_be_a_target(compose):
    parts, _, _, _ = compose()

    (compose.root / "pki_dir" / "minions" / "m1").write_text("key")

    assert parts.targeting.targets.resolve("*").minions == ["m1"]


def test_a_command_of_a_local_user_reaches_the_runners(compose):
    parts, _, _, _ = compose()

    done = parts.calls.runner_calls.outcome(MasterCall("runner", "test.arg", ["x"], {}, "root"))

    assert (done["success"], done["return"]["args"]) == (True, ["x"])


def test_metrics_of_all_groups_are_registered(compose):
    _, _, _, metrics = compose()

    names = {line.split("{")[0].split(" ")[0] for line in metrics.text().splitlines() if line[0] != "#"}

    assert {
        "salt_g_events_total",
        "salt_g_calls_running",
        "salt_g_keys_accepted",
        "salt_g_requests_open",
    } - names == set()
