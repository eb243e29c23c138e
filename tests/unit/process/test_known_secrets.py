"""Secrets in all encodings, and their replacement."""

import base64
import html
import json
import logging
import shlex
import subprocess
import sys
import textwrap
import time
from urllib.parse import quote, quote_plus

import markupsafe
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from salt_g.process.known_secrets import COMMON_WORDS, MAX_SECRETS, MIN_LINE, KnownSecrets, leaves_of

SECRET = "hunter2'$x \"ü/+&<%\\"
#: How programs and salt-g itself may write a text.
NOTATIONS = {
    "plain": lambda text: text,
    "json": json.dumps,
    "json, not ASCII": lambda text: json.dumps(text, ensure_ascii=False),
    "json in json": lambda text: json.dumps(json.dumps({"a": text})),
    "python": repr,
    "python, ASCII": ascii,
    "python bytes": lambda text: repr(text.encode()),
    "yaml, single": lambda text: yaml.safe_dump(text, default_style="'", allow_unicode=True, width=10**6),
    "shell": shlex.quote,
    "shell, words": lambda text: shlex.join(["mysql", "-p", text]),
    "url": quote,
    "url, whole": lambda text: quote(text, safe=""),
    "url, form": quote_plus,
    "html": html.escape,
    **{
        f"base64 after {before}": lambda text, before=before: base64.b64encode(
            b"x" * before + text.encode() + b"tail"
        ).decode()
        for before in range(4)
    },
    "python of json": lambda text: repr(json.dumps({"a": text})),
    "json of python": lambda text: json.dumps(repr(text)),
    "shell of json": lambda text: shlex.quote(json.dumps({"a": text})),
    "url of json": lambda text: quote_plus(json.dumps({"a": text})),
    "bytes of json": lambda text: repr(json.dumps(text, ensure_ascii=False).encode()),
    "hexadecimal": lambda text: text.encode().hex(),
    "html of jinja": lambda text: str(markupsafe.escape(text)),
    "json, slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "url of base64": lambda text: quote(base64.b64encode(text.encode()).decode(), safe=""),
    "base64, url": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
}


def known(**values):
    secrets = KnownSecrets()
    secrets.add({value: label for label, value in values.items()})
    return secrets


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_secret_is_hidden_in_each_notation(notation):
    written = f"before {NOTATIONS[notation](SECRET)} after"

    hidden = known(db=SECRET).hide(written)

    assert "<secret:db>" in hidden
    assert hidden.startswith("before ")
    assert hidden.endswith(" after")
    assert "hunter2" not in hidden


@settings(derandomize=True, max_examples=300)
# Characters that each notation writes in its own way, and long runs of none of them.
@given(
    st.text(
        st.characters(codec="utf-8", exclude_characters="\n\r\x85\u2028\u2029\0"), min_size=6, max_size=40
    ).filter(lambda text: text.lower() not in COMMON_WORDS),
    st.sampled_from(sorted(NOTATIONS)),
)
@example("''''''", "shell, words")
@example("\\\\\\\\\\\\", "json in json")
@example("      x     ", "plain")
def test_no_notation_of_any_text_shows_it(text, notation):
    written = NOTATIONS[notation](text)

    hidden = known(db=text).hide(f"a {written} b")

    assert "<secret:db>" in hidden


def test_nested_data_is_hidden_with_its_keys_and_numbers_and_the_rest_is_the_same_object():
    secrets = known(pin="918273", db=SECRET)
    clean = {"a": [1, 2, {"b": None}], "c": (True, 918274)}

    hidden = secrets.hide({"k": {SECRET: [f"x{SECRET}", 918273, b"z" + SECRET.encode()]}, "clean": clean})

    assert hidden == {"k": {"<secret:db>": ["x<secret:db>", "<secret:pin>", b"z<secret:db>"]}, "clean": clean}
    assert secrets.hide(clean) is clean


def test_each_line_of_a_key_is_hidden_where_a_diff_shows_it():
    key = "-----BEGIN KEY-----\nMIIEowIBAAKCAQEA\nqwertyuiopasdfgh\n-----END KEY-----\n"

    hidden = known(key=key).hide("+-----BEGIN KEY-----\n+MIIEowIBAAKCAQEA\n-qwertyuiopasdfgh\n")

    assert hidden == "+-----BEGIN KEY-----\n+<secret:key>\n-<secret:key>\n"
    assert len("MIIEowIBAAKCAQEA") >= MIN_LINE


