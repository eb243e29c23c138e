import shutil
import subprocess

import pytest

from salt_g.cli import man_pages
from salt_g.cli.options import OptionParser
from salt_g.cli.parsers import parsers


def test_each_subcommand_has_a_page():
    assert set(man_pages.pages()) == {"salt-g", *(f"salt-g-{name}" for name in parsers())}


def test_each_option_is_on_its_page():
    pages = man_pages.pages()
    for name, parser in parsers().items():
        text = pages[f"salt-g-{name}"].replace("\\-", "-")
        missing = [option for action in parser._actions if action.help != "==SUPPRESS=="
                   for option in action.option_strings if f"\\fB{option}\\fR" not in text]  # fmt: skip
        assert missing == []


def test_values_signs_and_line_starts_are_escaped():
    parser = OptionParser(prog="salt-g try", description="Try it. More.", epilog="examples:\n.hidden 'a\\b'")
    parser.add_argument("-n", choices=("a", "b"), default="a", help="one of them (default: %(default)s)")

    text = man_pages._page("try", parser)

    assert "salt-g-try \\- Try it\n" in text.replace("salt\\-g\\-try", "salt-g-try")
    assert "\\fB\\-n\\fR \\fI{a,b}\\fR\none of them (default: a)" in text
    assert "\n\\&.hidden 'a\\eb'\n" in text


@pytest.mark.skipif(not shutil.which("groff"), reason="no groff here to read the pages")
def test_groff_reads_the_pages_without_a_warning():
    for text in man_pages.pages().values():
        done = subprocess.run(["groff", "-man", "-ww", "-z"], input=text, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
