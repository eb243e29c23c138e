"""External node classifier: a program that assigns SLS to minions.

Settings: `master_tops: {ext_nodes: <program and arguments>}`. The program gets the id as its last
argument and prints YAML: `environment` (`base` by default) and `classes`, a list of names or a mapping
by name.
"""

from __future__ import annotations

import logging
import shlex
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.formats.yaml_load import load
from salt_g.process.command import run
from salt_g.process.redaction import RedactedOutput

log = logging.getLogger(__name__)

#: Time limit of the program (s).
TIMEOUT = 60


def top(opts: Mapping[str, Any], grains: Mapping[str, Any] | None = None) -> dict[str, list[str]]:
    """Return the classifier's answer for the minion with the settings `opts`.

    The program is always the master's setting, never the minion's.

    Example::

        salt-g state.show_top
    """
    command = shlex.split(str(api.opts["master_tops"]["ext_nodes"]))
    done = run([*command, str(opts["id"])], timeout=TIMEOUT)
    if done.retcode != 0:
        log.error("the node classifier failed for %s: %s", opts["id"], RedactedOutput(done.err.strip()))
        return {}
    nodes = load(done.out) or {}
    classes = nodes.get("classes")
    if not classes:
        log.info("the node classifier has no classes for %s", opts["id"])
        return {}
    return {str(nodes.get("environment") or "base"): [str(name) for name in classes]}
