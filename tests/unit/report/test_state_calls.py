"""Calls that run states: the same text for the same call, and the job that repeats one in test mode."""

import json

import pytest

from salt_g.report.state_calls import MAX_TEXT, shown, test_job, text_of

# It is no test.
test_job.__test__ = False


@pytest.mark.parametrize(
    ("fun", "args", "kwargs", "words", "job"),
    [
        ("state.apply", [], {}, "highstate", ("state.test", [], {})),
        ("state.highstate", ["ignored"], {"test": True}, "highstate", ("state.test", [], {})),
        ("state.apply", ["web,db"], {"queue": True}, "web,db", ("state.test", ["web,db"], {})),
        ("state.sls", [["web", "db"]], {"test": True}, "web,db", ("state.test", ["web,db"], {})),
        ("state.test", [], {"mods": "web"}, "web", ("state.test", ["web"], {})),
        (
            "state.apply",
            ["web"],
            {"saltenv": "dev", "exclude": "db"},
            "web saltenv=dev exclude=db",
            ("state.test", ["web"], {"saltenv": "dev", "exclude": "db"}),
        ),
        (
            "state.sls_id",
            ["motd", "web"],
            {},
            "motd of web",
            ("state.sls_id", ["motd", "web"], {"test": True}),
        ),
        ("state.top", ["alt.sls"], {}, "top alt.sls", ("state.top", ["alt.sls"], {"test": True})),
        ("state.apply", ["web"], {"pillar": {"word": "s3cret"}}, "web pillar=...", None),
    ],
)
def test_a_call_has_a_text_words_and_a_job(fun, args, kwargs, words, job):
    text = text_of(fun, args, kwargs)

    assert (shown(text), test_job(text)) == (words, job)
    assert "s3cret" not in text


def test_the_same_call_in_other_forms_has_the_same_text():
    assert (
        text_of("state.apply", ["web"], {"test": True})
        == text_of("state.sls", [], {"mods": ["web"]})
        == text_of("state.test", ["web"], {})
    )


def test_a_job_can_be_in_another_environment():
    assert test_job(text_of("state.apply", ["web"], {"saltenv": "dev"}), "abc") == (
        "state.test",
        ["web"],
        {"saltenv": "abc"},
    )


@pytest.mark.parametrize("fun", ["state.single", "test.ping", ["state.apply"], "state.show_sls"])
def test_functions_that_run_no_states_of_the_tree_have_no_text(fun):
    assert text_of(fun, ["web"], {}) == ""


def test_the_states_of_an_earlier_run_have_no_text():
    assert text_of("state.apply", ["web"], {"cache": True}) == ""


def test_a_text_that_is_too_long_is_none():
    assert text_of("state.apply", ["w" * MAX_TEXT], {}) == ""
    assert json.loads(text_of("state.apply", ["web"], {})) == {"fun": "state.apply", "mods": ["web"]}
