"""Archive formats by name."""

import pytest

from salt_g.formats.archivename import TAR_ENDINGS, format_of


@pytest.mark.parametrize("ending", TAR_ENDINGS)
def test_every_suffix_of_tar_is_one_in_any_case(ending):
    assert format_of(f"/a.b/x.{ending}") == "tar"
    assert format_of(f"X.{ending.upper()}") == "tar"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("x.zip", "zip"), ("X.RAR", "rar"), ("x.tar.zip", "zip"), ("x.zip.tgz", "tar")],
)
def test_the_last_suffix_counts(name, kind):
    assert format_of(name) == kind


@pytest.mark.parametrize("name", ["", "tar", "zip", "xtar", "x.gz", "x.tar.gz.part", "x.zip/", "x.7z"])
def test_other_names_have_no_format(name):
    assert format_of(name) is None
