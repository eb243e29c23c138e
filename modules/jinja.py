"""Rendered values of templates in the file roots, for debugging formulas."""

from __future__ import annotations

import json
from typing import Any

from salt_g.api import opts, services


def load_map(path: str, value: str) -> Any:
    """Return the variable `value` of the template at `path`, imported with context.

    Example::

        salt-g jinja.load_map template/map.jinja template
    """
    return _rendered(f'{{% from "{path}" import {value} with context %}}\n{{{{ {value} | tojson }}}}\n')


def import_yaml(path: str) -> Any:
    """Return the data that the Jinja tag `import_yaml` loads from a file.

    Example::

        salt-g jinja.import_yaml template/defaults.yaml
    """
    return _rendered(f'{{% import_yaml "{path}" as imported %}}\n{{{{ imported | tojson }}}}\n')


def import_json(path: str) -> Any:
    """Return the data that the Jinja tag `import_json` loads from a file.

    Example::

        salt-g jinja.import_json template/defaults.json
    """
    return _rendered(f'{{% import_json "{path}" as imported %}}\n{{{{ imported | tojson }}}}\n')


def _rendered(text: str) -> Any:
    data = services().render.render_text(text, pipe=str(opts.get("renderer") or "jinja|yaml"))
    return json.loads(json.dumps(data))
