"""Words of command lines and settings: accepted, or rejected with exit code 64 and a message."""

import contextlib
import importlib
import io
import logging
import math

import pytest
from hypothesis import example
from hypothesis import strategies as st

from salt_g.cli import dispatch, exit_codes, saltfile, short_form
from salt_g.cli.options import OptionParser
from salt_g.cli.target_options import target_of
from salt_g.config import load
from salt_g.errors import ConfigError, SaltGError
from salt_g.loader.arguments import fit, parse_words, read_value
from tests.support.fuzzing import damaged, fuzz, mutated_text, values

#: The modules of programs below `salt_g.cli`, each with a `build_parser`.
PARSERS = (
    "call.call_options",
    "cmd.cmd_options",
    "cmd.cp_options",
    "cmd.match",
    "key.key_invite",
    "key.key_options",
    "run.run_options",
    "setup.config",
    "setup.doctor",
    "setup.install_options",
    "setup.quickstart",
    "watch.event",
    "watch.top",
)
WORDS = [
    *(
        "test.ping",
        "*",
        "web*",
        "G@os:x",
        "a=1",
        "b=[1, 2]",
        "{x: y}",
        "-",
        "--",
        "---",
        "",
        " ",
        "-1",
        "1e9",
        "\u0660",
    ),
    *(
        "--out=json",
        "--out",
        "-l",
        "debug",
        "quiet",
        "-t",
        "5",
        "x",
        "-b",
        "10%",
        "-b=",
        "--batch-size=-1",
        "--config-dir",
    ),
    *(
        "-G",
        "-E",
        "-C",
        "-L",
        "-S",
        "a,b",
        "--return=a,b",
        "--state-output=full",
        "--no-parse=a",
        "-a",
        "pam",
        "--async",
    ),
    *(
        "-\u00e9",
        "--=",
        "--a=b=c",
        "=",
        "a=",
        "=b",
        "\n",
        "\udcff",
        "@x",
        "@/dev/null",
        "-vvv",
        "-h1",
        "-c",
        "/tmp/none",
    ),
    *(
        "--timeout=nan",
        "--timeout=1e400",
        "--out-indent=99999999999",
        "--minions=-1",
        "--subset=0",
        "-cx",
        "%",
        "%s",
        "%(prog)s",
    ),
]
VALUES = [
    "1",
    "0644",
    "[a, b]",
    "{k: v}",
    "a: b",
    "- a",
    "1e5",
    "2026-01-01",
    "!!python/x y",
    "'a",
    "a=b",
    "&a [*a]",
    "~",
]
SIGNS = [
    *"[]{}:,-?!&*#|>@`'\"%~.=_",
    "\n",
    "\t",
    "\0",
    "\udcff",
    "0x",
    "1_0",
    "0b",
    "1:60",
    "<<",
    "[[",
    "{{",
    "inf",
    "1e999",
]


@pytest.fixture(autouse=True)
def _quiet():
    """Silence the log, which is no result here."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def refusal(function, *args):
    """Return (result or None, exit code or 0, printed text) of a function."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            return function(*args), 0, printed.getvalue()
        except SystemExit as exc:
            return None, exc.code, printed.getvalue()


def parser_of(name):
    """Return the parser of one program."""
    module = importlib.import_module(f"salt_g.cli.{name}")
    return getattr(module, "build_parser", None)


LINES = st.lists(st.sampled_from(WORDS) | mutated_text(WORDS, SIGNS), max_size=6)


@fuzz(st.sampled_from([name for name in PARSERS if parser_of(name)]), LINES, st.data())
def test_options_of_every_program(name, words, data):
    parser = parser_of(name)()
    assert isinstance(parser, OptionParser)
    options = data.draw(st.lists(st.sampled_from(sorted(parser.option_strings())), max_size=3))
    _, code, printed = refusal(parser.split, [*options, *words, *options[1:]])
    assert code in (0, exit_codes.USAGE), (code, printed)
    if code == exit_codes.USAGE:
        assert ": error: " in printed


@fuzz(LINES)
def test_the_program_that_is_meant(words):
    """Find the command without a traceback; nothing is run."""
    with contextlib.suppress(SaltGError):
        short_form.is_target(["-c", "/nonexistent", *words])
    dispatch._program("salt-g", ["--version", *words])
    for tgt_type in ("list", "glob"):
        target_of(" ".join(words), tgt_type)


