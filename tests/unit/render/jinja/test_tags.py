"""Salt's tags: data in a block, data in a file, profiling of a block."""

import logging

import pytest

from salt_g.errors import RenderError


@pytest.mark.parametrize(
    ("tag", "body", "expected"),
    [
        ("load_yaml", "a: [1, 2]", '{"a": [1, 2]}'),
        ("load_json", '{"a": null}', '{"a": null}'),
        ("load_text", " as it is ", '" as it is "'),
    ],
)
def test_a_block_becomes_data(render, tag, body, expected):
    assert render(f"{{% {tag} as data %}}{body}{{% endload %}}{{{{ data | tojson }}}}") == expected


def test_a_block_is_rendered_before_it_is_loaded(render):
    text = "{% load_yaml as data %}who: {{ grains.id }}{% endload %}{{ data.who }}"

    assert render(text) == "unit"


@pytest.mark.parametrize(
    ("tag", "content", "expected"),
    [("import_yaml", "a: 1", '{"a": 1}'), ("import_json", "[1]", "[1]"), ("import_text", "t", '"t"')],
)
def test_a_file_becomes_data(render, files, tag, content, expected):
    files.add("data.txt", content)

    assert render(f"{{% {tag} 'data.txt' as data %}}{{{{ data | tojson }}}}") == expected


def test_an_imported_file_sees_the_variables_with_context_only(render, files):
    files.add("data.yaml", "v: {{ v | default('none') }}")
    text = "{% set v = 1 %}{% import_yaml 'data.yaml' as data HOW %}{{ data.v }}"

    assert render(text.replace("HOW", "with context")) == "1"
    assert render(text.replace("HOW", "")) == "none"


def test_the_time_of_a_block_is_logged_and_its_text_stays(render, caplog):
    with caplog.at_level(logging.DEBUG):
        assert render("{% profile as 'my ' ~ 'block' %}inner{% endprofile %}") == "inner"

    assert "Time (in seconds) to render profile block 'my block': " in caplog.text


@pytest.mark.parametrize("text", ["{% load_yaml %}a{% endload %}", "{% load_yaml as x %}a: 1"])
def test_a_tag_that_is_not_whole_is_a_syntax_error(render, text):
    with pytest.raises(RenderError, match="Jinja syntax error"):
        render(text)
