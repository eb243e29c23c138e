"""Passwords in text files, htdigest and htpasswd files."""

import hashlib

import pytest

from salt_g.auth import file
from salt_g.errors import AuthModuleError


@pytest.fixture
def checker(tmp_path):
    def make(text, **options):
        path = tmp_path / "passwords"
        path.write_text(text)
        return file.Checker({}, {"^filename": str(path), **{f"^{name}": v for name, v in options.items()}})

    return make


def test_text_files_hold_passwords_in_fields(checker):
    users = checker("dean:goneFishing\n\ngene:OceanMan\n")

    assert users.is_right("gene", "OceanMan")
    assert not users.is_right("gene", "goneFishing")
    assert not users.is_right("nobody", "")


def test_text_files_have_digests_and_fields_of_ones_choice(checker):
    digest = hashlib.sha256(b"pw").hexdigest()
    users = checker(
        f"46|trey|{digest}\n", hashtype="sha256", field_separator="|", username_field=2, password_field=3
    )

    assert users.is_right("trey", "pw")
    assert not users.is_right("trey", digest)


def test_htdigest_and_sha_of_htpasswd_need_no_library(checker):
    digest = hashlib.md5(b"cory:My:pw").hexdigest()

    assert checker(f"cory:My:{digest}\n", filetype="htdigest", realm="My").is_right("cory", "pw")
    assert not checker(f"cory:My:{digest}\n", filetype="htdigest", realm="My").is_right("cory", "x")
    sha = "{SHA}Hp4oohuN0vYpB4MI8lxiR5kKHCQ="
    assert not checker(f"cory:{sha}\n", filetype="htpasswd").is_right("cory", "x")


@pytest.mark.parametrize(
    ("library", "kept"),
    [
        ("bcrypt", "$2y$05$Ya19LzPe6hr4OjCyfcmr0uqeWDVP3ut9Lg1Tcr8D8iH1/bLpRfBoa"),
        ("passlib", "$apr1$y/shLGGv$6x2miIbqAH8KjiJKZVVEd1"),
    ],
)
@pytest.mark.filterwarnings("ignore:'crypt' is deprecated")
def test_digests_of_htpasswd_need_the_library_of_their_scheme(checker, library, kept):
    pytest.importorskip(library)
    users = checker(f"cory:{kept}\n", filetype="htpasswd")

    assert users.is_right("cory", "pw")
    assert not users.is_right("cory", "x")
    assert not users.is_right("cory", "x" * 100)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a:b\n", {"filetype": "nope"}),
        ("a:b\n", {"hashtype": "nope"}),
        ("a\n", {}),
        ("a:b\n", {"filetype": "htdigest"}),
        ("a:b\n", {"filename": "/nowhere"}),
    ],
)
def test_an_unusable_configuration_is_reported(checker, text, options):
    with pytest.raises(AuthModuleError):
        checker(text, **options).is_right("a", "b")


def test_a_file_must_be_named():
    with pytest.raises(AuthModuleError, match="filename"):
        file.Checker({}, {})
