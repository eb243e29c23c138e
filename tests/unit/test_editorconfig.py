"""The tracked files, each laid out as `.editorconfig` demands.

Shapes: a section's pattern has `*` (no slash), `**` and `{a,b}`; one without a slash is for names in any
folder. Later sections win, and `unset` exempts.
"""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
WEB = (".js", ".mjs", ".css", ".html")


def sections():
    """Return [(pattern of paths, {property: value})] in the order of the file."""
    found = []
    for line in (ROOT / ".editorconfig").read_text().splitlines():
        if line.startswith("["):
            found.append((as_regex(line.strip()[1:-1]), {}))
        elif found and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found[-1][1][name.strip()] = value.strip()
    return found


def as_regex(pattern):
    words = {"**": ".*", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|"}
    parts = re.findall(r"\*\*|[*{},]|[^*{},]+", pattern)
    return re.compile(
        ("" if "/" in pattern else "(?:.*/)?") + "".join(words.get(part, re.escape(part)) for part in parts)
    )


@pytest.fixture(scope="module")
def files():
    """Return {path relative to the repository: (its bytes, its properties)} of text files."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout of git")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    rules = sections()
    found = {}
    for name in filter(None, names.decode().split("\0")):
        path = ROOT / name
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        if content and b"\0" not in content:
            properties = {}
            for pattern, given in rules:
                if pattern.fullmatch(name):
                    properties.update(given)
            found[name] = content, properties
    return found


def test_each_text_ends_in_one_newline(files):
    wanted = {name: text for name, (text, has) in files.items() if has.get("insert_final_newline") == "true"}

    assert [name for name, text in wanted.items() if not text.endswith(b"\n")] == []
    assert [name for name, text in wanted.items() if text.endswith(b"\n\n")] == []


def test_no_line_ends_in_blanks(files):
    wanted = {
        name: text for name, (text, has) in files.items() if has.get("trim_trailing_whitespace") == "true"
    }

    assert [name for name, text in wanted.items() if re.search(rb"(?m)[ \t]+\r?$", text)] == []


def test_each_text_is_utf_8_with_newlines_of_unix(files):
    wanted = {name: text for name, (text, has) in files.items() if has.get("end_of_line") == "lf"}

    assert [name for name, text in wanted.items() if b"\r" in text] == []
    assert all(text.decode() for text in wanted.values())


def test_no_line_is_indented_by_a_tab_where_spaces_are_set(files):
    # A size that is unset goes with recorded files, whose tabs are data.
    wanted = {
        name: text
        for name, (text, has) in files.items()
        if has.get("indent_style") == "space" and has["indent_size"] != "unset"
    }

    assert [name for name, text in wanted.items() if re.search(rb"(?m)^\t", text)] == []


def test_the_files_of_the_page_are_indented_as_set(files):
    page = {name: found for name, found in files.items() if name.endswith(WEB) and "/vendor/" not in name}
    wrong = {}
    for name, (text, has) in page.items():
        code = re.sub(r"(?s)/\*.*?\*/|<!--.*?-->", "", text.decode())
        steps = {len(spaces) for spaces in re.findall(r"(?m)^( +)\S", code)}
        if steps and (min(steps) != int(has["indent_size"]) or any(n % min(steps) for n in steps)):
            wrong[name] = sorted(steps)

    assert page
    assert wrong == {}


def test_the_longest_line_is_that_of_ruff(files):
    ruff = re.search(r"(?m)^line-length = (\d+)", (ROOT / "pyproject.toml").read_text())[1]

    assert files["setup.py"][1]["max_line_length"] == ruff