@fuzz(mutated_text(VALUES, SIGNS))
@example("[" * 2000)
@example("{" * 2000 + "}" * 2000)
@example("!!float 1__2")
@example("\udcff: [\udcff")
@example("1" * 5000)
@example("0x" + "f" * 5000)
@example("1:" * 3000 + "1")
def test_values_of_words(word):
    value = read_value(word)
    if isinstance(value, float) and not math.isfinite(value):
        return
    args, kwargs = parse_words([word, f"name={word}", word], unparsed=["other"])
    assert len(args) + len(kwargs) >= 1
    with contextlib.suppress(SaltGError):
        fit(lambda name="", *more: None, args, kwargs, published={"jid": 1})


CONFIGS = [
    "id: m1\nmaster: localhost\n",
    "file_roots:\n  base:\n    - /srv/salt\ninclude: other.conf\n",
    '{"id": "m1",\n "grains": {"a": [1]}}\n',
    "nodegroups:\n  a: 'web*'\nschedule: {j: {function: test.ping, seconds: 5}}\nlog_level: debug\n",
    "ret_port: 4506\ninterface: 0.0.0.0\ntimeout: 5\npillar_roots: {base: [/x]}\next_pillar: [{a: b}]\n",
]
NAMES = (
    *(
        "id",
        "master",
        "file_roots",
        "pillar_roots",
        "include",
        "default_include",
        "base",
        "log_level",
        "grains",
        "beacons",
    ),
    *(
        "nodegroups",
        "schedule",
        "ret_port",
        "timeout",
        "interface",
        "root_dir",
        "cachedir",
        "module_dirs",
        "append_domain",
    ),
    *(
        "user",
        "log_file",
        "pki_dir",
        "sock_dir",
        "extension_modules",
        "ext_pillar",
        "reactor",
        "engines",
        "returner_dirs",
    ),
    *(
        "minion_id_lowercase",
        "minion_id_caching",
        "append_minionid_config_dirs",
        "saltenv",
        "env_order",
        "log_level_logfile",
    ),
)


def settings_of(directory, text):
    """Load both roles from a text; the only error is ConfigError, whose lines begin with a file name."""
    (directory / "minion").write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
    (directory / "master").write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
    for role in ("minion", "master"):
        try:
            load(role, str(directory), asks_for_id=False)
        except ConfigError as exc:
            assert exc.problems
            assert all(problem.startswith("/") for problem in exc.problems), exc.problems


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "other.conf").write_text("master: other\n")
    return tmp_path


@fuzz(mutated_text(CONFIGS, [*SIGNS, "include: ", "\0", "../", "*.conf", "minion", "\u2028", "\ufeff"]))
@example('{"a": ' + "[" * 5000)
@example('{"a": ' + "1" * 5000 + "}")
@example("include: 'a\\0b'\n")
def test_config_files(directory, text):
    if "\ud800" not in text:
        settings_of(directory, text)


@fuzz(
    damaged(
        [
            {
                "id": "m",
                "file_roots": {"base": ["/x"]},
                "grains": {"a": 1},
                "include": ["other.conf"],
            }
        ],
        NAMES,
    )
    | values(NAMES)
)
@example({"log_file": True, "cachedir": False, "root_dir": 5, "append_domain": True})
@example({"fileserver_backend": [[]], "append_minionid_config_dirs": [1], "return": [1]})
def test_settings_of_any_shape(directory, data):
    from salt_g.formats.yaml_dump import dump

    with contextlib.suppress(UnicodeEncodeError):
        settings_of(directory, dump(data))


@fuzz(
    mutated_text(
        ["salt-call:\n  log_level: debug\nsalt:\n  timeout: 3\n  output: json\n"],
        [*SIGNS, "salt:", "out: json\n"],
    )
)
def test_saltfiles(directory, text):
    if "\ud800" in text:
        return
    path = directory / "Saltfile"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    parser = parser_of("cmd.cmd_options")()
    options, _ = parser.split([])
    options.saltfile = str(path)
    assert isinstance(saltfile.apply(options, parser, "salt"), str)
