"""Job request parsed from the arguments of `salt-g cmd`: target, functions, arguments.

The rules for several functions are stock's.
Shapes: `test.ping,test.echo , hi` is (["test.ping", "test.echo"], [[], ["hi"]]).
Errors: MissingArguments.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.client.publishing import JobRequest, with_keywords
from salt_g.errors import SaltGError, TargetError
from salt_g.loader.arguments import parse_words

if TYPE_CHECKING:
    from salt_g.cli.end_record import EndRecord
    from salt_g.client.jobs import JobClient
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import ClientFields


class MissingArguments(SaltGError):
    """Raised for an incomplete command line; stock's exit code is 42."""


class JobCall(NamedTuple):
    """Job request with the context of its call: options, settings, client, end record.

    `extra` holds the job's fields other than function and arguments.
    """

    job: JobRequest
    options: argparse.Namespace
    opts: Opts
    client: JobClient
    extra: ClientFields
    record: EndRecord


def function_and_arguments(
    words: Sequence[str], *, separator: str = ",", unparsed: Sequence[str] = ()
) -> tuple[Any, list[Any]]:
    """Return the function and its arguments, or a list of functions and one list of arguments for each."""
    if not words:
        raise MissingArguments("\nIncomplete options passed.\n")
    name, *rest = words
    if "," not in name:
        return name, _parsed(rest, unparsed)
    names = name.split(",")
    groups = _groups(rest, len(names), separator)
    return names, [_parsed(group, unparsed) for group in groups]


def why_malformed(job: JobRequest, options: argparse.Namespace, opts: Opts) -> str:
    """Return the error in a malformed target, '' if the target is well-formed."""
    from salt_g.match.explain import check_target

    try:
        check_target(job.tgt, job.tgt_type, delimiter=options.delimiter, nodegroups=opts["nodegroups"])
    except TargetError as exc:
        return str(exc)
    return ""


def documentation_words(words: Sequence[str]) -> list[str]:
    """Return the words of the job that requests documentation from minions: `'*' sys.doc [NAME]`."""
    target, *names = words or ["*"]
    names = [name for name in names if name != "sys.doc"]
    return [target, "sys.doc", *names]


def _parsed(words: Sequence[str], unparsed: Sequence[str]) -> list[Any]:
    args, kwargs = parse_words(words, unparsed=unparsed)
    return with_keywords(args, kwargs)


def _groups(words: Sequence[str], count: int, separator: str) -> list[list[str]]:
    """Return one list of arguments for each function; raise MissingArguments if the numbers differ."""
    if list(words).count(separator) == count - 1:
        return _split_at(words, separator)
    # The older syntax: the separator may be part of an argument.
    groups = _split_inside(words, separator)
    if len(groups) < count:
        raise MissingArguments("Cannot execute compound command without defining all arguments.")
    if len(groups) > count:
        raise MissingArguments("Cannot execute compound command with more arguments than commands.")
    return groups


def _split_at(words: Sequence[str], separator: str) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in words:
        if word == separator:
            groups.append([])
        else:
            groups[-1].append(word)
    return groups


def _split_inside(words: Sequence[str], separator: str) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in words:
        first, *others = word.split(separator)
        if first:
            groups[-1].append(first)
        for part in others:
            groups.append([part] if part else [])
    return groups
