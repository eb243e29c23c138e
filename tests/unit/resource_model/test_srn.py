import pytest

from salt_g.errors import TargetError
from salt_g.resource_model import srn


def test_a_name_is_split_at_its_first_colon():
    assert srn.parse("dummy:a:b") == srn.Srn("dummy", "a:b")
    assert str(srn.Srn("dummy", "a:b")) == "dummy:a:b"


@pytest.mark.parametrize("id", ["d-01", "web_1.example.org", "a@b+c", "UPPER", ":x", "x" * 128, 42])
def test_ids_of_letters_digits_and_few_signs_are_good(id):
    assert srn.check_id(id) == str(id)


@pytest.mark.parametrize(
    "id",
    [
        "",
        "-x",
        ".x",
        "a..b",
        "we ird",
        "x;y",
        "*",
        "a/b",
        "a\n",
        "\n",
        "a\0",
        "ä",
        "x" * 129,
        True,
        None,
        1.5,
    ],
)
def test_other_ids_are_refused_with_the_rule(id):
    with pytest.raises(TargetError, match="cannot be the id of a resource; use"):
        srn.check_id(id)


@pytest.mark.parametrize("kind", ["", "1a", "Dummy", "a-b", "a\n", "_a", 7, "a" * 65])
def test_other_types_are_refused(kind):
    with pytest.raises(TargetError, match="is not a resource type"):
        srn.check_type(kind)


@pytest.mark.parametrize("text", ["dummy", "dummy:", ":x", "", 3])
def test_a_malformed_name_is_refused(text):
    with pytest.raises(TargetError):
        srn.parse(text)


def test_a_message_shows_a_bounded_part_of_the_name():
    with pytest.raises(TargetError) as problem:
        srn.check_id("x" * 10_000)

    assert len(str(problem.value)) < 400


@pytest.mark.parametrize("id", ["G@os:Linux", "T@ssh", "and", "not", "or", "web1."])
def test_names_that_targets_misread_are_not_resources(id):
    with pytest.raises(TargetError, match="misread"):
        srn.parse(f"ssh:{id}")
