"""Copying of users' plugins of one kind from the file server to `extension_modules`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from salt_g import plugin_sync
from salt_g.api import opts, services
from salt_g.plugin_sync import Limits

__all__ = ["Limits", "copy_form", "folder_of"]


def copy_form(
    form: str, saltenvs: Iterable[str], *, whitelist: Any = None, blacklist: Any = None
) -> list[str]:
    """Synchronize `extension_modules/<form>` with the environments; return the plugins written."""
    return plugin_sync.sync_form(
        form,
        saltenvs,
        files=services().files,
        top=folder_of(form),
        whitelist=plugin_sync.limits_of(form, whitelist, opts.get("extmod_whitelist")),
        blacklist=plugin_sync.limits_of(form, blacklist, opts.get("extmod_blacklist")),
        cleans=opts.get("clean_dynamic_modules", True),
    )


def folder_of(form: str = "") -> str:
    """Return the folder for plugins of one form, or the parent folder of all forms."""
    top = opts.get("extension_modules") or os.path.join(opts["cachedir"], "extmods")
    return os.path.join(str(top), form) if form else str(top)
