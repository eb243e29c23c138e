"""The record of a masterless machine: the last run of each call, bounded."""

import os
import stat

from salt_g.report.recording.local_reads import MOST, keep, kept, renew


def test_the_last_run_of_each_call_is_kept(tmp_path):
    keep(str(tmp_path), "web", 1.0, {"web": {"pillar:a": ""}})
    keep(str(tmp_path), "web", 2.0, {"web": {"pillar:b": ""}})

    assert kept(str(tmp_path)) == [{"call": "web", "at": 2.0, "names": {"web": {"pillar:b": ""}}}]
    (path,) = (tmp_path / "read_sets").iterdir()
    assert stat.S_IMODE(os.stat(tmp_path / "read_sets").st_mode) == 0o700 and path.suffix == ".json"


def test_a_run_that_has_read_the_same_is_newer(tmp_path):
    names = {"web": {"pillar:a": ""}}
    keep(str(tmp_path), "web", 1.0, names, "s1")

    assert renew(str(tmp_path), "web", 2.0, "s1") is True
    assert renew(str(tmp_path), "web", 3.0, "s2") is renew(str(tmp_path), "db", 3.0, "s1") is False
    assert kept(str(tmp_path)) == [{"call": "web", "at": 2.0, "names": names}]


def test_a_bounded_number_is_kept_and_damage_is_left_out(tmp_path):
    for number in range(MOST + 3):
        keep(str(tmp_path), f"call {number}", float(number), {})
    assert len(kept(str(tmp_path))) == MOST

    next((tmp_path / "read_sets").iterdir()).write_text("{")
    assert len(kept(str(tmp_path))) == MOST - 1


def test_there_is_none_at_first(tmp_path):
    assert kept(str(tmp_path)) == []
