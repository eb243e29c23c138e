"""Documents about the states of a machine; state texts are those of stock's `processor_markdown`."""

import pytest

TREE = """
doc note:
  highstate_doc.note:
    - name: example
    - source: salt://note.md
    - contents: the end
a dir:
  file.directory: [{name: ROOT/dir}, {mode: '0755'}]
a file!:
  file.managed:
    - name: ROOT/f.txt
    - contents: 'password: secret'
    - require: [{file: a dir}]
    - watch_in: [{cmd: run it}]
    - onchanges_in: [{cmd: run it}]
not yet:
  file.managed: [{name: ROOT/none}, {contents: x}]
large:
  file.managed: [{name: ROOT/large}, {contents: x}]
run it:
  cmd.run: [{name: echo hi}, {onlyif: [test -d /, 'true']}]
skipped !doc_skip:
  test.nop: []
acc:
  file.accumulated: [{filename: x}, {text: a}, {require_in: [{file: a file!}]}]
block:
  file.blockreplace: [{name: ROOT/b}, {content: "```"}]
tree:
  file.recurse: [{name: ROOT/dir}, {source: salt://q}]
whole !doc_recurse:
  file.recurse: [{name: ROOT/dir}, {source: salt://q}]
pkgs:
  pkg.installed: [{pkgs: [a, b]}]
gone:
  pkg.removed: []
"""


@pytest.fixture
def machine(salt_g, tmp_path):
    """Return a machine with a highstate, and files that its states manage."""
    salt_g.write({"top.sls": "base: {'*': [doc]}", "doc.sls": TREE.replace("ROOT", str(tmp_path))})
    salt_g.write({"note.md": "a note\n", "q/x": "x"})
    salt_g.write({"f.txt": "password: secret\n```\n", "large": "x" * 99, "dir/in": "inner\n"}, below=tmp_path)
    (tmp_path / "f.txt").chmod(0o600)
    return salt_g


SETTINGS = {"highstate_doc.config": {"max_render_file_size": 50, "text_replace_regex": {"secret": "..."}}}


def test_states_are_described_as_by_stock(machine, tmp_path):
    made = machine("highstate_doc.process_lowstates", **SETTINGS).value
    described = {one["id_full"]: one["markdown"] for one in made}

    assert described["highstate_doc: doc note"]["details"] == "\na note\nthe end\n"
    assert described["file: a dir"] == {"requisites": "", "details": "```\nmode: '0755'\n```\n"}
    assert described["file: a file!"]["requisites"] == (
        "after changes, run or update:\n * [cmd: run it](#cmd-run-it)\n"
        "require:\n * [file: a dir](#file-a-dir)\n * [file: acc](#file-acc)\n"
    )
    assert described["cmd: run it"]["requisites"] == (
        "run or update after changes in:\n * [file: a file!](#file-a-file)\n"
    )
    assert described["cmd: run it"]["details"].endswith("onlyif:\n- test -d /\n- 'true'\n```\n")
    details = described["file: a file!"]["details"]
    assert details.startswith(f"file stat {tmp_path}/f.txt\n```\ngid: 0\n")
    assert "\nmode: '0600'\nsize: 21\n" in details
    assert details.endswith(
        f"file data {tmp_path}/f.txt\n```\npassword: secret\n``[`][markdown parse fix]\n\n```\n"
    )
    assert described["file: not yet"]["details"] == f"file {tmp_path}/none does not exist yet\n"
    assert "SKIPPED LARGE FILE!\n" in described["file: large"]["details"]
    assert described["file: block"]["details"].startswith("ensure block of content is in file\n```\n``[`]")
    assert "inner" not in described["file: tree"]["details"]
    assert f"file data {tmp_path}/dir/in\n```\ninner\n" in described["file: whole !doc_recurse"]["details"]
    assert described["pkg: pkgs"]["details"] == "\n```\ninstall: ['a', 'b']\n```\n"
    assert described["pkg: gone"]["details"] == ""
    assert "test: skipped !doc_skip" not in described


@pytest.mark.parametrize("template", ["basic", "default", "full"])
def test_the_document_has_all_states_and_no_secrets(machine, template):
    function = f"jinja_template_function=highstate_doc.markdown_{template}_jinja_template"

    text = machine("highstate_doc.render", function, **SETTINGS).value

    assert "\n`file: a dir`\n-----" in text and " * state: file.directory\n" in text
    assert "password: ..." in text and "secret" not in text
    assert ("Configuration Management" in text) == (template != "basic")
    assert ("# Mounts" in text) == (template == "full")


def test_a_template_of_ones_own_gets_the_states(machine):
    text = machine(
        "highstate_doc.render",
        "jinja_template_text={% for s in lowstates %}{{ s.id }};{% endfor %}{{ kwargs.a }}",
        "a=b",
    ).value

    assert text.startswith("doc note;") and text.endswith(";b")


def test_a_highstate_that_cannot_be_compiled_is_an_error(machine):
    machine.write({"doc.sls": "a: {nothing.here: [{require: [{x: y}]}]}\n b"})

    failed = machine("highstate_doc.render", as_json=False)

    assert failed.code != 0
    assert "the highstate cannot be compiled, see state.show_lowstate" in failed.err + failed.out


def test_a_note_changes_nothing_and_files_can_be_read(machine, tmp_path):
    note = machine.state("highstate_doc.note", "name=x", "contents=y", "source=z", "foo=bar")

    assert (note["result"], note["comment"], note["changes"]) == (True, "include file: z\ny", {})
    assert machine("highstate_doc.read_file", str(tmp_path / "dir/in")).value == "inner\n"
    assert machine("highstate_doc.read_file", "/none").value is None
