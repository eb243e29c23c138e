"""Comparison of a file with its source by `file.check_file_meta`."""

import hashlib

import pytest


@pytest.fixture
def meta(salt_g, tmp_path):
    """Compare a file that holds `old` with a source."""
    managed = tmp_path / "f"
    managed.write_text("old\n")

    def compare(source, content):
        words = {"sfn": "", "user": "", "group": "", "mode": "null", "attrs": "", "saltenv": "base"}
        digest = hashlib.sha256(content.encode()).hexdigest()
        given = {**words, "source": source, "source_sum": f"{{hash_type: sha256, hsum: {digest}}}"}
        pairs = (f"{name}={value}" for name, value in given.items())
        return salt_g("file.check_file_meta", str(managed), *pairs).value

    return compare


def test_a_source_with_another_hash_is_fetched_and_compared(salt_g, meta):
    (salt_g.states / "f").write_text("new\n")

    assert meta("salt://f", "new\n") == {"diff": "--- \n+++ \n@@ -1 +1 @@\n-old\n+new\n"}


def test_a_file_with_that_hash_has_no_changes_and_nothing_is_fetched(meta):
    assert meta("salt://nosuch", "old\n") == {}


def test_a_source_that_cannot_be_had_is_a_change_all_the_same(meta):
    assert meta("salt://nosuch", "new\n") == {"sum": "Checksum differs"}
