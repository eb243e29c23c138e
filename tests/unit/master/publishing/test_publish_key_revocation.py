"""Replacement of the publish key after a revocation."""

import os
import types

import pytest

from salt_g.event.bus import Bus
from salt_g.master.publishing.publish_key_revocation import DROP_FILE, PublishKeyRevocation
from salt_g.master.publishing.publish_keys import PublishKeys


@pytest.fixture
def keys(master_key):
    keys = PublishKeys(master_key)
    keys.current()
    return keys


@pytest.fixture
def renewed():
    return []


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def revocation(bus, keys, renewed):
    return PublishKeyRevocation(bus, keys, renew=lambda: renewed.append(keys.generation))


def test_a_minion_that_knew_the_key_ends_it(revocation, bus, keys, renewed):
    events = bus.watch()

    revocation.on_end(types.SimpleNamespace(id="m1", generation=1))

    assert (keys.generation, keys.text, renewed) == (2, b"", [2])
    assert events.take().data["rotate_aes_key"] is True


def test_a_minion_that_never_knew_it_changes_nothing(revocation, keys, renewed):
    revocation.on_end(types.SimpleNamespace(id="m1", generation=0))

    assert (keys.generation, renewed) == (1, [])


def test_a_drop_file_asks_for_a_new_key_once(revocation, keys, renewed, tmp_path):
    revocation.poll_drop_file(str(tmp_path))
    assert keys.generation == 1

    (tmp_path / DROP_FILE).touch()
    revocation.poll_drop_file(str(tmp_path))
    revocation.poll_drop_file(str(tmp_path))

    assert (keys.generation, renewed) == (2, [2])
    assert not (tmp_path / DROP_FILE).exists()


def test_a_drop_file_older_than_the_key_is_removed_only(revocation, keys, tmp_path):
    keys.expire()
    (tmp_path / DROP_FILE).touch()
    os.utime(tmp_path / DROP_FILE, (keys.since - 1, keys.since - 1))

    revocation.poll_drop_file(str(tmp_path))

    assert keys.generation == 2
    assert not (tmp_path / DROP_FILE).exists()