def test_a_short_line_counts_if_it_looks_like_a_password():
    secret = "alpha-9x\nwords\nport 8080\n"

    assert known(key=secret).hide("+alpha-9x +words +port 8080") == "+<secret:key> +words +port 8080"


@pytest.mark.parametrize("width", [20, 60, 64, 76])
@pytest.mark.parametrize("before", range(3))
def test_a_long_secret_is_hidden_in_lines_of_base64(width, before):
    secret = "".join(map(chr, range(0x21, 0x7F))) * 4
    text = base64.b64encode(f"{'x' * before}{secret}\n".encode()).decode()
    lines = [text[begin : begin + width] for begin in range(0, len(text), width)]

    hidden = known(key=secret).hide("\n".join(lines))

    assert not [line for line in lines[1:-1] if line in hidden]


@pytest.mark.parametrize("width", [7, 20, 40])
@pytest.mark.parametrize(
    "secret", ["correct horse battery staple of long words", "Zk9-x!lmn0pQrst\"u'v", "a-1\nb-2\nc-3"]
)
def test_a_secret_is_hidden_where_lines_are_broken(secret, width):
    for written in (
        yaml.safe_dump({"key": secret}, width=width),
        yaml.safe_dump({"key": secret}, width=width, default_style='"'),
        yaml.safe_dump({"a": {"key": secret}}, default_style="|"),
        *(["\n".join(textwrap.wrap(secret, width, drop_whitespace=False))] if "\n" not in secret else []),
    ):
        for text in (written, "".join(f"+{line}\n" for line in written.splitlines()), json.dumps(written)):
            assert "<secret:db>" in known(db=secret).hide(text), text


def test_of_two_secrets_that_overlap_nothing_remains():
    assert known(a="abcdefgh", b="efghijkl").hide("-abcdefghijkl-") == "-<secret:a>-"
    assert known(a="abcdefgh", b="abcdefghij").hide("-abcdefghij-abcdefgh-") == "-<secret:b>-<secret:a>-"


def test_a_place_replaces_an_unknown_one():
    secrets = KnownSecrets()
    secrets.add({"topsecret1": ""})

    assert secrets.hide("topsecret1") == "<secret>"
    secrets.add({"topsecret1": "db:password"})
    assert secrets.hide("topsecret1") == "<secret:db:password>"


def test_short_and_common_values_are_shown_and_named_once(caplog):
    secrets = KnownSecrets()

    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            secrets.add({"abc": "db:short", "Password": "db:word", "": "db:empty"})

    assert secrets.hide("abc Password") == "abc Password"
    assert [record.getMessage().split(":", 1)[0] for record in caplog.records] == [
        "the secret db",
        "the secret db",
        "the secret db",
    ]
    assert "db:short" in caplog.text
    assert "db:word" in caplog.text


def test_beyond_the_limit_one_warning_says_that_secrets_are_shown(caplog):
    secrets = KnownSecrets()

    with caplog.at_level(logging.WARNING):
        secrets.add({f"value-{number:06}": "many" for number in range(MAX_SECRETS + 10)})

    assert secrets.hide("value-000007 value-005003") == "<secret:many> value-005003"
    assert len(caplog.records) == 1


def test_thousands_of_secrets_cost_no_more_than_one():
    text = {str(number): {"name": f"/etc/app/{number}.conf", "result": True} for number in range(1000)}
    many = KnownSecrets()
    many.add({f"Value-{number:06}-x": "many" for number in range(MAX_SECRETS)})
    many.hide("first use")

    began = time.process_time()
    many.hide(text)

    # Some milliseconds; a search for each form would take seconds.
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("secret", ["the cat and the dog ran", "a" * 16])
def test_beginnings_of_secrets_everywhere_cost_one_pass(secret):
    secrets = known(db=secret)
    text = f"{secret[:4]}\n" * 20_000

    began = time.process_time()
    secrets.hide(text)

    # A tenth of a second; looking around each of them would take many.
    assert time.process_time() - began < 2


def test_leaves_are_texts_and_numbers():
    assert leaves_of({"a": ["x", 1, True, None, 1.5], "b": b"y"}) == ["x", "1", "y"]


def test_an_uncaught_error_shows_no_secret():
    code = (
        "from salt_g.process import secret_hiding; secret_hiding.add({'topsecret1': 'db'});"
        "raise ValueError('bad topsecret1')"
    )

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert ended.returncode == 1
    assert "bad <secret:db>" in ended.stderr
    # The line of the program is its text, which had the secret.
    assert "topsecret1" not in ended.stderr
