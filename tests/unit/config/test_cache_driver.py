import pytest

from salt_g.config.cache_driver import driver_name, external_driver


@pytest.mark.parametrize(
    ("value", "external", "driver"),
    [
        ("localfs", "", "localfs"),
        ("mmap_cache", "", "localfs"),
        (None, "", "localfs"),
        ("redis", "redis", "redis"),
    ],
)
def test_a_driver_on_this_machine_is_not_external(value, external, driver):
    assert external_driver({"cache": value}) == external
    assert driver_name({"cache": value}) == driver
