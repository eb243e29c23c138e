"""Checks of low chunks: whether functions exist and accept the arguments, files exist, and templates compile.

Jinja templates that states manage as files are compiled, not rendered.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from jinja2.exceptions import TemplateSyntaxError

from salt_g.errors import InvocationError
from salt_g.formats import salturl
from salt_g.lint.compile_context import CompileContext
from salt_g.lint.unknown import holds_unknown
from salt_g.lint.value_check import wrong_values
from salt_g.render.jinja.environment import Environment
from salt_g.shapes import LowChunk
from salt_g.state.compile.misspelt_keywords import misspelt_keywords
from salt_g.state.run.state_arguments import arguments_for, missing_parameters

#: Arguments that can list several sources, one of which has to exist.
_ALTERNATIVES = ("source", "sources")


class ChunkFinding(NamedTuple):
    """A finding about one chunk; `words` are texts to find in its line, most specific first.

    `path` and `line` are set if the error is in another file, '' and 0 if it is in the file of the chunk.
    """

    rule: str
    message: str
    words: Sequence[str]
    advice: str = ""
    is_error: bool = True
    path: str = ""
    line: int = 0


class ChunkCheck:
    """Checks of the chunks of one compile."""

    def __init__(self, context: CompileContext) -> None:
        self._states = context.states
        self._offered = context.offered
        self._files = context.files
        self._uses = context.uses
        self._paths: dict[str, frozenset[str]] = {}

    def forget(self) -> None:
        """Discard the cached paths of files."""
        self._paths.clear()

    def findings(self, low: LowChunk) -> Iterator[ChunkFinding]:
        """Yield every finding of a chunk."""
        name = f"{low['state']}.{low['fun']}"
        if holds_unknown(name):
            return
        if name not in self._states:
            if self._states.is_judged(name):
                yield self._no_function(name, low)
            return
        yield from self._arguments(name, low)
        for wrong in wrong_values(low):
            yield ChunkFinding("wrong-value", wrong.message, (wrong.argument,), is_error=wrong.is_error)
        yield from self._execution_functions(low)
        yield from self._missing_files(low)
        yield from self._broken_templates(low)

    def _no_function(self, name: str, low: LowChunk) -> ChunkFinding:
        nearest = self._states.nearest(name)
        advice = f"nearest: {nearest[0]}" if nearest else ""
        words = (name, str(low["fun"]), str(low["state"]))
        return ChunkFinding("unknown-function", f"there is no state function {name}", words, advice)

    def _arguments(self, name: str, low: LowChunk) -> Iterator[ChunkFinding]:
        """Yield findings about unknown, missing and misspelt arguments."""
        variants = self._states.variants(name)
        refused = [_refused(function, low) for function in variants]
        if variants and all(refused):
            text = refused[0]
            words = [key for key in low if f"'{key}'" in text]
            yield ChunkFinding("unknown-argument", text, words, _nearest_argument(variants[0], words))
            return
        missing = [missing_parameters(function, low) for function in variants]
        if missing and all(missing):
            yield ChunkFinding("missing-argument", f"{name} needs the argument {missing[0][0]}", (name,))
        for function in variants[:1]:
            for key, near in misspelt_keywords(function, low, lambda name: None):
                message = f"{name} does not know the argument {key}"
                yield ChunkFinding("misspelt-argument", message, (key,), f"nearest: {near}", is_error=False)

    def _execution_functions(self, low: LowChunk) -> Iterator[ChunkFinding]:
        """Yield findings about missing execution functions that `module.run` or conditions call."""
        for name in _called(low):
            if not holds_unknown(name) and name not in self._offered:
                near = self._offered.nearest(name)
                advice = f"nearest: {near[0]}" if near else ""
                yield ChunkFinding(
                    "unknown-function", f"there is no execution function {name}", (name,), advice
                )

    def _broken_templates(self, low: LowChunk) -> Iterator[ChunkFinding]:
        sources = low.get("source")
        if low.get("template") != "jinja" or low["fun"] == "recurse":
            return
        for url in sources if isinstance(sources, list) else [sources]:
            if isinstance(url, str) and salturl.is_salt_url(url) and not holds_unknown(url):
                path = self._files.cache_file(url, str(low.get("__env__") or "base"))
                if path and (broken := broken_template(path)):
                    yield ChunkFinding("syntax", broken.message, (), path=path, line=broken.line)

    def _missing_files(self, low: LowChunk) -> Iterator[ChunkFinding]:
        for key, value in low.items():
            if key.startswith("__") or not isinstance(value, (str, list)):
                continue
            if isinstance(value, str):
                missing = [value] if self._is_missing(value, low) else []
            else:
                urls = [url for item in value for url in _urls(item)]
                missing = [url for url in urls if self._is_missing(url, low)]
                if key in _ALTERNATIVES and len(missing) < len(value):
                    missing = []
            for url in missing:
                path = salturl.parse(url).path
                yield ChunkFinding(
                    "missing-file", f"{url} does not exist", (url, path), self._nearest(path, low)
                )

    def _is_missing(self, value: str, low: LowChunk) -> bool:
        if not salturl.is_salt_url(value) or holds_unknown(value):
            return False
        url = salturl.parse(value)
        path = posixpath.normpath(url.path) if url.path.startswith("./") else url.path.rstrip("/")
        self._uses.note(path)
        return path not in self._paths_of(url.saltenv or str(low.get("__env__") or "base"))

    def _paths_of(self, saltenv: str) -> frozenset[str]:
        if saltenv not in self._paths:
            self._paths[saltenv] = self._files.paths(saltenv)
        return self._paths[saltenv]

    def _nearest(self, path: str, low: LowChunk) -> str:
        import difflib

        known = self._paths_of(str(low.get("__env__") or "base"))
        near = difflib.get_close_matches(path, known, n=1, cutoff=0.6)
        return f"nearest: salt://{near[0]}" if near else ""


def _called(low: LowChunk) -> Iterator[str]:
    """Yield the names of execution functions that a chunk calls."""
    if low["state"] == "module":
        if isinstance(name := low.get("m_name", low.get("name")), str) and "." in name and "/" not in name:
            yield name
        yield from (key for key in low if "." in key and "/" not in key)
    for condition in ("unless", "onlyif", "check_cmd"):
        items = low.get(condition)
        for item in items if isinstance(items, list) else [items]:
            if isinstance(item, dict) and isinstance(item.get("fun"), str):
                yield item["fun"]


def _urls(item: Any) -> list[str]:
    """Return the texts in an item of a list of sources: a URL, {URL: hash} or {name: URL}."""
    if isinstance(item, dict):
        return [text for pair in item.items() for text in pair if isinstance(text, str)]
    return [item] if isinstance(item, str) else []


def _refused(function: Callable[..., Any], low: LowChunk) -> str:
    """Return why a function does not accept the arguments of a chunk, or '' if it does."""
    try:
        arguments_for(function, low)
    except InvocationError as exc:
        return str(exc)
    return ""


def _nearest_argument(function: Callable[..., Any], words: Sequence[str]) -> str:
    import difflib

    from salt_g.state.run.state_arguments import signature_of

    near = difflib.get_close_matches(words[0], signature_of(function).names, n=1) if words else []
    return f"nearest: {near[0]}" if near else ""


class BrokenTemplate(NamedTuple):
    """Error of a template, and its line (from 1)."""

    message: str
    line: int


def broken_template(path: str) -> BrokenTemplate | None:
    """Return the first error of the template at `path`; None if it compiles, is not text or is unreadable."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return None
    try:
        # Parsing alone accepts filters and tests that do not exist.
        Environment(()).compile(text)
    except TemplateSyntaxError as exc:
        return BrokenTemplate(f"Jinja syntax error: {exc.message}", exc.lineno)
    return None
