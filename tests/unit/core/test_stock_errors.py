"""Classes under stock's names, which users' plugins raise and catch."""

import pytest

from salt_g import errors, stock_errors


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("CommandExecutionError", errors.CommandExecutionError),
        ("SaltInvocationError", errors.InvocationError),
        ("SaltException", errors.SaltGError),
        ("SaltRenderError", errors.RenderError),
    ],
)
def test_errors_of_salt_g_are_caught_under_the_names_of_stock(name, ours):
    assert getattr(stock_errors, name) is ours


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("CheckError", "CommandExecutionError"),
        ("NxosCliError", "NxosError"),
        ("SaltCloudNotFound", "SaltCloudException"),
        ("VMwareFileNotFoundError", "VMwareApiError"),
        ("VMwareApiError", "VMwareSaltError"),
        ("SaltCacheError", "SaltException"),
    ],
)
def test_classes_have_stocks_bases_and_names(name, base):
    found = getattr(stock_errors, name)

    assert (found.__name__, found.__module__) == (name, "salt_g.stock_errors")
    assert issubclass(found, getattr(stock_errors, base)) and issubclass(found, errors.SaltGError)


def test_a_key_that_is_invalid_is_a_value_error():
    with pytest.raises(ValueError, match="no key"):
        raise stock_errors.InvalidKeyError("no key")
