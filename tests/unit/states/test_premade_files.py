"""Certificates and keys that were created elsewhere and only have to be written."""

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError
from salt_g.states import _premade_files

MADE = {"result": True, "comment": "The certificate has been created", "changes": {"created": "x"}}


@pytest.fixture
def enter(call_context):
    """Enter a call whose `file.managed` succeeds or not."""

    def with_result(result=True, **opts):
        def managed(name, **arguments):
            return {"name": name, "result": result, "changes": {}, "comment": ""}

        call_context(states={"file.managed": managed}, opts=opts)

    return with_result


def test_content_is_written_behind_the_file_below(tmp_path, enter):
    enter()
    path = tmp_path / "crt"
    path.write_text("old")

    result = _premade_files.content(str(path), data=b"new", **MADE)

    assert path.read_text() == "new"
    assert result["comment"] == MADE["comment"]
    assert result["sub_state_run"][0]["low"]["fun"] == "managed"


def test_content_that_could_not_be_made_is_not_written(tmp_path, enter):
    enter()

    result = _premade_files.content(str(tmp_path / "crt"), False, "no", {}, b"new")

    assert (result["result"], result["comment"]) == (False, "no")
    assert not (tmp_path / "crt").exists()


def test_a_file_that_cannot_be_made_fails(tmp_path, enter):
    enter(result=False)

    result = _premade_files.content(str(tmp_path / "crt"), data=b"new", **MADE)

    assert result["result"] is False
    assert result["comment"] == "Could not create file, see file.managed output"


def test_a_key_that_was_brought_is_moved_into_place(tmp_path, enter):
    enter()
    (tmp_path / "brought").write_text("key")

    result = _premade_files.file(str(tmp_path / "key"), tempfile=str(tmp_path / "brought"), **MADE)

    assert result["result"] is True
    assert (tmp_path / "key").read_text() == "key"
    assert not (tmp_path / "brought").exists()


def test_a_dry_run_throws_the_brought_key_away(tmp_path, enter):
    enter(test=True)
    (tmp_path / "brought").write_text("key")

    result = _premade_files.file(str(tmp_path / "key"), tempfile=str(tmp_path / "brought"), **MADE)

    assert "was not actually updated" in result["comment"]
    assert list(tmp_path.iterdir()) == []


def test_files_of_a_resource_are_not_taken_for_those_of_this_machine(tmp_path, enter, call_context):
    enter()
    path = tmp_path / "crt"
    path.write_text("ours")
    resource = api.current().replace(resource={"type": "ssh", "id": "web"})
    refusal = pytest.raises(CommandExecutionError, match="of a resource cannot be managed by this state")
    with api.use(resource), refusal:
        _premade_files.content(str(path), data=b"new", **MADE)

    assert path.read_text() == "ours"
