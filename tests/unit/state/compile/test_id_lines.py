"""Lines of IDs in SLS files."""

import pytest

from salt_g.state.compile.id_lines import IdLines

TEXT = """\
{# nginx:
   was here #}
include:
  - other

nginx:
  pkg.installed: []
"with: colon":
  test.nop: []
'/etc/motd' :
  file.managed:
    - contents: |
        inner:
http://example.org/x: {test.nop: []}
# comment:
{% if grains.os == "Debian" %}
twice:
  test.nop: []
{% else %}
twice:
  test.nop: []
{% endif %}
{{ name }}:
  test.nop: []
{{ top }}/conf.d/{{ pillar["a: b"] }}.conf:
  test.nop: []
"step {{ number }}":
  test.nop: []
- item: 1
web server:\
"""


@pytest.fixture
def lines(tmp_path):
    """Return a function that returns the lines of the IDs in a text."""

    def make(text):
        (tmp_path / "a.sls").write_text(text)
        return IdLines(str(tmp_path / "a.sls"))

    return make


@pytest.mark.parametrize(
    ("id", "line"),
    [
        ("nginx", 6),
        ("with: colon", 8),
        ("/etc/motd", 10),
        ("http://example.org/x", 14),
        ("/etc/x/conf.d/site.conf", 25),
        ("step 7", 27),
        ("web server", 30),
        ("twice", 0),
        ("inner", 0),
        ("comment", 0),
        ("- item", 0),
        ("/conf.d/.confx", 0),
        ("of another file", 0),
    ],
)
def test_an_id_has_the_line_where_it_stands(lines, id, line):
    assert lines(TEXT).line_of(id) == line


def test_an_id_of_two_templates_has_none(lines):
    found = lines("a-{{ x }}: {}\n{{ y }}-b: {}\n")

    assert [found.line_of(id) for id in ("a-1", "1-b", "a-b", "a-1-b")] == [1, 2, 0, 0]


@pytest.mark.parametrize(("shebang", "line"), [("#!jinja|yaml", 2), ("#!py", 0)])
def test_only_yaml_is_read(lines, shebang, line):
    assert lines(f"{shebang}\na: 1\n").line_of("a") == line


def test_a_file_that_is_gone_has_no_lines(tmp_path):
    assert IdLines(str(tmp_path / "a.sls")).line_of("a") == 0
