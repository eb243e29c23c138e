"""Examples in `sys.doc`: each public function has one that its arguments fit."""

import ast
import inspect
import shlex

import pytest

from salt_g.formats.yaml_plain import load_plain
from salt_g.loader.arguments import parse_words
from salt_g.loader.catalogue import builtin_plugins
from salt_g.loader.signature import signature_of
from salt_g.state.compile.vocabulary import ENGINE_KEYS

#: What the engine calls, not an author: a docstring, but no example.
HOOKS = ("mod_init", "mod_watch", "mod_aggregate", "mod_run_check_cmd", "mod_beacon")


def _functions(kind):
    """Return (function, all names that it is called by) for all public functions of a kind."""
    found = []
    for plugin in builtin_plugins(kind):
        for name, function in plugin.functions.items():
            aliases = [alias for alias, other in plugin.functions.items() if other is function]
            names = {f"{served}.{alias}" for served in plugin.names for alias in aliases}
            if name not in HOOKS:
                found.append(pytest.param(function, names, id=f"{plugin.stem}.{name}"))
    return found


def _example(function):
    """Return the lines of the last paragraph, which must be the example."""
    title, mark, block = inspect.getdoc(function).rpartition("Example::\n\n")
    assert mark, "no `Example::`"
    assert title.endswith("\n\n"), "`Example::` is not a paragraph of its own"
    lines = block.splitlines()
    assert all(line.startswith("    ") or not line for line in lines), "the example is not the last paragraph"
    return [line[4:] for line in lines]


def _check_arguments(function, count, keywords):
    """Check that a function can be called with `count` positional arguments and these keywords."""
    takes = signature_of(function)
    assert takes.takes_varargs or count <= len(takes.positional)
    assert set(takes.required) <= {*takes.positional[:count], *keywords}
    assert not [name for name in keywords if not takes.accepts(name)]


@pytest.mark.parametrize(("function", "names"), _functions("modules"))
def test_the_example_of_an_execution_function_calls_it(function, names):
    (line,) = _example(function)
    program, command, *words = shlex.split(line)
    args, kwargs = parse_words(word for word in words if not word.startswith("--"))

    assert program == "salt-g"
    assert command in names
    _check_arguments(function, len(args), kwargs)


def _called_by_command(line):
    program, single, called, *words = shlex.split(line)
    args, kwargs = parse_words(words)
    assert (program, single) == ("salt-g", "state.single")
    assert len(args) < 2
    return called, {*kwargs, *["name"][: len(args)]}


def _called_by_python(line):
    """Read `state("cmd").call("greet", func=greet)`, for functions whose arguments YAML cannot hold."""
    call = ast.parse(line, mode="eval").body
    module = call.func.value.args[0].value
    return f"{module}.{call.func.attr}", {"name", *(keyword.arg for keyword in call.keywords)}


def _called_by_sls(lines):
    ((_, body),) = load_plain("\n".join(lines)).items()
    if isinstance(body, str):
        return body, {"name"}
    ((called, arguments),) = body.items()
    return called, {"name"}.union(*arguments)


def _called(lines):
    """Return (function, keywords) of an example: a command, Python, or SLS text with one state."""
    if lines[0].startswith("salt-g "):
        (line,) = lines
        return _called_by_command(line)
    if lines[0].startswith("state("):
        (line,) = lines
        return _called_by_python(line)
    return _called_by_sls(lines)


@pytest.mark.parametrize(("function", "names"), _functions("states"))
def test_the_example_of_a_state_function_declares_it(function, names):
    called, keywords = _called(_example(function))

    assert called in names
    _check_arguments(function, 0, keywords - ENGINE_KEYS)
