"""Descriptions of files by the master."""

import pytest

from salt_g.files.description import literal_path, read_description, read_descriptions


def test_a_description_has_digest_and_status():
    found = read_description([{"hsum": b"abc", "hash_type": "md5"}, [0o100644, 1, 2, 1, 0, 0, 5, 10, 11, 12]])

    assert (found.hsum, found.hash_type, found.size) == ("abc", "md5", 5)


def test_of_a_file_in_a_repository_only_the_mode_is_known():
    found = read_description([{"hsum": "abc"}, [0o100755]])

    assert found.status.st_mode == 0o100755
    assert (found.hash_type, found.size) == ("sha256", 0)


def test_descriptions_keep_their_places():
    found = read_descriptions({"hash_type": "md5", "files": [["a", None], None, ["b", [0o100644]]]})

    assert [each and each.hsum for each in found] == ["a", None, "b"]


@pytest.mark.parametrize("reply", [None, "", ["", None], [{}, None], [{"hsum": ""}, None], {"hsum": "a"}])
def test_an_answer_without_a_digest_describes_nothing(reply):
    assert read_description(reply) is None
    assert read_descriptions(reply) == []


def test_a_question_mark_is_escaped():
    assert (literal_path("a?b"), literal_path("a")) == ("|a?b", "a")
