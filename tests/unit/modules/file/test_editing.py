import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import file


@pytest.fixture
def text_file(tmp_path, call_context):
    call_context()
    path = tmp_path / "f"

    def make(text):
        path.write_bytes(text.encode())
        return str(path)

    make.read = lambda: path.read_bytes().decode()
    make.path = path
    return make


def test_replace_returns_a_diff_and_keeps_the_old_file_beside(text_file):
    name = text_file("a1\na2\n")

    shown = file.replace(name, r"a(\d)", r"b\1", count=1)

    assert shown == "--- \n+++ \n@@ -1,2 +1,2 @@\n-a1\n+b1\n a2\n"
    assert text_file.read() == "b1\na2\n"
    assert text_file.path.with_name("f.bak").read_text() == "a1\na2\n"


def test_replace_keeps_the_mode(text_file):
    name = text_file("a\n")
    text_file.path.chmod(0o640)

    file.replace(name, "a", "b")

    assert file.get_mode(name) == "0640"


def test_a_line_is_added_once_where_nothing_matches(text_file):
    name = text_file("no end")

    file.replace(name, "^x=.*", "x=1", append_if_not_found=True)
    again = file.replace(name, "^x=.*", "x=1", append_if_not_found=True)

    assert text_file.read() == "no end\nx=1\n"
    assert again == ""


def test_search_only_and_dry_run_leave_the_file(text_file):
    name = text_file("abc\n")

    assert file.replace(name, "b", "x", search_only=True) is True
    assert file.replace(name, "b", "x", dry_run=True, show_changes=False) is True
    assert text_file.read() == "abc\n"


def test_flags_are_names_or_numbers(text_file):
    name = text_file("one\nTWO\n")

    assert file.search(name, "^two$", flags=["IGNORECASE", "MULTILINE"]) is True
    assert file.search(name, "^TWO$") is True
    with pytest.raises(CommandExecutionError, match="Invalid re flag given: LOUD"):
        file.search(name, "x", flags="LOUD")


def test_binary_files_are_not_edited(text_file):
    name = text_file("\0\1\2")

    with pytest.raises(InvocationError, match="binary file"):
        file.replace(name, "a", "b")


def test_a_backup_of_a_file_named_by_a_link_is_linked_too(text_file, tmp_path):
    text_file("one\n")
    (tmp_path / "link").symlink_to("f")

    file.replace(str(tmp_path / "link"), "one", "two")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "link.bak").read_text() == "one\n"


@pytest.mark.parametrize(
    ("options", "after"),
    [
        ({"content": "new", "mode": "insert", "after": "^a"}, "a\nnew\nb\n"),
        ({"content": "new", "mode": "insert", "before": "^b"}, "a\nnew\nb\n"),
        ({"content": "new", "mode": "insert", "location": "start"}, "new\na\nb\n"),
        ({"content": "new", "mode": "insert", "location": "end"}, "a\nb\n\nnew"),
        ({"content": "new", "mode": "replace", "match": "b"}, "a\nnew\n"),
        ({"mode": "delete", "match": "a"}, "b\n"),
        ({"content": "new", "mode": "ensure", "after": "^a", "before": "^b"}, "a\nnew\nb\n"),
    ],
)
def test_line_edits_one_line(text_file, options, after):
    name = text_file("a\nb\n")

    file.line(name, **options)

    assert text_file.read() == after


def test_line_refuses_an_anchor_that_fits_twice(text_file):
    name = text_file("a\na\n")

    with pytest.raises(CommandExecutionError, match='Found more than expected occurrences in "after"'):
        file.line(name, content="x", mode="ensure", after="a")


def test_blockreplace_keeps_foreign_line_ends(text_file):
    name = text_file("a\r\n# S\r\nold\r\n# E\r\n")

    file.blockreplace(name, "# S", "# E", "new", append_newline=True)

    assert text_file.read() == "a\r\n# S\r\nnew\r\n# E\r\n"


def test_an_open_block_is_refused(text_file):
    name = text_file("# S\nno end\n")

    with pytest.raises(CommandExecutionError, match="Unterminated marked block"):
        file.blockreplace(name, "# S", "# E", "x")


def test_comment_line_shows_only_what_changed(text_file):
    name = text_file("keep\npcspkr\n")

    assert file.comment_line(name, "^pcspkr") == "--- \n+++ \n@@ -1 +1 @@\n-pcspkr\n+#pcspkr\n"
    assert file.comment_line(name, "^nothing") is False


def test_append_ends_the_last_line_first(text_file):
    name = text_file("no end")

    assert file.append(name, "x", "y") == f'Wrote 2 lines to "{name}"'
    assert text_file.read() == "no end\nx\ny\n"


def test_psed_drops_what_precedes_the_limit_as_stock_does(text_file):
    name = text_file("head MARK one one")

    file.psed(name, "one", "two", limit="MARK")

    assert text_file.read() == " two two"


def test_pieces_of_a_file_are_read_and_written_by_offset(text_file):
    name = text_file("abcdef")

    assert file.seek_write(name, "XY", 2) == 2
    assert file.seek_read(name, 3, 1) == b"bXY"
    file.truncate(name, 3)
    assert text_file.read() == "abX"


def test_contains_finds_text_across_the_border_of_a_piece(text_file):
    name = text_file("x" * (256 * 1024 - 3) + "needle" + "y" * 10)

    assert file.contains(name, "needle") is True
    assert file.contains(name, "missing") is False
    assert file.contains("/no/such/file", "x") is False


TEXTS = {
    "utf-8": "привет мир, как дела\n".encode(),
    "latin-1": "Größe für Straße ÄÖÜäöü éèà\n".encode("latin-1"),
    "windows-1251": "привет мир, как дела\n".encode("cp1251"),
}


@pytest.mark.parametrize("before", [0, 600])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("function", "arguments", "line"),
    [
        ("comment", ("^key",), b"#key=old\n"),
        ("replace", ("=old", "=new"), b"key=new\n"),
        ("blockreplace", ("key=", "end", "within\n"), b"within\n"),
        ("line", ("key=new", "key=", "replace"), b"key=new\n"),
    ],
)
def test_texts_of_any_encoding_keep_their_other_bytes(
    call_context, tmp_path, function, arguments, line, text, before
):
    path = tmp_path / "f"
    call_context()
    kept = b"a line of text\n" * (before // 15) + TEXTS[text]
    path.write_bytes(kept + b"key=old\nend\n")

    diff = getattr(file, function)(str(path), *arguments)

    assert isinstance(diff, str) and "inary" not in diff
    assert path.read_bytes().startswith(kept)
    assert line in path.read_bytes()


@pytest.mark.parametrize("text", TEXTS)
def test_a_diff_of_texts_of_any_encoding_is_shown(call_context, tmp_path, text):
    call_context()
    (tmp_path / "a").write_bytes(TEXTS[text])
    (tmp_path / "b").write_bytes(TEXTS[text] + b"more\n")

    assert file.get_diff(str(tmp_path / "a"), str(tmp_path / "b")).endswith("+more\n")


def test_text_that_the_encoding_cannot_hold_is_refused_and_the_file_stays(call_context, tmp_path):
    path = tmp_path / "f"
    call_context()
    path.write_bytes(TEXTS["latin-1"])

    with pytest.raises(CommandExecutionError, match="is not UTF-8 text and cannot hold 'п'"):
        file.line(str(path), "привет", mode="insert", location="end")

    assert path.read_bytes() == TEXTS["latin-1"]
