"""Layers of directories: which file is served, and that none outside of them is."""

import os

import pytest

from salt_g.files.roots import Roots, RootsRules


@pytest.fixture
def tree(tmp_path):
    """Return two layers of base, one of dev, and a secret beside them."""
    for name, text in {
        "one/a.txt": "one",
        "one/d/init.sls": "",
        "two/a.txt": "two",
        "two/b.txt": "two",
        "dev/a.txt": "dev",
        "secret": "s",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "one/empty").mkdir()
    (tmp_path / "one/inside").symlink_to("a.txt")
    (tmp_path / "one/outside").symlink_to(tmp_path / "secret")
    return tmp_path


def roots(tree, **rules):
    layers = {"base": [f"{tree}/one", f"{tree}/two"], "dev": [f"{tree}/dev"]}
    return Roots(layers, RootsRules(**rules))


def test_the_first_layer_that_has_a_file_wins(tree):
    assert roots(tree).find("a.txt", "base").path == f"{tree}/one/a.txt"
    assert roots(tree).find("b.txt", "base").path == f"{tree}/two/b.txt"
    assert roots(tree).find("a.txt", "dev").path == f"{tree}/dev/a.txt"


@pytest.mark.parametrize("path", ["nope", "d", "../secret", "d/../../secret", "/etc/passwd", "a\0b", "", "."])
def test_a_path_that_names_no_file_beneath_the_roots_finds_nothing(tree, path):
    assert roots(tree).find(path, "base") is None


def test_nothing_is_served_through_dots_even_inside_of_a_root(tree):
    assert roots(tree).find("d/../a.txt", "base") is None


def test_a_link_out_of_the_root_is_served_only_when_links_are_followed(tree):
    assert roots(tree).find("outside", "base") is not None
    assert roots(tree, follow_links=False).find("outside", "base") is None
    assert roots(tree, follow_links=False).find("inside", "base") is not None


def test_an_unknown_environment_has_no_files(tree):
    assert roots(tree).find("a.txt", "nope") is None
    assert roots(tree).listing("nope").files == ()


def test_the_any_environment_stands_for_all_without_their_own(tree):
    served = Roots({"__env__": [f"{tree}/__env__"]})

    assert served.find("a.txt", "dev").path == f"{tree}/dev/a.txt"
    assert served.find("secret", "dev/..") is None
    assert served.find("secret", "..") is None


def test_a_listing_holds_all_layers_sorted(tree):
    listing = roots(tree).listing("base")

    assert listing.files == ("a.txt", "b.txt", "d/init.sls", "inside", "outside")
    assert listing.directories == ("d", "empty")
    assert listing.empty_directories == ("empty",)
    assert listing.links == {"inside": "a.txt"}


def test_ignored_names_are_neither_listed_nor_served(tree):
    served = roots(tree, ignore_glob=("*/a.txt", "a.txt"), ignore_regex=(r"b\.txt$",))

    assert served.listing("base").files == ("d/init.sls", "inside", "outside")
    assert served.find("a.txt", "base") is None
    assert served.find("b.txt", "base") is None


def test_links_can_be_left_out_of_listings(tree):
    assert roots(tree, ignore_links=True).listing("base").files == ("a.txt", "b.txt", "d/init.sls")


def test_a_listing_is_remembered_until_it_is_forgotten(tree):
    served = roots(tree)
    before = served.listing("dev").files
    (tree / "dev/new").write_text("")

    assert served.listing("dev").files == before
    served.forget_listings()
    assert served.listing("dev").files == (*before, "new")


def test_a_link_to_its_own_parent_does_not_go_on_for_ever(tree):
    os.symlink(f"{tree}/dev", f"{tree}/dev/loop")

    assert roots(tree).listing("dev").files == ("a.txt",)


def test_each_link_to_a_directory_is_listed_with_its_content(tree):
    for link in ("first", "second"):
        os.symlink("d", f"{tree}/one/{link}")
    listing = roots(tree).listing("base")
    assert {"first/init.sls", "second/init.sls"} <= set(listing.files)
    assert {"d", "first", "second"} <= set(listing.directories)


def test_directories_that_link_to_each_other_are_listed_once_in_each(tree):
    for here, there in (("x", "y"), ("y", "x")):
        os.mkdir(f"{tree}/dev/{here}")
        os.symlink(f"../{there}", f"{tree}/dev/{here}/to_{there}")
    assert [name for name in roots(tree).listing("dev").directories if "/" in name] == ["x/to_y", "y/to_x"]


def test_directories_full_of_links_are_listed_in_bounds(tree):
    for level in range(12):
        os.mkdir(f"{tree}/dev/l{level}")
        for side in "ab":
            os.symlink(f"../l{level + 1}", f"{tree}/dev/l{level}/{side}")
    os.mkdir(f"{tree}/dev/l12")
    assert len(roots(tree).listing("dev").directories) < 3000


def test_a_master_serves_no_link_out_of_a_root(tree):
    served = roots(tree, stay_inside=True)

    assert served.find("outside", "base") is None
    assert served.find("inside", "base") is not None
    assert "outside" not in served.listing("base").files


def test_a_master_does_not_list_what_a_link_out_of_a_root_leads_to(tree):
    (tree / "one/away").symlink_to(tree / "dev")
    served = roots(tree, stay_inside=True)

    listing = served.listing("base")

    assert served.find("away/a.txt", "base") is None
    assert "away/a.txt" not in listing.files
    assert "away" not in listing.directories


def test_a_master_serves_links_out_of_roots_that_are_declared_open(tree):
    served = roots(tree, stay_inside=True, open_roots=(f"{tree}/one",))

    assert served.find("outside", "base") is not None
    assert "outside" in served.listing("base").files


def test_settings_that_are_one_text_are_lists_of_one():
    rules = RootsRules.of_master({"file_ignore_glob": "*.pyc", "fileserver_open_roots": "/srv/salt/"})

    assert rules.is_ignored("a.pyc")
    assert not rules.is_ignored("p")
    assert rules.may_leave("/srv/salt")
    assert not rules.may_leave("/srv/other")


@pytest.mark.parametrize("saltenv", ["", ".", "..", "a/b", "../one", "/one", "one\0"])
def test_a_name_that_is_not_a_directorys_is_not_an_environment(tree, saltenv):
    served = Roots({"__env__": [f"{tree}/__env__"]})

    assert served.directories(saltenv) == []


def test_a_listing_is_kept_until_it_is_forgotten(tree):
    served = roots(tree)
    before = served.listing("dev").files
    (tree / "dev/new").write_text("")

    kept = served.listing("dev").files
    was_known = served.forget_listings("dev")

    assert kept == before
    assert was_known
    assert "new" in served.listing("dev").files
