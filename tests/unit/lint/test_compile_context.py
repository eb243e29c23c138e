"""The context in which a tree is compiled."""

from salt_g import api
from salt_g.lint.unknown import TEXT

TOP = {"top.sls": "base:\n  'web*': [p]\n"}


def test_pillar_is_that_of_the_minion(compile_context):
    made = compile_context({}, {**TOP, "p.sls": "port: 80\n"})

    made.with_pillar()
    assert made.pillar_problems() == []
    assert made.call.pillar["port"] == 80
    assert made.call.pillar["nosuch"] == TEXT


def test_pillar_of_a_recorded_minion_has_no_unknown_keys(compile_context):
    made = compile_context({}, {**TOP, "p.sls": "port: 80\n"}, is_recorded=True)
    made.with_pillar()

    assert made.call.pillar == {"port": 80}


def test_pillar_that_is_not_run_is_unknown(compile_context):
    made = compile_context({}, {**TOP, "p.sls": "#!py\ndef run():\n    raise SystemExit\n"}, is_recorded=True)

    made.with_pillar()
    assert made.pillar_problems() == []
    assert made.call.pillar["nosuch"] == TEXT


def test_external_pillar_is_not_asked(compile_context, tmp_path):
    made = compile_context({}, TOP, ext_pillar=[{"cmd_json": f"touch {tmp_path}/x"}])
    made.with_pillar()

    assert not (tmp_path / "x").exists()
    assert made.call.pillar["nosuch"] == TEXT


def test_plugins_of_the_tree_are_known_and_not_loaded(compile_context):
    made = compile_context({"_modules/mine.py": "raise SystemExit\ndef f():\n    return 1\n"})

    with api.use(made.call):
        assert made.call.table("modules")["mine.f"]() == TEXT
    assert made.unknown == ["mine.f"]


def test_files_are_read_in_place(compile_context, tmp_path):
    made = compile_context({"a.sls": "x"})

    assert made.files.cache_file("salt://a.sls") == str(tmp_path / "states" / "a.sls")


def test_pillar_names_what_changed_and_its_files(compile_context, tmp_path):
    made = compile_context({}, {**TOP, "p.sls": "port: 80\nname: x\n"})
    made.with_pillar()
    path = tmp_path / "pillar" / "p.sls"
    assert (str(path), {"port": 80, "name": "x"}) in list(made.pillar_files())

    path.write_text("port: 81\nname: x\n")

    assert made.with_pillar() == {"pillar:", "pillar:port"}
    assert made.pillar == {"port": 81, "name": "x"}
    assert made.with_pillar() == set()


def test_an_error_of_pillar_has_its_place(compile_context, tmp_path):
    made = compile_context({}, {**TOP, "p.sls": "a: 1\nb: {{ nosuch }}\n"})
    made.with_pillar()

    (problem,) = made.pillar_problems()

    assert (problem.path, problem.line) == (str(tmp_path / "pillar" / "p.sls"), 2)
    assert "nosuch" in problem.message
