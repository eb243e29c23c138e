"""Graphics processors."""

from salt_g.grains.gpus import gpus, graphics

LISTING = """\
Device:\t00:00.0
Class:\tHost bridge
Vendor:\tIntel Corporation
Device:\t440FX

Device:\t01:00.0
Class:\tVGA compatible controller
Vendor:\tNVIDIA Corporation
Device:\tGK104GL [Quadro K4200]
"""


def test_graphics_processors_are_reported_by_their_class():
    assert graphics(LISTING) == [{"vendor": "nvidia", "model": "GK104GL [Quadro K4200]"}]


def test_a_strange_vendor_is_unknown():
    listing = "Class:\t3D controller\nVendor:\tAcme\nDevice:\tRocket\n"

    assert graphics(listing) == [{"vendor": "unknown", "model": "Rocket"}]


def test_the_search_can_be_switched_off(call_context):
    call_context(opts={"enable_gpu_grains": False})

    assert gpus() == {"num_gpus": 0, "gpus": []}
