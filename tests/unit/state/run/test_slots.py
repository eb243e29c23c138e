"""Slots in arguments."""

import pytest

from salt_g.state.run.slots import fill, parse_call

FUNCTIONS = {
    "test.echo": lambda text: text,
    "test.arg": lambda *args, **kwargs: {"args": args, "kwargs": kwargs},
}


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("plain", "plain"),
        ("__slot__:salt:test.echo(hello)", "hello"),
        ('__slot__:salt:test.echo("two words")', "two words"),
        ("__slot__:salt:test.echo(two words)", "twowords"),
        ("__slot__:salt:test.arg(1, k=v).kwargs.k ~ /tail", "v/tail"),
        ("__slot__:salt:test.echo(base) ~ ' end'", "base end"),
        ("__slot__:salt:test.arg(1).args.0", "1"),
        ("__slot__:bad", "__slot__:bad"),
        ("__slot__:salt:no.such(1)", "__slot__:salt:no.such(1)"),
        ("__slot__:salt:test.echo(unclosed", "__slot__:salt:test.echo(unclosed"),
        ("__slot__:other:test.echo(x)", "__slot__:other:test.echo(x)"),
        (["__slot__:salt:test.echo(a)", "b"], ["a", "b"]),
        ({"k": "__slot__:salt:test.echo(a)"}, {"k": "a"}),
        ([{"k": "__slot__:salt:test.echo(a)"}], [{"k": "a"}]),
        ({"k": {"deep": "__slot__:salt:test.echo(a)"}}, {"k": {"deep": "__slot__:salt:test.echo(a)"}}),
        (5, 5),
    ],
)
def test_a_slot_becomes_what_its_function_returns(text, result):
    assert fill(text, FUNCTIONS) == result


def test_slots_leave_the_argument_as_it_is():
    argument = {"k": "__slot__:salt:test.echo(a)"}

    fill(argument, FUNCTIONS)

    assert argument == {"k": "__slot__:salt:test.echo(a)"}


def test_brackets_keep_commas_together():
    assert parse_call("a.b([1, 2], k={x: 1})") == ("a.b", ["[1,2]"], {"k": "{x:1}"})


def test_other_text_than_a_call_is_none():
    assert parse_call("a.b") is None
    assert parse_call("a.b('x") is None
