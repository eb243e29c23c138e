"""Stock's `salt.template`: files and text rendered through a pipe of renderers."""

from collections.abc import Mapping
from typing import Any

from salt_g import api


def compile_template(
    template: str,
    renderers: Any = None,
    default: str = "jinja|yaml",
    blacklist: Any = None,
    whitelist: Any = None,
    saltenv: str = "base",
    sls: str = "",
    input_data: str = "",
    context: Mapping[str, Any] | None = None,
    **kwargs: Any,
) -> Any:
    """Return the data of the file `template` ({} if missing), or of `input_data` for `:string:`.

    `renderers` is the table of `salt.loader.render`, which also provides grains and pillar. `blacklist` and
    `whitelist` are ignored in favour of the settings of the call.
    """
    variables = {**getattr(renderers, "variables", {}), **kwargs, **(context or {})}
    if context:
        variables["context"] = context  # Users' renderers expect the context as one argument.
    if renderers is not None:
        variables["renderers"] = renderers
    service = api.services().render
    saltenv = saltenv or "base"
    if template == ":string:":
        variables.pop("tmplpath", None)
        return service.render_text(input_data, pipe=default, saltenv=saltenv, sls=sls, **variables)
    path = str(variables.pop("tmplpath", None) or template)
    return service.render_sls(template, sls=sls, saltenv=saltenv, tmplpath=path, pipe=default, **variables)


def compile_template_str(
    template: str, renderers: Any = None, default: str = "jinja|yaml", *stock: Any, **kwargs: Any
) -> Any:
    """Render a text and return its data."""
    return compile_template(":string:", renderers, default, input_data=template, **kwargs)


def check_render_pipe_str(pipestr: str, renderers: Any = None, *stock: Any) -> list[tuple[str, str]]:
    """Return [(renderer, argument)] for a pipe such as `jinja -s | yaml`."""
    steps = (part.strip().partition(" ") for part in pipestr.removeprefix("#!").split("|"))
    return [(name, argument.strip()) for name, _, argument in steps]


__all__ = ["check_render_pipe_str", "compile_template", "compile_template_str"]
