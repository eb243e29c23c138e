"""External pillars `cmd_yaml`, `cmd_yamlex` and `cmd_json`: the output of a command.

Errors: output that cannot be parsed is logged and adds no pillar, as in stock.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from salt_g import api
from salt_g.errors import YamlError
from salt_g.formats.yaml_load import load
from salt_g.shapes import PillarDict

log = logging.getLogger(__name__)


def cmd_yaml(minion_id: str, pillar: PillarDict, command: str) -> Any:
    """Return the YAML printed by a command; `%s` in it is replaced by the minion's id."""
    output = _output(command, minion_id)
    try:
        return load(output)
    except YamlError:
        log.critical("the output of external pillar command %r is not YAML", command)
        return {}


def cmd_json(minion_id: str, pillar: PillarDict, command: str) -> Any:
    """Return the JSON printed by a command; `%s` in it is replaced by the minion's id."""
    output = api.call("cmd.run", command.replace("%s", minion_id))
    try:
        return json.loads(output)
    except ValueError:
        log.critical("the output of external pillar command %r is not JSON", command)
        return {}


def cmd_yamlex(minion_id: str, pillar: PillarDict, command: str) -> Any:
    """Return the output of a command, rendered by yamlex."""
    output = _output(command, minion_id)
    return api.services().render.render_text(output, pipe="yamlex")


def _output(command: str, minion_id: str) -> str:
    return str(api.call("cmd.run_stdout", command.replace("%s", minion_id), python_shell=True))
