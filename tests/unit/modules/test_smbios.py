"""Records of dmidecode as values; all but the last one of each type are recorded from stock 3008."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import smbios

RECORDS = """\
# dmidecode 3.4
Getting SMBIOS data from sysfs.
SMBIOS 2.8 present.

Handle 0x0000, DMI type 0, 24 bytes
BIOS Information
\tVendor: SeaBIOS
\tCharacteristics:
\t\tPCI is supported
\t\tBIOS boot specification is supported
\tBIOS Revision: 0.0

Handle 0x0100, DMI type 1, 27 bytes
System Information
\tManufacturer: To Be Filled By O.E.M.
\tProduct Name: Standard PC, Q35
\tVersion: Not Specified
\tSerial Number: 0000000
\tUUID: 0b9d8a5e-0a4a-4b8c-9b1e-5a2f3c4d5e6f
\tSKU Number: 12,5
\tFamily: 7

Handle 0x0500, DMI type 127, 4 bytes
End Of Table

"""
UUID = "0b9d8a5e-0a4a-4b8c-9b1e-5a2f3c4d5e6f"


class Program:
    """dmidecode with one answer, as `cmd.run_all` returns it."""

    def __init__(self, stdout="", stderr="", retcode=0):
        self.answer = {"pid": 1, "stdout": stdout, "stderr": stderr, "retcode": retcode}
        self.words = []

    def __call__(self, argv, **options):
        self.words = argv
        return self.answer


@pytest.fixture
def program(call_context):
    """Return a function that sets the output of the next calls of dmidecode."""

    def put(*answer):
        made = Program(*answer)
        call_context(functions={"cmd.run_all": made})
        return made

    return put


def test_records_have_numbers_lists_and_no_placeholders(program):
    program(RECORDS)

    assert smbios.records() == [
        {
            "handle": "0x0000",
            "description": "BIOS Information",
            "type": 0,
            "data": {
                "vendor": "SeaBIOS",
                "characteristics": ["PCI is supported", "BIOS boot specification is supported"],
                "bios_revision": "0.0",
            },
        },
        {
            "handle": "0x0100",
            "description": "System Information",
            "type": 1,
            "data": {
                "product_name": "Standard PC, Q35",
                "uuid": UUID,
                "sku_number": ["12", "5"],
                "family": 7,
            },
        },
    ]


def test_placeholders_and_empty_records_are_shown_on_request(program):
    program(RECORDS)

    found = smbios.records(clean=False)

    assert [each["type"] for each in found] == [0, 1, 127]
    assert found[1]["data"]["manufacturer"] == "To Be Filled By O.E.M."
    assert found[1]["data"]["serial_number"] == "0000000"


@pytest.mark.parametrize("fields", ["family,uuid", ["uuid", "family"]])
def test_fields_of_one_type_are_selected(program, fields):
    call = program(RECORDS)

    assert [each["data"] for each in smbios.records(1, fields)] == [{"uuid": UUID, "family": 7}]
    assert call.words == ["dmidecode", "-t", "1"]


@pytest.mark.parametrize(
    ("key", "value", "is_meant"),
    [
        ("system-serial-number", "0123456789", False),
        ("system-serial-number", "CZ123", True),
        ("baseboard-version", "Not Applicable", False),
        ("baseboard-manufacturer", "Manufacturer04", False),
        ("chassis-asset-tag", "Not Available", False),
        ("chassis-asset-tag", "A1", True),
        ("system-uuid", "zz", False),
        ("system-uuid", UUID, True),
        ("processor-family", "Undefined", True),
        ("processor-family", "<OUT OF SPEC>", True),
        ("processor-family", "Unspecified", False),
        ("processor-family", "None", False),
        ("processor-family", "", False),
    ],
)
def test_a_placeholder_is_no_fact(program, key, value, is_meant):
    program(f"# a comment\n{value}\n")

    assert smbios.get(key) == (value if is_meant else None)
    assert smbios.get(key, clean=False) == value


def test_an_unknown_keyword_is_an_error_and_a_machine_without_tables_has_no_facts(program):
    program("", "Invalid string keyword: nope\nValid string keywords are:\n  bios-vendor", 2)
    with pytest.raises(CommandExecutionError, match="dmidecode: Invalid string keyword: nope$"):
        smbios.get("nope")

    program("", "/dev/mem: No such file or directory", 1)
    assert smbios.get("system-uuid") is None
    assert smbios.records() == []
