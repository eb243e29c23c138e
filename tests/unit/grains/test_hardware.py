"""Manufacturer and model."""

from salt_g.grains.hardware import devicetree, firmware


def test_firmware_says_maker_and_model(tree):
    root = tree(
        {
            "/sys/class/dmi/id/sys_vendor": "Dell Inc.\n",
            "/sys/class/dmi/id/product_name": "PowerEdge R640\n",
            "/sys/class/dmi/id/product_uuid": "4C4C4544-0044\n",
        }
    )

    assert firmware(root) == {
        "manufacturer": "Dell Inc.",
        "productname": "PowerEdge R640",
        "uuid": "4c4c4544-0044",
    }


def test_devicetree_parts_maker_and_model_at_the_comma(tree):
    root = tree(
        {
            "/proc/device-tree/model": "raspberrypi,4-model-b\0",
            "/proc/device-tree/system-id": "old\0",
            "/proc/device-tree/serial-number": "10000000abc\0",
        }
    )

    assert devicetree(root) == {
        "manufacturer": "raspberrypi",
        "productname": "4-model-b",
        "serialnumber": "10000000abc",
    }


def test_devicetree_model_without_a_maker(tree):
    assert devicetree(tree({"/proc/device-tree/model": "Raspberry Pi 4\0"})) == {
        "productname": "Raspberry Pi 4"
    }


def test_a_machine_with_neither_has_no_such_grains(tmp_path):
    assert (firmware(str(tmp_path)), devicetree(str(tmp_path))) == ({}, {})
