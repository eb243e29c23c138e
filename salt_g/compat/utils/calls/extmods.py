"""Stock's `salt.utils.extmods`: copies of users' plugins from the file server."""

import os
from collections.abc import Mapping
from typing import Any

from salt_g import api, plugin_sync


def sync(
    opts: Mapping[str, Any],
    form: str,
    saltenv: Any = None,
    extmod_whitelist: Mapping[str, Any] | None = None,
    extmod_blacklist: Mapping[str, Any] | None = None,
) -> tuple[list[str], bool]:
    """Copy plugins of one kind from environments; return the names of those written, and whether any were.

    Whitelist and blacklist are {kind: names}; where they are None, those in the settings apply.
    """
    envs = saltenv.split(",") if isinstance(saltenv, str) else list(saltenv or ["base"])
    top = opts.get("extension_modules") or os.path.join(str(opts["cachedir"]), "extmods")
    copied = plugin_sync.sync_form(
        form,
        envs,
        files=api.services().files,
        top=os.path.join(str(top), form),
        whitelist=plugin_sync.limits_of(form, extmod_whitelist, opts.get("extmod_whitelist")),
        blacklist=plugin_sync.limits_of(form, extmod_blacklist, opts.get("extmod_blacklist")),
        cleans=opts.get("clean_dynamic_modules", True),
    )
    return copied, bool(copied)


__all__ = ["sync"]
