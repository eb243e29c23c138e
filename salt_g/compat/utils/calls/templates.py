"""Stock's `salt.utils.templates`: template engines for managed files, by name."""

from collections.abc import Callable
from functools import partial
from typing import Any

from salt_g import api
from salt_g.errors import RenderError


def _render(engine: str, source: Any, from_str: bool = False, to_str: bool = False, **kwargs: Any) -> Any:
    """Return {"result": True, "data": text}, or {"result": False, "data": error}."""
    context = kwargs.pop("context", None) or {}
    saltenv = kwargs.pop("saltenv", None) or "base"
    variables = {name: value for name, value in kwargs.items() if name not in _THE_CALLS_OWN}
    if from_str:
        text = str(source)
    else:
        with open(source, encoding="utf-8") as file:
            text = file.read()
    try:
        data = api.services().render.render_template(
            text, engine=engine, saltenv=saltenv, context=context, **variables
        )
    except RenderError as exc:
        return {"result": False, "data": str(exc)}
    return {"result": True, "data": data}


#: Arguments of stock's callers that are ignored, because templates get these from the running call.
_THE_CALLS_OWN = ("salt", "grains", "pillar", "opts", "tmplpath", "_subprocess_list")

#: Directory of stock's own templates for system files, which salt-g does not provide.
TEMPLATE_DIRNAME = "/usr/share/salt/templates"
JINJA = partial(_render, "jinja")
PY = partial(_render, "py")


def py(sfn: Any, string: bool = False, **kwargs: Any) -> dict[str, Any]:
    """Return {"result", "data"} with the value that the function `run` of a Python template returns."""
    done: dict[str, Any] = _render("py", sfn, **kwargs)
    return done


TEMPLATE_REGISTRY: dict[str, Callable[..., Any]] = {"jinja": JINJA, "py": PY}

__all__ = ["JINJA", "PY", "TEMPLATE_DIRNAME", "TEMPLATE_REGISTRY", "py"]
