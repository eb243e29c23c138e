import pytest

from salt_g.modules import linux_lvm
from salt_g.modules.linux_lvm import physical

VERSION = "  LVM version:     2.03.16(2) (2022-05-18)\n  Library version: 1.02.185 (2022-05-18)\n"
PV = "  /dev/sdb1:vg0:81920:-1:8:8:-1:4096:9:9:0:uuid\n"
NEW_PV = '  "/dev/sdc" is a new physical volume of "40.00 MiB"\n  /dev/sdc::81920:-1:0:0:-1:0:0:0:0:uuid\n'
VG = "  vg0:r/w:772:-1:0:1:0:-1:0:1:1:36864:4096:9:2:7:uuid\n"
LV = "  /dev/vg0/a:vg0:3:1:-1:0:16384:2:-1:0:-1:254:0\n"


@pytest.fixture
def lvm(call_context, monkeypatch):
    """Return (answers of LVM's programs, by the command line; all command lines)."""
    answers, calls = {}, []

    def run_all(argv, **options):
        calls.append(argv)
        known = answers.get(" ".join(argv))
        if isinstance(known, str):
            return {"pid": 1, "retcode": 0, "stdout": known, "stderr": ""}
        return {
            "pid": 1,
            "retcode": 5 if known is None else known[0],
            "stdout": "",
            "stderr": "  no such thing",
        }

    call_context(functions={"cmd.run_all": run_all})
    monkeypatch.setattr(physical.os.path, "exists", lambda path: path.startswith("/dev/"))
    return answers, calls


def test_versions_are_read(lvm):
    lvm[0]["lvm version"] = VERSION

    assert linux_lvm.version() == "2.03.16(2) (2022-05-18)"
    assert linux_lvm.fullversion()["Library version"] == "1.02.185 (2022-05-18)"


def test_tables_are_read_by_name(lvm):
    lvm[0].update({"pvdisplay -c": PV + NEW_PV, "vgdisplay -c vg0": VG, "lvdisplay -c /dev/vg0/a": LV})

    assert linux_lvm.pvdisplay()["/dev/sdb1"]["Volume Group Name"] == "vg0"
    assert linux_lvm.pvdisplay()["/dev/sdc"]["Volume Group Name"] == ""
    assert linux_lvm.vgdisplay("vg0")["vg0"]["UUID"] == "uuid"
    assert linux_lvm.lvdisplay("/dev/vg0/a")["/dev/vg0/a"]["Logical Volume Size"] == "16384"
    assert linux_lvm.vgdisplay("nosuch") == {}


def test_devices_that_are_volumes_already_are_passed_over(lvm):
    lvm[0]["pvdisplay -c /dev/sdb1"] = PV

    assert linux_lvm.pvcreate("/dev/sdb1") is True
    assert linux_lvm.pvcreate("/dev/sdb1", override=False) == (
        'Device "/dev/sdb1" is already an LVM physical volume.'
    )
    assert not [words for words in lvm[1] if words[0] == "pvcreate"]


def test_options_of_pvcreate_are_handed_on(lvm):
    lvm[0]["pvcreate --yes /dev/sdc --dataalignment 1m --norestorefile"] = ""

    result = linux_lvm.pvcreate(["/dev/sdc"], dataalignment="1m", norestorefile=True, unknown=1)

    assert result == 'Device "/dev/sdc" was not affected.'
    assert linux_lvm.pvcreate("/nosuch") == "/nosuch does not exist"


def test_the_output_of_a_program_is_reported(lvm):
    assert linux_lvm.vgcreate("vg0", "/dev/sdc") == {"Output from vgcreate": "no such thing"}
    assert linux_lvm.lvremove("a", "vg0") == "no such thing"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"size": "8M"}, "-n a vg0 -L 8M -qq"),
        ({"extents": "100%FREE", "force": True}, "-n a vg0 -l 100%FREE --yes"),
        ({"size": "8M", "snapshot": "b"}, "-n a -s vg0/b -L 8M -qq"),
        ({"size": "8M", "thinvolume": True}, "--thin -n a vg0 -V 8M -qq"),
        ({"size": "8M", "thinpool": True, "pv": "/dev/sdb1"}, "--thinpool a vg0 -L 8M /dev/sdb1 -qq"),
        ({"size": "8M", "stripes": 2, "nosync": True}, "-n a vg0 -L 8M --stripes 2 --nosync -qq"),
    ],
)
def test_logical_volumes_are_made(lvm, given, words):
    lvm[0].update({f"lvcreate {words}": "", "lvdisplay -c /dev/vg0/a": LV})

    result = linux_lvm.lvcreate("a", "vg0", **given)

    assert result["Output from lvcreate"] == 'Logical volume "a" created.'
    assert "/dev/vg0/a" in result


def test_sizes_are_changed(lvm):
    lvm[0].update({"lvresize --force --resizefs -L 12M /dev/vg0/a": "", "lvextend -qq -l +3 /dev/vg0/a": ""})

    resized = linux_lvm.lvresize("12M", "/dev/vg0/a", force=True, resizefs=True)
    extended = linux_lvm.lvextend(lvpath="/dev/vg0/a", extents="+3")

    assert resized == {"Output from lvresize": 'Logical volume "/dev/vg0/a" successfully resized.'}
    assert extended == {"Output from lvextend": 'Logical volume "/dev/vg0/a" successfully extended.'}
    assert linux_lvm.lvresize("12M", "/dev/vg0/a", extents=3) == {}
