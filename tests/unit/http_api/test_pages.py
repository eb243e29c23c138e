"""Files of a page."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.pages import serve_below, serve_file, serve_for_app


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "a.js").write_text("x")
    (tmp_path / "secret").write_text("y")
    (tmp_path / "static" / "link").symlink_to(tmp_path / "secret")
    return tmp_path / "static"


def test_a_file_is_sent_with_its_type_and_only_once(directory, make_request):
    answer = serve_below(str(directory), "/a.js", make_request())
    headers = dict(answer.headers)

    assert (answer.status, answer.body) == (200, b"x")
    assert headers["Content-Type"] == "text/javascript;charset=utf-8"
    again = make_request(headers={"if-modified-since": headers["Last-Modified"]})
    assert serve_below(str(directory), "/a.js", again).status == 304


@pytest.mark.parametrize(
    ("rest", "status"), [("/../secret", 403), ("/link", 403), ("/none", 404), ("/", 403)]
)
def test_nothing_outside_of_the_directory_is_sent(directory, make_request, rest, status):
    with pytest.raises(Refusal) as refusal:
        serve_below(str(directory), rest, make_request())

    assert refusal.value.status == status


def test_a_directory_is_no_file(directory, make_request):
    with pytest.raises(Refusal):
        serve_file(str(directory), make_request())


def test_an_app_that_requests_login_methods_gets_their_names(directory, make_request):
    top, path = str(directory), "/salt-auth.txt"

    assert serve_for_app(top, path, make_request(), ("pam", "oidc")).body == b"CLEAR\npam\noidc"
    for rest, logins in ((path, ()), ("/other.txt", ("pam",)), ("/../secret", ("pam",))):
        with pytest.raises(Refusal):
            serve_for_app(top, rest, make_request(), logins)
    (directory / "salt-auth.txt").write_text("ldap")
    assert serve_for_app(top, path, make_request(), ("pam",)).body == b"ldap"
