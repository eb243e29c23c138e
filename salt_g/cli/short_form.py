"""Distinction between `salt-g FUNCTION ...` and `salt-g TARGET FUNCTION ...`.

The first argument of both short forms is free text. Options settle most cases cheaply; the other cases
require the loader's index.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

#: Options that imply a target: `-G os:Debian test.ping` needs no lookup of function names.
TARGET_OPTIONS = frozenset(
    (
        *("-E", "--pcre", "-L", "--list", "-G", "--grain", "-P", "--grain-pcre", "-N", "--nodegroup"),
        *("-R", "--range", "-C", "--compound", "-I", "--pillar", "-J", "--pillar-pcre"),
        *("-S", "--ipcidr", "--pillar-exact"),
    )
)
#: Options of both programs whose value is the next argument. `--metadata` is absent because it takes a value
#: only with a target; that value would not be a function name anyway.
VALUE_OPTIONS = frozenset(
    (
        *("-c", "--config-dir", "-l", "--log-level", "--log-file", "--log-file-level", "-t", "--timeout"),
        *("--out", "--output", "--out-indent", "--output-indent", "--out-file", "--output-file"),
        *("--state-output", "--state_output", "--state-verbose", "--state_verbose", "--return"),
        *("--no-parse", "--module-executors", "--executor-opts", "-b", "--batch", "--batch-size"),
        *("--batch-wait", "--batch-safe-limit", "--batch-safe-size", "--subset", "--delimiter"),
        *("-a", "--auth", "--eauth", "--external-auth", "--username", "--password", "--args-separator"),
        *("--return_config", "--return_kwargs", "--saltfile"),
        *("--set-metadata", "--master", "--id", "--file-root", "--pillar-root", "--states-dir"),
        *("-m", "--module-dirs", "--cachedir", "--priv", "--profiling-path"),
    )
)
#: Options that make the function after a target optional.
_ALONE = frozenset(("--preview-target", "--args-stdin", "-d", "--doc", "--documentation"))
#: Subcommands that are followed by a function.
_WITH_FUNCTION = frozenset(("call", "cmd", "run", "ssh"))
_GLOB = re.compile(r"[*?\[]")
_WORD = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*\Z")
_FUNCTIONS = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*(?:,.*)?\Z", re.S)


def is_target(words: Sequence[str]) -> bool:
    """Return whether the arguments give a target before a function."""
    if TARGET_OPTIONS.intersection(_before_end(words)):
        return True
    plain = list(_plain_words(words))
    if not plain:
        return False
    first, *rest = plain
    if not _WORD.match(first):
        # A single argument is a target only if it contains a wildcard or an option needs no function.
        return bool(rest or _GLOB.search(first) or _ALONE.intersection(words))
    # `web.example test.ping` or `cmd.run test.ping`: only function names can decide.
    if rest and _FUNCTIONS.match(rest[0]):
        return not _is_function(first, words)
    return False


def subcommand_behind_options(words: Sequence[str], names: Container[str]) -> int | None:
    """Return the index of a subcommand that is preceded only by options, or None.

    `-c DIR master test.ping` targets a minion named `master`, because a function follows.
    """
    plain = list(_plain_words(words))
    if not plain or plain[0] not in names or "--" in words:
        return None
    if plain[0] not in _WITH_FUNCTION and plain[1:] and _FUNCTIONS.match(plain[1]):
        return None
    # The same word may be the value of an option (`-c master`).
    place = next(
        place
        for place, word in enumerate(words)
        if word == plain[0] and not (place and words[place - 1] in VALUE_OPTIONS)
    )
    return None if TARGET_OPTIONS.intersection(words[:place]) else place


def lone_target(words: Sequence[str]) -> str | None:
    """Return the only argument if it names neither a function nor a module, so that a function is missing."""
    plain = list(_plain_words(words))
    if len(plain) != 1 or "." in plain[0]:
        return None
    from salt_g.cli.known_names import execution_functions

    names = execution_functions(_config_dir(words))
    # Without names, the settings cannot be read; the call itself reports that.
    is_known = not names or any(name.startswith(f"{plain[0]}.") for name in names)
    return None if is_known else plain[0]


def _before_end(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if word == "--":
            return
        yield word


def _plain_words(words: Sequence[str]) -> Iterator[str]:
    """Yield the arguments that are neither options nor their values."""
    takes_next = False
    for place, word in enumerate(words):
        if word == "--":
            yield from words[place + 1 :]
            return
        if takes_next:
            takes_next = False
        elif word.startswith("-") and len(word) > 1:
            takes_next = word in VALUE_OPTIONS
        else:
            yield word


def _is_function(name: str, words: Sequence[str]) -> bool:
    """Return whether the loader's index, which imports no plugin, has this function."""
    from salt_g.cli.known_names import execution_functions

    return name in execution_functions(_config_dir(words))


def _config_dir(words: Sequence[str]) -> str | None:
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word in ("-c", "--config-dir"):
            return following
        if word.startswith("--config-dir="):
            return word.partition("=")[2]
    return None
