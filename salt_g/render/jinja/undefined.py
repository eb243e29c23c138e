"""Detection of undefined values inside data: `{'a': missing} | tojson` names `missing`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import StrictUndefined
from jinja2.utils import missing

from salt_g.render.template_functions import PluginFunctions, TemplateFunctions


def strict(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a filter to return an undefined value when its first argument contains one."""

    @functools.wraps(function, updated=())
    def checked(value: Any, *args: Any, **kwargs: Any) -> Any:
        names = [found._undefined_message for found in _undefined_in(value, set())]
        return StrictUndefined("\n".join(names)) if names else function(value, *args, **kwargs)

    return checked


class AdvisedText(str):
    """Error message with separate advice; `owner` is the object that lacks the name `key`."""

    advice = ""
    owner: Any = missing
    key: Any = None


class TemplateUndefined(StrictUndefined):
    """Undefined value whose message has advice about a missing function of `salt`."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        obj, text = self._undefined_obj, AdvisedText(super()._undefined_message)
        if isinstance(obj, (TemplateFunctions, PluginFunctions)) and isinstance(self._undefined_name, str):
            text.advice = obj.missing(self._undefined_name)
        text.owner, text.key = obj, self._undefined_name
        return text


def _undefined_in(value: Any, seen: set[int]) -> Iterator[StrictUndefined]:
    if isinstance(value, (str, int, float)) or value is None or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, StrictUndefined):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _undefined_in(key, seen)
            yield from _undefined_in(item, seen)
    elif isinstance(value, Sequence):
        for item in value:
            yield from _undefined_in(item, seen)
