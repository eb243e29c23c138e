"""`salt-g lint` as a program."""

import json

import pytest

from salt_g.cli.lint import lint


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command on a tree {path: text}.

    It returns (exit code, standard output, standard error).
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "minion").write_text(f"id: m\nroot_dir: {tmp_path}\n")

    def call(files, *words):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        code = lint.main(["-c", str(tmp_path / "etc"), "--file-root=states", *words])
        return (code, *capsys.readouterr())

    return call


BROKEN = {"states/a.sls": "x:\n  nosuch.fun: []\n"}


def test_findings_are_lines_and_an_exit_code(run):
    assert run(BROKEN) == (
        1,
        "states/a.sls:2:3 error unknown-function there is no state function nosuch.fun\n",
        "salt-g lint: 1 finding\n",
    )


def test_nothing_found(run):
    assert run({"states/a.sls": "x:\n  test.nop: []\n"}) == (0, "", "salt-g lint: nothing found\n")


def test_other_forms_are_alone_on_standard_output(run):
    code, out, err = run(BROKEN, "--format=sarif")
    assert (code, json.loads(out)["version"], err) == (1, "2.1.0", "")
    code, out, err = run(BROKEN, "--format=github")
    assert (code, err) == (1, "")
    assert out.startswith("::error file=states/a.sls,line=2,col=3,")
    code, out, err = run(BROKEN, "--out=json")
    assert (code, json.loads(out)[0]["rule"], err) == (1, "unknown-function", "")


def test_all_systems(run):
    text = "{% if grains.os_family == 'Alpine' %}\nx:\n  nosuch.fun: []\n{% endif %}\n"

    assert run({"states/a.sls": text}, "--os=debian")[0] == 0
    assert "[on alpine]" in run({"states/a.sls": text}, "--os=all")[1]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("--file-root=nosuch", "there is no directory nosuch"),
        ("--pillar-root=nosuch", "there is no directory nosuch"),
        ("--minion=nope", "the master has no grains of nope"),
        ("-cnosuch", "config directory 'nosuch' does not exist"),
        ("aa", "there is no SLS 'aa' in base; nearest: a"),
    ],
)
@pytest.mark.parametrize("form", ["--format=text", "--format=sarif", "--out=json"])
def test_wrong_options_and_names_are_no_findings(run, word, text, form, tmp_path):
    code, out, err = run({**BROKEN, "etc/master": f"root_dir: {tmp_path}\n"}, word, form)

    assert (code, out) == (64, "")
    assert text in err


def test_an_environment_that_file_roots_lacks(run, tmp_path):
    (tmp_path / "states").mkdir()
    settings = f"id: m\nroot_dir: {tmp_path}\nfile_roots:\n  base: [{tmp_path}/states]\n"

    code, out, err = run({"etc/minion": settings}, "--file-root=", "--saltenv=nope")

    assert (code, out) == (64, "")
    assert "there is no environment 'nope': file_roots has base" in err


def test_the_settings_environment_is_not_that_of_a_tree_of_the_command_line(run, tmp_path):
    settings = f"id: m\nroot_dir: {tmp_path}\nsaltenv: dev\n"

    assert run({**BROKEN, "etc/minion": settings})[0] == 1
    assert run({**BROKEN, "etc/minion": settings}, "--saltenv=prod")[0] == 1
