"""Path variables of an SLS."""

import pytest

from salt_g.render.jinja.variables import sls_variables


@pytest.mark.parametrize(
    ("path", "sls", "tplfile", "tpldir", "slspath"),
    [
        ("/c/base/web/site.sls", "web.site", "web/site.sls", "web", "web"),
        ("/c/base/web/site/init.sls", "web.site", "web/site/init.sls", "web/site", "web/site"),
        ("/c/base/top.sls", "top", "top.sls", ".", ""),
        ("/c/base/x.txt", "", "x.txt", ".", ""),
        ("", "web.site", "", ".", "web/site"),
        ("", "", ":string:", ".", ""),
    ],
)
def test_the_folder_is_that_of_the_file(path, sls, tplfile, tpldir, slspath):
    found = sls_variables(path, sls)

    assert (found["tplfile"], found["tpldir"], found["slspath"]) == (tplfile, tpldir, slspath)


def test_each_form_of_the_folder_has_its_own_sign():
    found = sls_variables("/c/a/b/c.sls", "a.b.c")

    assert (found["slsdotpath"], found["slscolonpath"], found["sls_path"]) == ("a.b", "a:b", "a_b")
    assert (found["tplpath"], found["tpldot"]) == ("/c/a/b/c.sls", "a.b")


def test_a_file_of_another_name_has_the_name_of_the_sls():
    assert sls_variables("/c/other.sls", "web") == {
        "tplpath": "/c/other.sls",
        "tplfile": "web",
        "tpldir": ".",
    }
