"""Resolution of includes: another environment, a sibling, a pattern, or nothing."""

import pytest

from salt_g.state.compile.diagnostics import Problems
from salt_g.state.compile.includes import Include, Includes, SlsSource

TREES = {"base": ["web", "web.site", "web.site.tls", "core"], "dev": ["core", "only.dev"], "qa": ["only.dev"]}


def resolve(item, *, sls="web.site", url="salt://web/site.sls", envs=("base", "dev", "qa"), wanted=None):
    """Resolve an item of an SLS of `base`; return the include and the texts of the findings."""
    problems = Problems()
    includes = Includes(sls, "base", SlsSource("/cached", url), problems)
    wanted = dict.fromkeys(envs, ()) if wanted is None else wanted
    found = includes.resolve(item, envs=envs, wanted=wanted, available=lambda env: TREES.get(env, []))
    return found, problems.messages()


@pytest.mark.parametrize(
    ("item", "sls"),
    [
        ("core", "core"),
        (".tls", "web.tls"),
        ("..core", "core"),
        ("web.*", "web.*"),
        (12, "12"),
    ],
)
def test_dots_begin_at_the_folder_of_the_including_file(item, sls):
    assert resolve(item) == (Include(sls, "base", "base"), [])


def test_an_init_file_includes_from_its_own_folder():
    assert resolve(".tls", url="salt://web/site/init.sls")[0].sls == "web.site.tls"


def test_more_dots_than_levels_are_refused():
    found, messages = resolve("...core")

    assert found is None
    assert "Attempted relative include of '...core' within SLS 'base:web.site'" in messages[0]


def test_an_item_may_name_its_environment():
    assert resolve({"dev": "core"}) == (Include("core", "dev", "base"), [])


def test_an_environment_that_does_not_exist_is_named_with_its_nearest():
    problems = Problems()
    includes = Includes("a", "base", SlsSource("/cached", "salt://a.sls"), problems)

    assert includes.resolve({"dve": "core"}, envs=["dev"], wanted={}, available=lambda env: []) is None
    (problem,) = problems
    assert problem.message == "Nonexistent saltenv 'dve' found in include of 'core' within SLS 'base:a'"
    assert problem.nearest == ["dev"]


def test_a_search_prefers_the_own_environment():
    assert resolve({"_xenv": "core"}) == (Include("core", "base", "base"), [])


def test_a_search_with_several_answers_elsewhere_is_refused():
    found, messages = resolve({"_xenv": "only.dev"})

    assert found is None
    assert messages == [
        "Ambiguous include: Specified SLS _xenv: only.dev is available on the salt master "
        "in multiple available saltenvs: dev, qa"
    ]


def test_an_sls_of_an_environment_out_of_use_must_exist():
    assert resolve("core", wanted={"dev": ()})[0] == Include("core", "base", "base")
    assert resolve("nosuch", wanted={"dev": ()}) == (
        None,
        [
            "Unknown include: Specified SLS base: nosuch is not available "
            "on the salt master in saltenv(s): base "
        ],
    )
