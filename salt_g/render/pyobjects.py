"""The `pyobjects` renderer: SLS as Python, `File.managed("/x", mode="0644")`.

    with Pkg.installed("nginx"):          # states in the block require it
        Service.running("nginx", watch=[File("/etc/nginx.conf")])

Available names: every state module in camel case (`SshAuth`), `include`, `extend`, `Map`, `salt`,
`pillar`, `grains`, `mine`, `config` and stock's dunder names. A line `import salt://x.sls` or
`from salt://x.sls import A as B` imports names from another file.
"""

from __future__ import annotations

import builtins
import os
import re
from types import CodeType, SimpleNamespace
from typing import Any

from salt_g import api
from salt_g.render.pyobjects_states import Registry, StateFactory, map_class
from salt_g.render.request import RenderRequest
from salt_g.render.template_functions import TemplateFunctions
from salt_g.shapes import TemplateVariables

_FROM = re.compile(r"^\s*from\s+(salt://.*)\s+import (.*)$")
_IMPORT = re.compile(r"^\s*import\s+(salt://.*)$")


def render(text: str, request: RenderRequest) -> Any:
    """Return the high data declared by the Python text; its exceptions propagate."""
    registry = Registry(api.current().table("states"))
    names = _names(registry, request)
    registry.enabled = False
    code = _Source(names, registry, request).compiled(text, request.path or ":string:")
    registry.enabled = True
    exec(code, names)  # noqa: S102 - the renderer's purpose
    return registry.high_data()


def _names(registry: Registry, request: RenderRequest) -> TemplateVariables:
    context = api.current()
    functions = TemplateFunctions(context.offered(), context.reads)
    return {
        "include": registry.include,
        "extend": registry.extend,
        "Map": map_class(functions),
        "salt": functions,
        "pillar": lambda *args, **kwargs: functions["pillar.get"](*args, **kwargs),
        "grains": lambda *args, **kwargs: functions["grains.get"](*args, **kwargs),
        "mine": lambda *args, **kwargs: functions["mine.get"](*args, **kwargs),
        "config": lambda *args, **kwargs: functions["config.get"](*args, **kwargs),
        "__salt__": functions,
        "__pillar__": context.pillar,
        "__grains__": context.grains,
        "__opts__": request.opts,
        "__sls__": request.sls,
        **request.variables,
    }


class _Source:
    """Text whose `salt://` imports are resolved into names before it runs."""

    def __init__(self, names: TemplateVariables, registry: Registry, request: RenderRequest) -> None:
        self._names = names
        self._registry = registry
        self._request = request

    def compiled(self, text: str, path: str) -> CodeType:
        """Compile the text, with its imports resolved and the state modules that it uses available."""
        lines = [
            "" if self._is_import(line) else line for line in text.splitlines()
        ]  # the empty line preserves line numbers
        code = compile("\n".join(lines), path, "exec")
        for name in _used_names(code):
            if name[:1].isupper() and name not in self._names and not hasattr(builtins, name):
                self._names[name] = StateFactory(_module_name(name), self._registry)
        return code

    def _is_import(self, line: str) -> bool:
        """Perform the import of a line; return False if it is not an import."""
        whole, some = _IMPORT.match(line), _FROM.match(line)
        if whole:
            url = whole[1].strip()
            module = os.path.splitext(os.path.basename(url))[0]
            self._names[module] = SimpleNamespace(**self._imported(url))
        elif some:
            self._take(some[1].strip(), some[2])
        return bool(whole or some)

    def _take(self, url: str, wanted: str) -> None:
        found = self._imported(url)
        for item in wanted.split(","):
            name, _, alias = (part.strip() for part in item.partition(" as "))
            if name not in found:
                raise ImportError(f"'{name}' was not found in '{url}'")
            self._names[alias or name] = found[name]

    def _imported(self, url: str) -> TemplateVariables:
        path = self._request.files.cache_file(url, self._request.saltenv)
        if not path:
            raise ImportError(f"Could not find the file '{url}'")
        names = dict(self._names)
        with open(path, encoding="utf-8") as file:
            code = _Source(names, self._registry, self._request).compiled(file.read(), path)
        exec(code, names)  # noqa: S102
        return names


def _used_names(code: CodeType) -> set[str]:
    """Return the global names that code and the functions in it use."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _used_names(constant)
    return names


def _module_name(camel: str) -> str:
    """Return the state module for a camel case name: `ssh_auth` for `SshAuth`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", camel).lower()
