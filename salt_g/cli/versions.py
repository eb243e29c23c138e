"""The report of `--versions-report`: salt-g, its libraries, Python, the system."""

from __future__ import annotations

from collections.abc import Iterator

#: {name in the report: distribution}
_LIBRARIES = {
    "gevent": "gevent",
    "greenlet": "greenlet",
    "pyzmq": "pyzmq",
    "msgpack": "msgpack",
    "pycryptodome": "pycryptodome",
    "Jinja2": "jinja2",
    "ruamel.yaml": "ruamel.yaml",
    "ruamel.yaml.clib": "ruamel.yaml.clib",
    "psutil": "psutil",
}


def report() -> str:
    """Return the versions as text, grouped as stock groups them."""
    sections = {
        "salt-g Version": _own(),
        "Python Version": _python(),
        "Dependency Versions": _libraries(),
        "System Versions": _system(),
    }
    return "\n\n".join(_section(title, dict(rows)) for title, rows in sections.items())


def _section(title: str, rows: dict[str, str]) -> str:
    width = max(map(len, rows)) + 1
    return "\n".join([f"{title}:", *(f"  {name:>{width}}: {version}" for name, version in rows.items())])


def _own() -> Iterator[tuple[str, str]]:
    from salt_g import __version__

    yield "salt-g", __version__


def _python() -> Iterator[tuple[str, str]]:
    import sys

    yield "Python", sys.version.replace("\n", " ")


def _libraries() -> Iterator[tuple[str, str]]:
    from importlib.metadata import PackageNotFoundError, version

    for name, distribution in _LIBRARIES.items():
        try:
            yield name, version(distribution)
        except PackageNotFoundError:
            yield name, "Not Installed"


def _system() -> Iterator[tuple[str, str]]:
    import locale
    import platform

    yield "locale", locale.getpreferredencoding()
    yield "machine", platform.machine()
    yield "release", platform.release()
    yield "system", platform.system()
    yield "version", platform.version()
