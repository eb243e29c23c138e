"""Settings read in the tree: each setting is read somewhere, or documented as without effect."""

import ast
import functools
import pathlib
import re

from salt_g.config.ignored_settings import PARTIAL, reasons
from salt_g.config.registry import KNOWN
from salt_g.files import git_remotes
from salt_g.pillar import git_branches

ROOT = pathlib.Path(__file__).parents[2]
ROOMS = ("salt_g", "modules", "states", "grains")
#: Declarations are no reads, and neither are names of stock's packages.
_NOT_READ = ("config/declared", "config/ignored_settings.py", "salt_g/compat")
#: Names of variables and attributes that hold settings.
_HOLDERS = re.compile(r"(\w*opts|settings|defaults)$")
#: Records made of the settings that their fields name, by their files.
RECORDS = {
    "salt_g/keys/policy.py": ("AutoSettings",),
    "salt_g/master/settings.py": ("AuthenticationSettings", "MasterIdentitySettings", "ReturnSettings"),
}
#: Settings that a function reads by a name it is given: {file: texts handed to it there}.
HANDED_OVER = {
    "salt_g/config/files.py": ("include",),
    "salt_g/loader/kinds.py": (
        *("grains_dirs", "log_handlers_dirs", "outputter_dirs", "render_dirs", "returner_dirs"),
        *("runner_dirs", "wheel_dirs"),
    ),
    "salt_g/loader/loader.py": ("whitelist_state_modules",),
    "salt_g/minion/background/automation.py": ("beacons_before_connect", "scheduler_before_connect"),
    "salt_g/net/event_bus_addresses.py": (
        *("tcp_master_pub_port", "tcp_master_pull_port", "tcp_pub_port", "tcp_pull_port"),
    ),
    "salt_g/render/jinja/options.py": (
        *("jinja_env", "jinja_sls_env", "jinja_lstrip_blocks", "jinja_trim_blocks"),
    ),
    "salt_g/returners/multi_returner.py": ("multi_returner",),
    "salt_g/telemetry/log.py": ("log_fmt_jid", "log_fmt_minion_id"),
    "modules/aliases.py": ("aliases.file",),
    "modules/hosts.py": ("hosts.file",),
}
#: Names put together: {file: {the f-string, with * for its variable: the values of the variable}}.
PUT_TOGETHER = {
    "salt_g/files/git_remotes.py": {"gitfs_*": git_remotes._OPTIONS},
    "salt_g/pillar/git_branches.py": {"git_pillar_*": git_branches._BOTH},
    "salt_g/loader/loader.py": {"disable_*": ("modules", "returners")},
    "salt_g/net/web_proxy.py": {"proxy_*": ("host", "port", "username", "password")},
}
#: Ignored settings that code reads all the same: derived for users' plugins, or options of one repository.
ALSO_READ = {"git_pillar_pubkey", "gitfs_pubkey", "ssl", "syndic_dir"}


def _trees():
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            if not any(part in str(path) for part in _NOT_READ):
                yield path, ast.parse(path.read_text(encoding="utf-8"))


def _holds_settings(node):
    """Return whether an expression is a mapping of settings, judged by its last name."""
    if isinstance(node, ast.BoolOp):
        return _holds_settings(node.values[0])
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return bool(_HOLDERS.fullmatch(name))


def _text(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _reads(tree):
    """Yield the names that an expression of the file takes from a mapping of settings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and _holds_settings(node.value):
            yield _text(node.slice)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            if node.func.attr in ("get", "pop") and _holds_settings(node.func.value):
                yield _text(node.args[0])
        elif isinstance(node, ast.Compare) and _holds_settings(node.comparators[0]):
            yield _text(node.left)


def _fields(tree, names):
    """Yield the fields of the records of these names."""
    for record in ast.walk(tree):
        if isinstance(record, ast.ClassDef) and record.name in names:
            yield from (node.target.id for node in record.body if isinstance(node, ast.AnnAssign))


def _shapes(tree):
    """Yield the f-strings of a file, with * for each variable."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(_text(part) or "*" for part in node.values)


@functools.cache
def _found():
    """Return the names of all settings that the code reads."""
    found = set()
    for path, tree in _trees():
        file = str(path.relative_to(ROOT))
        texts = {_text(node) for node in ast.walk(tree)}
        found.update(_reads(tree), _fields(tree, RECORDS.get(file, ())))
        found.update(texts.intersection(HANDED_OVER.get(file, ())))
        together = PUT_TOGETHER.get(file, {})
        for shape in set(together).intersection(_shapes(tree)):
            found.update(shape.replace("*", value) for value in together[shape])
    return frozenset(found)


def test_each_setting_is_read_or_is_in_the_table():
    assert sorted(set(KNOWN) - _found() - set(reasons()) - set(PARTIAL)) == []


def test_a_setting_that_is_in_the_table_is_not_read():
    assert sorted(_found().intersection(reasons()) - ALSO_READ) == []
