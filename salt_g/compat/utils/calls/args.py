"""Stock's `salt.utils.args`: parsing and inspection of function arguments."""

import inspect
import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.data import jid
from salt_g.errors import InvocationError
from salt_g.loader.arguments import parse_words, read_value
from salt_g.shapes import Arguments, CallArguments

#: `name=value`, but not `name==value`.
KWARG_REGEX = re.compile(r"^([^\d\W][\w.-]*)=(?!=)(.*)$", re.DOTALL)
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


class ArgSpec(NamedTuple):
    """Signature of a function, with the names of its `*args` and `**kwargs`."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def clean_kwargs(**kwargs: Any) -> Arguments:
    """Return the keyword arguments without those that begin with two underscores."""
    return {name: value for name, value in kwargs.items() if not name.startswith("__")}


def parse_input(
    args: Sequence[Any], condition: bool = True, no_parse: Collection[str] | None = None, **stock: Any
) -> list[Any] | CallArguments:
    """Return the arguments of a command line as one list, with any keyword arguments in a mapping at its end.

    Without `condition`, return (arguments, keyword arguments). The values of the keywords in `no_parse` stay
    text; mappings with `__kwarg__` are keyword arguments.
    """
    made: list[Any] = []
    keywords: Arguments = {}
    for arg in args:
        if isinstance(arg, str):
            words, more = parse_words([arg], unparsed=no_parse or ())
            made += words
            keywords.update(more)
        elif isinstance(arg, dict) and arg.get("__kwarg__"):
            keywords.update({name: value for name, value in arg.items() if name != "__kwarg__"})
        else:
            made.append(arg)
    return condition_input(made, keywords) if condition else (made, keywords)


def condition_input(args: Sequence[Any], kwargs: Mapping[str, Any] | None) -> list[Any]:
    """Return the arguments of a call as one list; numbers with the form of a job id become text."""
    made = [str(arg) if isinstance(arg, int) and jid.is_jid(str(arg)) else arg for arg in args]
    return [*made, {"__kwarg__": True, **kwargs}] if kwargs else made


def parse_kwarg(string_: str) -> tuple[str | None, str | None]:
    """Return name and value of a word such as `name=value`; (None, None) for other words."""
    found = KWARG_REGEX.match(string_)
    return (found[1], found[2]) if found else (None, None)


def parse_function(s: str) -> tuple[str | None, list[Any] | None, Arguments | None]:
    """Return name, arguments and keyword arguments of a call in text form: `f(1, b=two)`.

    All values are text, without quotes and unquoted spaces. Return (None, None, None) for any other text.
    """
    words = shlex.shlex(s, posix=True)
    words.whitespace_split, words.whitespace = False, " \t\r\n"
    words.wordchars += "".join(character for character in s if character not in "()[]{},='\"\\ \t\r\n")
    try:
        listed = list(words)
    except ValueError:
        return None, None, None
    if len(listed) < 3 or listed[1] != "(" or ")" not in listed:
        return None, None, None
    return listed[0], *_call_parts(listed[2:])


def get_function_argspec(func: Callable[..., Any], is_class_method: bool | None = None) -> ArgSpec:
    """Return the signature of a function, or of a method without its first argument."""
    if not callable(func):
        raise TypeError(f"Cannot inspect argument list for '{func}'")
    target = func if inspect.isroutine(func) or inspect.isclass(func) else type(func).__call__
    found = inspect.getfullargspec(target)
    is_method = is_class_method is True or target is not func or inspect.ismethod(func)
    args = found.args[1:] if is_method else found.args
    return ArgSpec(args, found.varargs, found.varkw, found.defaults)


def arg_lookup(fun: Callable[..., Any], aspec: ArgSpec | None = None) -> dict[str, Any]:
    """Return {"args": names of required arguments, "kwargs": {name: default} of the others}."""
    spec = aspec or get_function_argspec(fun)
    defaults = spec.defaults or ()
    required = len(spec.args) - len(defaults)
    return {"args": spec.args[:required], "kwargs": dict(zip(spec.args[required:], defaults, strict=True))}


def argspec_report(functions: Mapping[str, Callable[..., Any]], module: str = "") -> dict[str, Any]:
    """Return {function: signature} for the function or module `module`, or for those that match it as a glob.

    Without `module`, return all functions.
    """
    # Imported lazily: few plugins list functions.
    import fnmatch

    found = {}
    for name, function in functions.items():
        is_wanted = fnmatch.fnmatch(name, module) if "*" in module else name.startswith(f"{module}.")
        if not module or name == module or is_wanted:
            spec = get_function_argspec(function)
            found[name] = {
                "args": spec.args,
                "defaults": spec.defaults,
                "varargs": True if spec.varargs else None,
                "kwargs": True if spec.keywords else None,
            }
    return found


def test_mode(**kwargs: Any) -> bool:
    """Return whether `test` is given and true; its name may be in upper or lower case."""
    # Imported lazily: few plugins call this.
    from salt_g.compat.utils.values.data import is_true

    return any(name.lower() == "test" and is_true(value) for name, value in kwargs.items())


def format_call(
    fun: Callable[..., Any],
    data: Mapping[str, Any],
    initial_ret: dict[str, Any] | None = None,
    expected_extra_kws: Collection[str] = (),
    is_class_method: bool | None = None,
) -> dict[str, Any]:
    """Return the arguments for a function, selected from `data`: {"args": [...], "kwargs": {...}}.

    Raise InvocationError for a missing argument and, unless `fun` has `**kwargs`, for a name that is neither
    an argument nor in `expected_extra_kws` and does not begin with `__`.
    """
    made = {**(initial_ret or {}), "args": [], "kwargs": {}}
    spec = get_function_argspec(fun, is_class_method)
    known = arg_lookup(fun, spec)
    given = {name: value for name, value in data.items() if name not in expected_extra_kws}
    required = [name for name in known["args"] if name not in expected_extra_kws]
    missing = [name for name in required if name not in given]
    if missing:
        count, there = len(known["args"]), len(required) - len(missing)
        plural = "s" if count > 1 else ""
        raise InvocationError(f"{fun.__name__} takes at least {count} argument{plural} ({there} given)")
    made["args"] = [given.pop(name) for name in required]
    optional = {name: value for name, value in known["kwargs"].items() if name not in expected_extra_kws}
    made["kwargs"] = {name: given.pop(name, value) for name, value in optional.items()}
    rest = {name: value for name, value in given.items() if not name.startswith("__")}
    if spec.keywords:
        made["kwargs"].update(rest)
    elif rest:
        names = ", ".join(f"'{name}'" for name in sorted(rest))
        raise InvocationError(f"{names} {'is' if len(rest) == 1 else 'are'} invalid for '{fun.__name__}'")
    return made


def split_input(val: Any, mapper: Callable[[str], Any] | None = None) -> list[Any]:
    """Return the items of a list or of comma-separated text, each passed through `mapper`."""
    items = val if isinstance(val, list) else [part.strip() for part in str(val).split(",")]
    return [mapper(item) for item in items] if mapper else items


def invalid_kwargs(invalid_kwargs: Mapping[str, Any], raise_exc: bool = True) -> str:
    """Raise an InvocationError that lists invalid keyword arguments; without `raise_exc`, return its text."""
    shown = ", ".join(f"{name}={value}" for name, value in invalid_kwargs.items())
    text = f"The following keyword arguments are not valid: {shown}"
    if raise_exc:
        raise InvocationError(text)
    return text


def yamlify_arg(arg: Any) -> Any:
    """Return the value of an argument, parsed as on a command line."""
    return read_value(arg) if isinstance(arg, str) else arg


def _call_parts(words: Sequence[str]) -> tuple[list[str], Arguments]:
    """Return arguments and keyword arguments from the tokens after `(`."""
    args: list[str] = []
    kwargs: Arguments = {}
    name, text, open_brackets = "", "", 0
    for word in words:
        if not open_brackets and word in (",", ")"):
            if name:
                kwargs[name] = text
            elif text:
                args.append(text)
            name, text = "", ""
            if word == ")":
                break
        elif not open_brackets and word == "=":
            name, text = text, ""
        else:
            open_brackets += (word in _OPENING) - (word in _CLOSING)
            text += word
    return args, kwargs


def shlex_split(s: Any, **kwargs: Any) -> Any:
    """Return the words of a text, split as a shell would; return other values unchanged."""
    return shlex.split(s, **kwargs) if isinstance(s, str) else s


__all__ = ["KWARG_REGEX", "arg_lookup", "argspec_report", "clean_kwargs", "condition_input", "format_call"]
__all__ += ["get_function_argspec", "invalid_kwargs", "parse_function", "parse_input", "parse_kwarg"]
__all__ += ["shlex_split", "split_input", "test_mode", "yamlify_arg"]
