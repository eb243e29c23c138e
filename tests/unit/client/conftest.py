"""A master in memory for each test."""

import pytest

from tests.support.memory_link import MemoryLink


@pytest.fixture
def link():
    return MemoryLink()
