"""Quota of a minion's pushed files."""

import pytest

from salt_g.master.serving.upload_quota import BLOCK, PAUSE, UploadQuota


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def budget(now):
    return UploadQuota(10 * BLOCK, clock=lambda: now[0])


def test_pieces_are_counted_until_there_is_no_room(budget, tmp_path):
    taken = [budget.admits(str(tmp_path), 4 * BLOCK) for _ in range(3)]

    assert taken == [True, True, False]


def test_existing_files_count(budget, tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").write_bytes(bytes(9 * BLOCK))

    assert not budget.admits(str(tmp_path), 2 * BLOCK)
    assert budget.admits(str(tmp_path), BLOCK)


def test_an_empty_file_counts_as_a_block(budget, tmp_path):
    taken = [budget.admits(str(tmp_path), 0) for _ in range(11)]

    assert taken == [True] * 10 + [False]


def test_room_that_became_free_is_seen_after_a_pause(budget, now, tmp_path):
    file = tmp_path / "f"
    file.write_bytes(bytes(10 * BLOCK))
    full = budget.admits(str(tmp_path), 1)
    file.unlink()

    at_once = budget.admits(str(tmp_path), 1)
    now[0] += PAUSE
    later = budget.admits(str(tmp_path), 1)

    assert (full, at_once, later) == (False, False, True)


def test_one_minion_uses_up_its_own_room(budget, tmp_path):
    first, second = str(tmp_path / "m1"), str(tmp_path / "m2")

    assert budget.admits(first, 10 * BLOCK) and not budget.admits(first, 1)
    assert budget.admits(second, 10 * BLOCK)


def test_no_limit_means_no_limit(tmp_path):
    assert UploadQuota(0).admits(str(tmp_path), 1 << 50)
