"""Top files of pillar: order of targets, includes, errors."""

import pytest

from salt_g.match.matchers import MinionView
from salt_g.pillar.top import PillarTopReader, ignored_sls, matched_sls


class Files:
    """Top files by environment, and SLS that they include; paths are the keys of the data."""

    def __init__(self, data):
        self.data = data

    def cache_file(self, url, saltenv):
        return self._path(saltenv, "top") if url == "salt://top.sls" else ""

    def cache_sls(self, sls, saltenv):
        return "", self._path(saltenv, sls)

    def _path(self, saltenv, name):
        return f"{saltenv}/{name}" if f"{saltenv}/{name}" in self.data else ""


def read(data, envs=("base",)):
    """Return the SLS of the minion `web1` by environment, those that may be missing, and the errors."""

    def render(path, sls, saltenv):
        if isinstance(data[path], BaseException):
            raise data[path]
        return data[path]

    reader = PillarTopReader(Files(data), render, "top.sls")
    tops = reader.read(envs)
    found = matched_sls(tops, MinionView("web1", grains={"os": "x"}), reader.errors, pillarenv=None)
    return found, ignored_sls(tops), reader.errors


def test_targets_of_a_lower_order_come_first_and_names_once():
    targets = {"*": ["a", "b", {"order": 2}], "web*": ["c", "a", {"order": "1"}], "db*": ["d"]}

    assert read({"base/top": {"base": targets}})[0] == {"base": ["c", "a", "b"]}


@pytest.mark.parametrize("order", ["first", None, [1], float("inf"), float("nan")])
def test_an_order_that_is_not_a_number_counts_as_none(order):
    found, _, errors = read({"base/top": {"base": {"*": ["a", {"order": order}], "web*": ["b"]}}})

    assert (found, errors) == ({"base": ["a", "b"]}, [])


def test_a_match_type_is_an_option_of_its_target():
    targets = {"os:x": ["a", {"match": "grain"}], "os:y": ["b", {"match": "grain"}]}

    assert read({"base/top": {"base": targets}})[0] == {"base": ["a"]}


def test_an_unknown_match_type_is_an_error_and_the_others_count():
    found, _, errors = read({"base/top": {"base": {"x": ["a", {"match": "nosuch"}], "*": ["b"]}}})

    assert found == {"base": ["b"]}
    assert errors[0].startswith("target 'x' of the pillar top file: ")


def test_included_top_files_replace_targets_and_end_where_one_includes_itself():
    data = {
        "base/top": {"include": ["more", "nosuch"], "base": {"*": ["a"], "web*": ["b"]}},
        "base/more": {"include": ["more"], "base": {"*": ["c"]}},
    }

    assert read(data) == ({"base": ["c", "b"]}, {"base": set()}, [])


@pytest.mark.parametrize("data", [["a"], "text", {"base": ["*"]}, {"base": {"*": "a"}}, {"include": 5}])
def test_a_malformed_top_file_is_one_error(data):
    assert read({"base/top": data}) == ({}, {}, ["Error encountered while rendering pillar top file."])


@pytest.mark.parametrize("broken", [ValueError("broken"), SystemExit("broken")])
def test_a_render_error_is_reported_and_an_included_one_keeps_the_rest(broken):
    assert read({"base/top": broken})[2] == ["Rendering Primary Top file failed, render error:\nbroken"]
    found, _, errors = read({"base/top": {"include": ["x"], "base": {"*": ["a"]}}, "base/x": broken})
    assert (found, errors) == ({"base": ["a"]}, ["Rendering Top file x failed, render error:\nbroken"])


def test_sls_that_may_miss_are_known_by_environment():
    data = {"base/top": {"base": {"*": ["a", {"ignore_missing": True}], "web1": ["b"]}}}

    assert read(data)[1] == {"base": {"a"}}
