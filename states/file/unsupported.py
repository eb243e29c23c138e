"""`file.shortcut`, which always fails because shortcuts need Windows, and the hook `file.mod_beacon`."""

from __future__ import annotations

from typing import Any

from salt_g.api import current
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed

_WATCHED_EVENTS = ["create", "delete", "modify"]


def shortcut(
    name: str,
    target: str,
    arguments: Any = None,
    working_dir: Any = None,
    description: Any = None,
    icon_location: Any = None,
    force: bool = False,
    backupname: str | None = None,
    makedirs: bool = False,
    user: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Fail, because shortcuts are only supported on Windows.

    Example::

        C:\\app.lnk:
          file.shortcut:
            - target: C:\\app.exe
    """
    return failed(name, "Shortcuts are only supported on Windows")


def mod_beacon(name: str, **kwargs: Any) -> StateReturn:
    """Watch the managed path with the inotify beacon if the state has `beacon: True`.

    `beacon_data` may give `mask`, `interval`, `coalesce`, `auto_add`, `recurse`, `exclude`. Called by the
    state engine for `managed` and `directory`.
    """
    function = kwargs.pop("sfun", None)
    if function not in ("managed", "directory"):
        return failed(name, f"file.{function} does not work with the beacon state function")
    if not kwargs.get("beacon"):
        return as_wanted(name, "Not adding beacon.")
    wanted = kwargs.get("beacon_data") or {}
    watched: dict[str, Any] = {"mask": wanted.get("mask", _WATCHED_EVENTS)}
    if function == "directory":
        watched.update(
            auto_add=wanted.get("auto_add", True),
            recurse=wanted.get("recurse", True),
            exclude=wanted.get("exclude", []),
        )
    done: StateReturn = current().table("states")["beacon.present"](
        name=f"beacon_inotify_{name}",
        files={name: watched},
        interval=wanted.get("interval", 60),
        coalesce=wanted.get("coalesce", False),
        beacon_module="inotify",
    )
    return done
