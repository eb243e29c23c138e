"""Pages about jobs: one file, without external resources, everything escaped."""

import html.parser

import pytest

from salt_g.output import html as page
from salt_g.report.job_report import report

_EVIL = '"><script>alert(1)</script>\x1b[2J'
_VOID = {"meta", "!doctype"}


class _Page(html.parser.HTMLParser):
    """Strict parser of a page, in which each element must be closed in turn."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)


def _state(result=True, changes=None, name="n", **more):
    return {
        "result": result,
        "changes": changes or {},
        "comment": "as told",
        "name": name,
        "__id__": "an id",
        "__sls__": "web",
        "__run_num__": 0,
        "start_time": "10:00:00.000000",
        "duration": 12.5,
        **more,
    }


def _tag(number, state="file", fun="managed"):
    return f"{state}_|-id{number}_|-n{number}_|-{fun}"


def _report(returns, expected=()):
    load = {"fun": "state.apply", "arg": ["web"], "tgt": "*", "tgt_type": "glob", "user": "root"}
    return report("20260102030405678901", load, returns, expected)


def _read(data):
    return _Page(page.output(data, {}))


def test_a_page_reports_verdicts_timeline_and_diffs():
    diff = "--- old\n+++ new\n@@ -1 +1 @@\n-a < b\n+a > b\n"
    returned = {
        _tag(1): _state(changes={"diff": diff, "mode": "0644"}),
        _tag(2): _state(False, start_time="10:00:01.500000", __run_num__=1),
    }

    read = _read(_report({"m1": {"return": returned, "retcode": 2, "success": False}}, ["m1", "gone"]))

    assert "Job 20260102030405678901: state.apply" in read.text
    assert "+a > b" in read.text and '"mode": "0644"' in read.text
    assert read.tags.count("rect") == 2 and read.tags.count("details") == 1 + 2 + 2
    assert "It has not returned." in read.text
    assert ("span", "class", "verdict v-silent") in read.attributes


def test_failed_minions_come_first_and_successful_ones_are_folded_in_a_crowd():
    well = {f"m{number:02}": {"return": {_tag(1): _state()}} for number in range(20)}
    bad = {"m19x": {"return": {_tag(1): _state(False)}, "retcode": 2}}

    text = page.output(_report({**well, **bad}), {})

    assert text.count("<details class=minion open>") == 1
    assert text.index("<details class=minion open>") < text.index("<details class=minion>")
    assert "<details class=timeline><summary><h2>Timeline" in text


def test_few_minions_have_their_timeline_unfolded():
    text = page.output(_report({"m1": {"return": {_tag(1): _state()}}}), {})

    assert "<details class=timeline open><summary><h2>Timeline" in text


def test_arguments_are_shown_as_they_are_typed():
    data = {**_report({}), "arg": ["web", {"__kwarg__": True, "test": True, "pillar": {"a": 1}}]}

    assert 'web test=true pillar={"a": 1}' in _read(data).text


def test_a_page_loads_and_runs_nothing():
    read = _read(_report({"m1": {"return": {_tag(1): _state()}}}))

    assert not {"script", "link", "img", "iframe", "object", "a", "form"} & set(read.tags)
    assert not {name for _, name, _ in read.attributes} & {"src", "href", "style", "onload", "srcset"}
    assert ("meta", "content", "default-src 'none'; style-src 'unsafe-inline'") in read.attributes


@pytest.mark.parametrize("place", ["id", "name", "comment", "changes", "diff", "sls", "return", "fun", "tgt"])
def test_every_value_is_escaped(place):
    state = _state()
    if place in ("name", "comment"):
        state[place] = _EVIL
    elif place == "sls":
        state["__sls__"] = _EVIL
    elif place == "changes":
        state["changes"] = {_EVIL: {"new": _EVIL}}
    elif place == "diff":
        state["changes"] = {"diff": f"+{_EVIL}"}
    returned = _EVIL if place == "return" else {_tag(1): state}
    data = _report({_EVIL if place == "id" else "m1": {"return": returned}})
    if place in ("fun", "tgt"):
        data[place] = _EVIL

    text = page.output(data, {})

    read = _Page(text)
    assert "script" not in read.tags and "\x1b" not in text
    assert "<script>alert(1)</script>" in read.text or '\\"><script>' in read.text


def test_other_data_is_shown_as_text():
    read = _read({"m1": {"a": "<b>"}})

    assert "m1:" in read.text and "<b>" in read.text and "b" not in read.tags


@pytest.mark.parametrize("odd", ["\ud800", "\x00", "\x9b31m"])
def test_characters_that_no_page_has_are_replaced(odd):
    text = page.output(_report({"m1": {"return": f"a{odd}b"}}), {})

    text.encode()
    assert odd not in text


def test_the_page_is_found_by_its_name():
    from salt_g.output import render

    assert render("html", _report({}), {}).startswith("<!DOCTYPE html>")
