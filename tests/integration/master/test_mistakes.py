"""Mistakes in the files of a tree: each gives one sentence on the command's stderr, with advice."""

import pytest

from tests.support.commands import Machine, outcome_of

#: File: text. The SLS `a` of each mistake is applied; these are there besides.
TREE = {"webserver.sls": "one: {test.nop: []}\n", "missing.txt": "hi\n", "www/index.html": "hi\n"}
PILLAR = {"top.sls": "base:\n  '*': [data]\n", "data.sls": "port: 80\nweb: {root: /srv}\n"}
#: What is wrong, the text of a.sls, the sentence.
MISTAKES = {
    "tab": ("one:\n\ttest.nop: []\n", "a.sls:2 (base): line 2 is indented with a tab, use spaces"),
    "open quote": ("one:\n  test.nop:\n    - name: 'x\n", "(base): a quote is opened but not closed"),
    "colon in a value": ("one: two: three\n", "a.sls:1 (base): a colon inside a value, or wrong"),
    "open bracket": (
        "one:\n  test.nop: [x\ntwo: {}\n",
        "(base): a bracket or brace is opened but not closed",
    ),
    "reserved character": (
        "one:\n  test.nop:\n    - name: %x\n",
        "a value begins with a character that YAML",
    ),
    "id twice": ("a: {test.nop: []}\na: {test.nop: []}\n", "a.sls:2 (base): this ID or key occurs twice"),
    "list": ("- one\n", "a.sls (base): the file is a list, write a mapping: each ID with"),
    "text": ("just text\n", "a.sls (base): the file is text, write a mapping"),
    "function of salt": ("{{ salt['test.pong']() }}\n", "no function 'test.pong' (did you mean test.ping"),
    "pillar key": (
        "\n{{ pillar['prot'] }}\n",
        "a.sls:2 (base): pillar has no key 'prot' (did you mean port?)",
    ),
    "nested key": (
        "{{ pillar.web.rot }}\n",
        "pillar has no key 'web:rot' (did you mean root?); for an optional",
    ),
    "variable": ("{% set role = 1 %}{{ pilar.x }}\n", "no variable 'pilar' (did you mean pillar?)"),
    "import": ("{% from 'map.jinja' import x %}\n", "a.sls:1 (base): salt://map.jinja does not exist"),
    "include": ("include: [webservr]\n", "(base): 'webservr' does not exist; nearest: 'webserver'"),
    "state function": (
        "one:\n  file.manged: []\n",
        "a.sls:1 (base): no state function 'file.manged'; nearest:",
    ),
    "requisite": (
        "nginx: {test.nop: []}\nb:\n  test.nop: [{require: [{test: ngnix}]}]\n",
        "a.sls:3 (base): 'ngnix' does not exist; nearest: 'nginx'",
    ),
    "module of a requisite": (
        "nginx: {test.nop: []}\nb:\n  test.nop: [{require: [{pkg: nginx}]}]\n",
        "a.sls:3 (base): 'nginx' is a state of test: write test: nginx",
    ),
    "source": (
        "/nowhere/x:\n  file.managed: [{source: 'salt://missng.txt'}]\n",
        "a.sls:1 (base): there is no salt://missng.txt in saltenv 'base'; nearest: salt://missing.txt",
    ),
    "source of a tree": (
        "/nowhere/x:\n  file.recurse: [{source: 'salt://wwww'}]\n",
        "a.sls:1 (base): there is no salt://wwww in saltenv 'base'; nearest: salt://www",
    ),
}


@pytest.fixture(scope="module")
def fleet(shared_daemons):
    master = shared_daemons.start_master()
    for folder, files in (("states", TREE), ("pillar", PILLAR)):
        for name, text in files.items():
            path = master.root / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    shared_daemons.start_minion(master, "m1")
    return master


@pytest.fixture
def run():
    """Return a function that runs `salt-g run` with the given words and returns the outcome."""

    def run(master, *words):
        return outcome_of([Machine.program, "run", "-c", str(master.config_dir), *words])

    return run


def test_each_mistake_is_a_sentence_beside_the_return(fleet, salt):
    seen = {}
    for name, (text, sentence) in MISTAKES.items():
        (fleet.root / "states" / "a.sls").write_text(text)
        ran = salt(fleet, "m1", "state.apply", "a")
        lines = [line for line in ran.err.splitlines() if sentence in line]
        if ran.code != 1 or len(lines) != 1 or not lines[0].endswith(": m1"):
            seen[name] = (ran.code, ran.err)

    assert seen == {}


def test_a_misspelt_sls_is_reported_with_the_nearest(fleet, salt):
    ran = salt(fleet, "m1", "state.apply", "webservr")

    assert ran.code == 1
    assert "'webservr' does not exist; nearest: 'webserver': m1" in ran.err.splitlines()


def test_a_template_of_a_file_that_lacks_a_key_is_reported_with_the_nearest(fleet, salt, tmp_path):
    (fleet.root / "states" / "conf.jinja").write_text("port {{ pillar['prot'] }}\n")
    source = f"{tmp_path}/x:\n  file.managed: [{{source: 'salt://conf.jinja', template: jinja}}]\n"
    (fleet.root / "states" / "a.sls").write_text(source)

    ran = salt(fleet, "m1", "state.apply", "a")

    assert ran.code == 1
    result = "a.sls:1 (base): salt://conf.jinja:1: pillar has no key 'prot' (did you mean port?);"
    assert result in ran.err


def test_a_missing_file_of_a_copy_and_a_misspelt_minion_name_the_nearest(fleet, salt):
    copied = salt(fleet, "m1", "cp.get_file", "salt://missng.txt", "/nowhere/x")
    nobody = salt(fleet, "m11", "test.ping")

    assert "there is no salt://missng.txt in saltenv 'base'; nearest: salt://missing.txt: m1" in copied.err
    assert nobody.code == 2
    assert "salt-g cmd: no minion 'm11'; nearest: m1" in nobody.err.splitlines()


def test_a_mistake_in_an_orchestration_is_a_sentence_beside_its_result(fleet, run):
    (fleet.root / "states" / "a.sls").write_text("one:\n  salt.functoin: []\n")

    mistyped = run(fleet, "state.orchestrate", "a", "--out=json")
    missing = run(fleet, "state.orchestrate", "webservr", "--out=json")

    assert (mistyped.code, missing.code) == (1, 1)
    assert "salt://a.sls:1 (base): no state function 'salt.functoin'; nearest: salt.function" in mistyped.err
    assert missing.err == "'webservr' does not exist; nearest: 'webserver'\n"


def test_pillar_that_does_not_compile_says_where_the_cause_is(fleet, salt):
    (fleet.root / "pillar" / "top.sls").write_text("base:\n  '*': [dta]\n")
    try:
        ran = salt(fleet, "m1", "state.apply", "webserver")
    finally:
        (fleet.root / "pillar" / "top.sls").write_text(PILLAR["top.sls"])

    assert ran.code != 0
    assert (
        "pillar does not compile: the master's log has the file, the line and the nearest names: m1"
        in ran.err
    )
    assert "top.sls:2: pillar SLS 'dta' is missing in 'base'; nearest: 'data'" in fleet.log()
