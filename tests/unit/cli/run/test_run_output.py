import pytest

from salt_g.cli.run.run_output import Printer


@pytest.fixture
def printer():
    return Printer({"color": False}, is_quiet=False)


def test_a_result_may_name_its_outputter(printer, capsys):
    printer.result({"return": {"outputter": "json", "data": {"a": 1}}, "success": True})

    assert capsys.readouterr().out == '{\n    "a": 1\n}\n'


def test_progress_is_printed_with_its_kind(printer, capsys):
    printer.progress("progress", {"message": "half"})
    printer.progress("output", {"text": "plain"})
    printer.progress("new", {"fun": "runner.a.b"})
    printer.progress("args", {"name": "a"})

    assert capsys.readouterr().out == (
        "event:\n    ----------\n    message:\n        half\nsuffix:\n    progress\nplain\n"
    )


def test_warnings_of_a_runner_do_not_mix_with_what_it_returns(printer, capsys):
    printer.progress("warning", {"text": "no such job"})

    assert tuple(capsys.readouterr()) == ("", "no such job\n")


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        ({"return": 1, "success": True}, 0),
        ({"return": 1, "success": False}, 1),
        ({"return": 1, "success": False, "retcode": 7}, 7),
        ({"return": {"retcode": 3}, "success": True}, 3),
        ({"return": {"data": {"retcode": 4}}, "success": True}, 4),
    ],
)
def test_the_exit_code_is_the_first_that_is_reported(printer, outcome, code):
    assert printer.result(outcome) == code


def test_quiet_prints_nothing_and_keeps_the_exit_code(capsys):
    printer = Printer({}, is_quiet=True)

    assert printer.result({"return": 1, "success": False}) == 1
    printer.progress("progress", {})
    assert printer.refused({"return": "no"}, {"a.b": "doc"}) == 254
    assert capsys.readouterr().out == ""


def test_a_refused_call_shows_how_it_is_called(printer, capsys):
    assert printer.refused({"return": "not valid: a=1"}, {"a.b": "Do it."}) == 254

    result = capsys.readouterr()
    assert result.out == "a.b:\n    Do it.\n"
    assert result.err == "not valid: a=1\n"


def test_documentation_is_printed_by_name(printer, capsys):
    assert printer.documentation({"b.c": "Two.", "a.b": "One.\n\nMore."}) == 0
    assert printer.documentation({}) == 1

    assert capsys.readouterr().out == "a.b:\n\n    One.\n\n    More.\n\nb.c:\n\n    Two.\n\n"
