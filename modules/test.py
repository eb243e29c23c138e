"""Self-tests of salt-g: liveness, argument passing, errors."""

from __future__ import annotations

import builtins
import logging
import sys
import time
from typing import Any

from salt_g.api import call, functions, grains, opts, own_arguments, scratch

log = logging.getLogger(__name__)

#: Stock's database states read their execution module's errors from the `__context__` of this plugin.
__context__ = scratch
__func_alias__ = {"true_": "true", "false_": "false", "try_": "try"}


def ping() -> bool:
    """Return True, as a sign that salt-g runs functions.

    Example::

        salt-g test.ping
    """
    log.debug("test.ping received for minion '%s'", opts.get("id"))
    return True


def echo(text: Any) -> Any:
    """Return the argument.

    Example::

        salt-g test.echo 'foo bar baz quo qux'
    """
    return text


def sleep(length: int) -> bool:
    """Wait `length` seconds, then return True.

    Example::

        salt-g test.sleep 1
    """
    time.sleep(int(length))
    return True


def rand_sleep(max: int = 60) -> bool:
    """Wait a random number of seconds, at most `max`, then return True.

    Example::

        salt-g test.rand_sleep 2
    """
    import random

    time.sleep(random.randint(0, int(max)))
    return True


def version() -> str:
    """Return the version of salt-g.

    Example::

        salt-g test.version
    """
    import salt_g

    return salt_g.__version__


def versions_information() -> dict[str, Any]:
    """Return the versions of salt-g, Python, libraries and system, by section.

    Example::

        salt-g test.versions_information
    """
    from salt_g.report.versions_report import information  # Imported lazily: two slow imports, rarely needed.

    return information()


def versions_report() -> str:
    """Return the versions of salt-g, Python, libraries and system as text.

    Example::

        salt-g test.versions_report
    """
    from salt_g.report.versions_report import report

    return report()


def versions() -> str:
    """Return the result of `test.versions_report`.

    Example::

        salt-g test.versions
    """
    return versions_report()


def conf_test() -> Any:
    """Return the setting `test.foo`.

    Example::

        salt-g test.conf_test
    """
    return call("config.option", "test.foo")


def get_opts() -> dict[str, Any]:
    """Return the settings of this call.

    Example::

        salt-g test.get_opts
    """
    return opts.copy()


def opts_pkg() -> dict[str, Any]:
    """Return the settings, with the grains under `grains`.

    Example::

        salt-g test.opts_pkg
    """
    return {**opts, "grains": dict(grains)}


def cross_test(func: str, args: list[Any] | None = None) -> Any:
    """Call another function by its name, with a list of arguments, and return its result.

    Example::

        salt-g test.cross_test file.gid_to_group 0
    """
    return call(func, *([] if args is None else args if isinstance(args, list) else [args]))


def attr_call() -> dict[str, Any]:
    """Call `grains.items` from inside a function and return its result.

    Example::

        salt-g test.attr_call
    """
    return dict(call("grains.items"))


def kwarg(**kwargs: Any) -> dict[str, Any]:
    """Return the keyword arguments.

    Example::

        salt-g test.kwarg num=1 txt="two" env='{a: 1, b: "hello"}'
    """
    return kwargs


