import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import xml


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "test.xml"
    path.write_text('<all><one id="1">a</one><one id="2">b</one></all>')
    return str(path)


def test_values_and_attributes_are_read_and_written(file):
    assert xml.get_value(file, ".//one[@id='2']") == "b"
    assert xml.set_value(file, ".//one[@id='2']", 5) is True
    assert xml.set_attribute(file, ".//one[@id='2']", "by", "me") is True

    assert xml.get_value(file, ".//one[@id='2']") == "5"
    assert xml.get_attribute(file, ".//one[@id='2']") == {"id": "2", "by": "me"}
    assert xml.get_value(file, "one") == "a"


def test_a_missing_element_is_false(file):
    assert xml.get_value(file, "two") is False
    assert xml.set_value(file, "two", 1) is False
    assert xml.get_attribute(file, "two") is False
    assert xml.set_attribute(file, "two", "a", "b") is False


def test_a_file_that_is_not_xml_is_named(tmp_path):
    (tmp_path / "no.xml").write_text("no")

    with pytest.raises(CommandExecutionError, match="no.xml"):
        xml.get_value(str(tmp_path / "no.xml"), "two")
