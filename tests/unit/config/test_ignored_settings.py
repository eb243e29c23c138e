"""Each setting is read somewhere, or told to have no effect."""

import ast
import pathlib
import re

import pytest

from salt_g import config
from salt_g.config.ignored_settings import NOT_NEEDED, UNSUPPORTED, reasons
from salt_g.config.registry import KNOWN

ROOT = pathlib.Path(__file__).parents[3]
#: Read under a name that is put together, beyond what the code shows: f"gitfs_{name}".
PREFIXES = ("gitfs_", "git_pillar_")


def _words():
    """Return every text and name of the code, without the declarations and the names of stock's packages."""
    found, joined = set(), set()
    apart = ("config/declared", "config/ignored_settings.py", "salt_g/compat")
    for room in ("salt_g", "modules", "states", "grains"):
        for path in (ROOT / room).rglob("*.py"):
            if any(part in str(path) for part in apart):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
                elif isinstance(node, ast.Attribute):
                    found.add(node.attr)
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found.add(node.target.id)
                elif isinstance(node, ast.JoinedStr):
                    parts = [p.value if isinstance(p, ast.Constant) else "*" for p in node.values]
                    joined.add("".join(parts))
    return found, joined


def test_each_setting_is_read_or_stands_in_the_table():
    found, joined = _words()
    shapes = [
        re.compile(re.escape(text).replace(r"\*", r"\w+"))
        for text in joined
        if re.fullmatch(r"[a-z_]{5,}_\*|\*_[a-z_]{5,}", text)
    ]

    unread = {
        name
        for name in KNOWN
        if name not in found and not any(shape.fullmatch(name) for shape in shapes) and name not in reasons()
    }

    assert unread == set()


def test_the_table_names_settings_each_once():
    names = [name for group in (UNSUPPORTED, NOT_NEEDED) for names in group.values() for name in names]

    assert sorted(names) == sorted(set(names))
    assert set(names) <= set(KNOWN)


@pytest.mark.parametrize("setting", ["cluster_id: east", "regen_thin: true", "thorium_top: x"])
def test_who_asks_for_what_is_not_there_is_told(tmp_path, setting):
    (tmp_path / "master").write_text(f"{setting}\nworker_pools_enabled: false\nsyndic_wait: 5\n")

    warnings = config.load("master", str(tmp_path)).warnings

    assert len(warnings) == 1
    assert warnings[0].startswith(f"{tmp_path}/master:1: {setting.partition(':')[0]}: ")
    assert "has no effect: " in warnings[0]
