"""Servers that refuse or do not answer: the URL and the seconds waited are in the result."""

import re
import socket

import pytest

#: No process listens there.
DEAD = "http://127.0.0.1:1"


@pytest.fixture
def silent():
    """Yield the URL of a server that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_source_that_cannot_be_fetched_is_reported_with_the_time(salt_g, tmp_path):
    outcome = salt_g(
        "state.single", "file.managed", f"{tmp_path}/f", f"source={DEAD}/f?key=secret", "skip_verify=True"
    )

    [returned] = outcome.value.values()
    assert outcome.code == 1
    assert re.search(rf"Connection refused reading {DEAD}/f, waited \d\.\d s", returned["comment"])


def test_a_missing_repository_is_reported_with_the_time(salt_g, tmp_path):
    outcome = salt_g("state.single", "git.latest", f"{DEAD}/r.git", f"target={tmp_path}/clone")

    [returned] = outcome.value.values()
    assert outcome.code == 1
    assert re.search(rf"{DEAD}/r.git/ was not reached, waited \d+\.\d s", returned["comment"])


def test_a_server_that_sends_nothing_is_given_up(salt_g, silent):
    outcome = salt_g("http.query", f"{silent}/x", http_request_timeout=1)

    assert re.fullmatch(rf"timed out reading {silent}/x, waited [1-9]\d*\.\d s", outcome.value["error"])
