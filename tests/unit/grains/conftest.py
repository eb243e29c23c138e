"""A fake root directory: `tree({"/proc/meminfo": "..."})` returns its path."""

import pytest


@pytest.fixture
def tree(tmp_path):
    """Return a function that writes files below a fake root; a value None makes a directory."""

    def write(files):
        for path, content in files.items():
            target = tmp_path / path.lstrip("/")
            if content is None:
                target.mkdir(parents=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
        return str(tmp_path)

    return write
