"""Forms of `source_hash`, and the lookup of a hash in a file."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.formats.hashfile import Wanted, find_in_lines, is_hash_file, parse_expression

MD5 = "d41d8cd98f00b204e9800998ecf8427e"
SHA = "a" * 40


def test_a_bare_hash_is_known_by_its_length():
    assert parse_expression(MD5.upper()).as_dict() == {"hash_type": "md5", "hsum": MD5}


def test_a_hash_with_its_type_is_taken_as_it_is():
    assert parse_expression(f"sha1 = {SHA}").as_dict() == {"hash_type": "sha1", "hsum": SHA}


@pytest.mark.parametrize(
    ("source_hash", "text"),
    [
        ("nonsense", "format is invalid"),
        (MD5[:-1], "format is invalid"),
        ("g" * 32, "format is invalid"),
        (f"md6={MD5}", "Invalid hash type 'md6'"),
        (f"sha1={MD5}", r"Invalid length \(32\) for hash type 'sha1'.*to 'md5'"),
        ("foo://x", "format is invalid"),
        ("http://u:p@h/x=1", "http://<redacted>@h"),
    ],
)
def test_a_wrong_expression_is_explained(source_hash, text):
    with pytest.raises(CommandExecutionError, match=text):
        parse_expression(source_hash)


def test_urls_and_absolute_paths_are_hash_files():
    assert is_hash_file("/x/SUMS")
    assert is_hash_file("https://x/SUMS")
    assert is_hash_file("salt://x/SUMS")
    assert not is_hash_file(MD5)
    assert not is_hash_file(f"md5={MD5}")


LINES = [
    "# checksums",
    f"{'1' * 40}  first.tar",
    f"{'2' * 40} *./dir/named.tar",
    f"{'3' * 32}  named.tar",
    f"MD5 (x) = {'4' * 32}",
    f"remote.tar {'5' * 64}",
]


@pytest.mark.parametrize(
    ("wanted", "hash_type", "hsum"),
    [
        (Wanted(), "", "1" * 40),
        (Wanted(file_name="/tmp/named.tar"), "", "2" * 40),
        (Wanted(file_name="/tmp/named.tar"), "md5", "3" * 32),
        (Wanted(source_hash_name="named.tar", file_name="/tmp/first.tar"), "", "3" * 32),
        (Wanted(source="https://x/y/remote.tar"), "sha256", "5" * 64),
        (Wanted(source_hash_name="remote.tar"), "", "5" * 64),
        (Wanted(file_name="/tmp/other"), "md5", "3" * 32),
    ],
)
def test_the_line_that_names_the_file_best_wins(wanted, hash_type, hsum):
    assert find_in_lines(LINES, wanted, hash_type=hash_type).hsum == hsum


def test_no_hash_in_the_file_is_none():
    assert find_in_lines(["nothing", "abc"], Wanted()) is None
