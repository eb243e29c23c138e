"""Files of the page: responses, sizes, and unmodified third-party libraries."""

import hashlib
import pathlib
import re

import pytest

import salt_g.http_api.page
from salt_g.http_api.messages import Refusal
from salt_g.http_api.page.files import PREFIX, PageFiles

STATIC = pathlib.Path(salt_g.http_api.page.__file__).with_name("static")
#: Libraries as their authors published them: lit-html 3.3.3, @preact/signals-core 1.14.5.
VENDORED = {
    "lit-html/LICENSE": "2b66f9390afde29edfe4314daff93f01fb182e1178053e228120178987e5db75",
    "lit-html/directive-helpers.js": "f7fb1154b8f72ed2cc08b05eaeed71c99270e9ad2d48620ed24688a1af4c2b62",
    "lit-html/directive.js": "3344c4f41c69cd0701d3937e8f9ef90bd845614bf6456d0b8314b7c51d415b9d",
    "lit-html/directives/live.js": "b305f9066319d838db797abd5a4d871537277e25f35332702bfce4452c020ecf",
    "lit-html/directives/repeat.js": "083140026ecd8665fedd15b17769f9d516252a9f1502f1e91e6967686ee82626",
    "lit-html/lit-html.js": "b878e7f95dec8a9b6e9b217faca6b6a11bad82ebc44c0caa77419ed83edd81f2",
    "signals-core/LICENSE": "a11fc89e4c6b118854c7a667734a0b2e6bf2af5e45c6686de31adbccc8f3ae8d",
    "signals-core/signals-core.mjs": "0c80bc127d72ecb1496ef116ffddae75079829a3af01e7f417c8e5a6474c68b6",
}
#: What is loaded until a user has logged in and sees the fleet; all else comes when it is needed.
FIRST = ("main.js", "views/login.js", "views/fleet.js")
#: Most that the first view loads (bytes, compressed).
MOST = 45_000


@pytest.fixture(scope="module")
def files():
    return PageFiles()


@pytest.fixture(scope="module")
def directory(files):
    """Return the base URL of the files, as the page names it."""
    return files._directory


def test_libraries_are_as_published():
    found = {
        path.relative_to(STATIC / "vendor").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (STATIC / "vendor").rglob("*")
        if path.is_file()
    }

    assert found == VENDORED


def test_the_page_may_load_only_its_own_files(files, make_request):
    answer = files.index(make_request())
    headers = dict(answer.headers)

    assert (answer.status, headers["Content-Type"]) == (200, "text/html;charset=utf-8")
    assert headers["Content-Security-Policy"].startswith("default-src 'self'; ")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-cache"
    assert "Accept" in headers["Vary"]


def test_the_page_names_files_that_exist(files, make_request):
    page = files.index(make_request()).body.decode()
    named = re.findall(r'(?:src|href)="([^"]+)"', page)

    assert len(named) > 5
    for name in named:
        assert files.file(f"/{name}", make_request()).status == 200, name


def test_files_are_kept_by_browsers_and_not_sent_twice(files, directory, make_request):
    answer = files.file(f"{directory}/main.js", make_request())
    headers = dict(answer.headers)

    assert headers["Content-Type"] == "text/javascript;charset=utf-8"
    assert "immutable" in headers["Cache-Control"]
    again = make_request(headers={"if-none-match": f'"x", {headers["ETag"]}'})
    assert files.file(f"{directory}/main.js", again).status == 304


def test_files_are_compressed_for_clients_that_accept_it(files, directory, make_request):
    plain = files.file(f"{directory}/page.css", make_request())
    packed = files.file(f"{directory}/page.css", make_request(headers={"accept-encoding": "br, gzip"}))

    assert "Content-Encoding" not in dict(plain.headers)
    assert dict(packed.headers)["Content-Encoding"] == "gzip"
    assert len(packed.body) < len(plain.body) / 2


@pytest.mark.parametrize("name", ["none.js", "../files.py", "..", "", "index.html"])
def test_there_are_no_other_files(files, directory, make_request, name):
    with pytest.raises(Refusal) as refusal:
        files.file(f"{directory}/{name}", make_request())

    assert refusal.value.status == 404


def test_files_of_an_older_page_are_refused_with_advice(files, make_request):
    with pytest.raises(Refusal, match="reload"):
        files.file(f"{PREFIX}/0123456789ab/main.js", make_request())
    assert files.file("/minions", make_request()) is None


def test_below_a_prefix_the_page_has_a_slash_at_its_end(files, make_request):
    answer = files.index(make_request(path="/salt"))

    assert (answer.status, dict(answer.headers)["Location"]) == (302, "salt/")
    assert files.index(make_request(path="/salt/")).status == 200


def imported(name, found):
    """Add a module to `found`, with all modules that it imports statically."""
    if name not in found:
        found.add(name)
        for other in re.findall(r'\b(?:from|import)\s*"([^"]+)"', (STATIC / name).read_text()):
            path = (STATIC / name).parent / other
            imported(path.resolve().relative_to(STATIC.resolve()).as_posix(), found)
    return found


def test_the_first_view_is_small(files):
    names = {"page.css", "icon.svg"}
    for name in FIRST:
        imported(name, names)
    size = len(files._index.compressed) + sum(len(files._files[name].compressed) for name in names)

    assert "lib/table.js" in names
    assert "views/job.js" not in names
    assert size <= MOST


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.js")), ids=lambda path: path.name)
def test_modules_import_what_exists_by_relative_paths(path):
    for name in re.findall(r'(?:from\s*|import\(\s*|^import\s*)"([^"]+)"', path.read_text(), re.M):
        assert name.startswith("."), name
        assert (path.parent / name).resolve().is_file(), name
