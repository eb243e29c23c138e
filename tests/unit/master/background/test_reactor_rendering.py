import pytest

from salt_g.errors import CompileError
from salt_g.master.background.reactor_rendering import files_of


def test_a_pattern_means_its_files_in_the_order_of_their_names(tmp_path):
    for name in ("b.sls", "a.sls", "other"):
        (tmp_path / name).touch()

    assert list(files_of(f"{tmp_path}/*.sls", "tag")) == [f"{tmp_path}/a.sls", f"{tmp_path}/b.sls"]


@pytest.mark.parametrize("reference", ["", "/nowhere/at/all.sls", "/nowhere/*.sls"])
def test_a_reference_without_a_file_is_an_error_that_names_it_and_the_events(reference):
    with pytest.raises(CompileError) as raised:
        list(files_of(reference, "my/tag"))

    [message] = raised.value.messages
    assert repr(reference) in message and "my/tag" in message
