"""Memory of ended jobs, returned to the system."""

import gc
import weakref

from salt_g.process.malloc_trim import release_memory


class Circle:
    def __init__(self):
        self.own = self


def test_reference_cycles_are_collected():
    gc.disable()
    try:
        circle = weakref.ref(Circle())

        release_memory()
    finally:
        gc.enable()

    assert circle() is None
