"""Stock's `salt.template`: a file rendered through a pipe of renderers."""

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
    """Return the data of the file `template`; `:string:` renders `input_data` instead.

    `renderers`, `blacklist` and `whitelist` exist for stock's callers; the settings of the call apply.
    """
    if template == ":string:":
        text = input_data
    else:
        with open(template, encoding="utf-8") as file:
            text = file.read()
    variables = {**kwargs, **(context or {})}
    return api.services().render.render_text(
        text, pipe=default, saltenv=saltenv or "base", sls=sls, **variables
    )


def compile_template_str(
    template: str, renderers: Any = None, default: str = "jinja|yaml", *stock: Any, **kwargs: Any
) -> Any:
    """Return the data of a text."""
    return compile_template(":string:", renderers, default, input_data=template, **kwargs)


def check_render_pipe_str(pipestr: str, renderers: Any = None, *stock: Any) -> list[tuple[str, str]]:
    """Return [(renderer, argument)] of a pipe such as `jinja -s | yaml`."""
    steps = (part.strip().partition(" ") for part in pipestr.removeprefix("#!").split("|"))
    return [(name, argument.strip()) for name, _, argument in steps]


__all__ = ["check_render_pipe_str", "compile_template", "compile_template_str"]
