"""State of a network device's configuration, rendered from templates.

Source: stock's state `netconfig`, including its texts.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn


def managed(
    name: str,
    template_name: Any = None,
    template_source: str | None = None,
    saltenv: str = "base",
    template_engine: str = "jinja",
    context: Any = None,
    defaults: Any = None,
    test: bool = False,
    commit: bool = True,
    debug: bool = False,
    replace: bool = False,
    revert_in: int | None = None,
    **template_vars: Any,
) -> StateReturn:
    """Ensure that the device's configuration contains a rendered template, or with `replace` equals it.

    In test mode the configuration is loaded, compared and discarded. `revert_in` is in seconds.

    Example::

        ntp servers:
          netconfig.managed:
            - template_name: salt://ntp.jinja
            - servers: [192.0.2.1]
    """
    test = test or bool(opts["test"])
    loaded = call(
        "net.load_template",
        template_name,
        template_source=template_source,
        context=context,
        defaults=defaults,
        template_engine=template_engine,
        saltenv=saltenv,
        test=test,
        commit=commit,
        debug=debug,
        replace=replace,
        revert_in=revert_in,
        **template_vars,
    )
    return _state_return(name, loaded, test=test, debug=debug)


def _state_return(name: str, loaded: dict[str, Any], *, test: bool, debug: bool) -> StateReturn:
    changes = {"diff": loaded["diff"]} if loaded.get("diff") else {}
    comment = loaded["comment"]
    if changes:
        comment += f"\n\nConfiguration diff:\n\n{loaded['diff']}"
    if debug and loaded.get("loaded_config"):
        comment += f"\n\nLoaded config:\n\n{loaded['loaded_config']}"
        changes["loaded_config"] = loaded["loaded_config"]
    if not loaded["result"]:
        return {"name": name, "result": False, "changes": {}, "comment": comment}
    if loaded["already_configured"]:
        return {"name": name, "result": True, "changes": {}, "comment": comment}
    if test:
        return {"name": name, "result": None, "changes": changes, "comment": comment}
    return {
        "name": name,
        "result": True,
        "changes": changes,
        "comment": f"Configuration changed!\n{comment}",
    }