def arg(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return the arguments: {"args": [...], "kwargs": {...}}.

    Example::

        salt-g test.arg 1 "two" 3.1 txt="hello"
    """
    return {"args": args, "kwargs": kwargs}


def arg_type(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return the types of the arguments as text.

    Example::

        salt-g test.arg_type 1 'int'
    """
    return {
        "args": [str(type(value)) for value in args],
        "kwargs": {name: str(type(value)) for name, value in kwargs.items()},
    }


def arg_repr(*args: Any, **kwargs: Any) -> dict[str, str]:
    """Return the arguments as Python writes them.

    Example::

        salt-g test.arg_repr 1 "two" 3.1 txt="hello"
    """
    return {"args": repr(args), "kwargs": repr(kwargs)}


def arg_clean(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return the arguments, without the keywords that salt-g adds itself (`__pub_*`).

    Example::

        salt-g test.arg_clean 1 "two" 3.1 txt="hello"
    """
    return {"args": args, "kwargs": own_arguments(kwargs)}


def fib(num: int) -> tuple[int, float]:
    """Return the `num`-th Fibonacci number (the first is 1) and the seconds it took to add it up.

    Example::

        salt-g test.fib 3
    """
    count = int(num)
    if count < 0:
        raise ValueError("Negative number is not allowed!")
    start = time.time()
    current, following = 0, 1
    for _ in range(count):
        current, following = following, current + following
    return current, time.time() - start


def collatz(start: int) -> tuple[list[Any], float]:
    """Return the Collatz sequence of a number, without its last 1, and the seconds it took.

    Example::

        salt-g test.collatz 3
    """
    number: Any = int(start)
    if number < 1:
        raise ValueError("the Collatz sequence begins at a number greater than 0")
    began = time.time()
    steps = []
    while number != 1:
        steps.append(number)
        number = number * 3 + 1 if number % 2 else number / 2
    return steps, time.time() - began


def outputter(data: Any) -> Any:
    """Return the argument, for trying outputters.

    Example::

        salt-g test.outputter foobar --out=json
    """
    return data


def retcode(code: int = 42) -> bool:
    """Return True and set the retcode of the job.

    Example::

        salt-g test.retcode 42
    """
    scratch["retcode"] = code
    return True


def provider(module: str) -> str:
    """Return the name of the plugin file that provides a virtual module, or '' if there is none.

    Example::

        salt-g test.provider service
    """
    prefix = f"{module}."
    return next((_file_of(functions[name]) for name in functions if name.startswith(prefix)), "")


def providers() -> dict[str, str]:
    """Return {plugin file: virtual module} of all execution modules.

    Example::

        salt-g test.providers
    """
    first = {name.partition(".")[0]: name for name in reversed(list(functions))}
    return {_file_of(functions[name]): module for module, name in first.items()}


def not_loaded() -> list[str]:
    """Return the names of the plugin files of execution modules that are not available here.

    Example::

        salt-g test.not_loaded
    """
    import pkgutil

    import salt_g.modules

    files = {entry.name for entry in pkgutil.iter_modules(salt_g.modules.__path__)}
    return sorted(name for name in files - set(providers()) if not name.startswith("_"))


def module_report() -> dict[str, list[str]]:
    """Return the names of all execution modules and functions: {"modules": [...], "functions": [...]}.

    The other keys are stock's: `module_attrs`, `function_attrs` and `function_subs` repeat these names,
    `missing_attrs` and `missing_subs` are empty.

    Example::

        salt-g test.module_report
    """
    names = list(functions)
    modules = list(dict.fromkeys(name.partition(".")[0] for name in names))
    reached = {"function_attrs": names, "function_subs": names, "module_attrs": modules}
    return {"functions": names, "modules": modules, **reached, "missing_attrs": [], "missing_subs": []}


def rand_str(size: int = 9999999999, hash_type: str | None = None) -> str:
    """Return the result of `test.random_hash`.

    Example::

        salt-g test.rand_str
    """
    return random_hash(size, hash_type)


def random_hash(size: int = 9999999999, hash_type: str | None = None) -> str:
    """Return the hash of a random number up to `size`; `hash_type` defaults to the setting of that name.

    Example::

        salt-g test.random_hash hash_type=sha512
    """
    import hashlib
    import secrets

    number = secrets.randbelow(int(size) + 1)
    return hashlib.new(hash_type or opts.get("hash_type") or "sha256", str(number).encode()).hexdigest()


def exception(message: str = "Test Exception") -> None:
    """Raise an exception with this text.

    Example::

        salt-g test.exception 'Oh noes!'
    """
    raise Exception(message)


def raise_exception(name: str, *args: Any, **kwargs: Any) -> bool:
    """Raise a built-in exception, or one of salt-g's if the name begins with `salt.exceptions.`.

    Returns False if the exception does not exist.

    Example::

        salt-g test.raise_exception TypeError "An integer is required"
    """
    wanted = _exception_class(name)
    if wanted is None:
        log.error("No such exception: %s", name)
        return False
    raise wanted(*args, **own_arguments(kwargs))


def stack() -> str:
    """Return the call stack.

    Example::

        salt-g test.stack
    """
    import traceback

    return "".join(traceback.format_stack())


def tty(*args: Any, **kwargs: Any) -> str:
    """Return an error message that says that this function has moved to `cmd.tty`.

    Example::

        salt-g test.tty tty0 'This is a test'
    """
    return "ERROR: This function has been moved to cmd.tty"


def try_(module: str, return_try_exception: bool = False, **kwargs: Any) -> Any:
    """Call a function and return its result, or None when it raises.

    return_try_exception
        Return the exception instead of None.

    Example::

        salt-g test.try cmd.run cmd='false' raise_err=True
    """
    try:
        return call(module, **kwargs)
    # A plugin call: this function has to catch anything that it raises.
    except Exception as exc:
        return exc if return_try_exception else None


def assertion(assertion: Any) -> None:
    """Fail unless the argument is true.

    Example::

        salt-g test.assertion False
    """
    if not assertion:
        raise AssertionError


def true_() -> bool:
    """Return True.

    Example::

        salt-g test.true
    """
    return True


def false_() -> bool:
    """Return False.

    Example::

        salt-g test.false
    """
    return False


def deprecation_warning() -> bool:
    """Print two deprecation warnings to stderr, of a version and of a date, and return True.

    `PYTHONWARNINGS=ignore` in the environment hides them.

    Example::

        salt-g test.deprecation_warning
    """
    import warnings

    until = ("version.", "date very far into the future (3000-01-01).")
    with warnings.catch_warnings():
        # Python hides them in library code, so the warning would not show that the function works.
        if "ignore" not in sys.warnoptions:
            warnings.simplefilter("always", DeprecationWarning)
        for end in until:
            warnings.warn(f"This is a test deprecation warning by {end}", DeprecationWarning, stacklevel=2)
    return True


def _exception_class(name: str) -> type[BaseException] | None:
    if name.startswith("salt.exceptions."):
        from salt_g import stock_errors  # Imported lazily: used only here.

        found = getattr(stock_errors, name.rpartition(".")[2], None)
    else:
        found = getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


def _file_of(function: Any) -> str:
    """Return the name of the plugin (a file or package) of a function."""
    parts = str(function.__module__).split(".")
    return parts[2] if len(parts) > 2 else parts[-1]
