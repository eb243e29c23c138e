"""Processors of several architectures."""

from salt_g.grains.cpu import cpu


def test_x86_counts_processors_and_lists_flags(tree):
    block = "processor\t: {}\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\nflags\t\t: fpu vme\n\n"
    root = tree({"/proc/cpuinfo": block.format(0) + block.format(1)})

    assert cpu(root) == {"num_cpus": 2, "cpu_model": "AMD EPYC", "cpu_flags": ["fpu", "vme"]}


def test_s390_states_the_number(tree):
    root = tree({"/proc/cpuinfo": "vendor_id       : IBM/S390\n# processors    : 2\n"})

    assert cpu(root) == {"num_cpus": 2, "cpu_model": "IBM/S390", "cpu_flags": []}


def test_arm_has_features_and_one_processor_line(tree):
    text = "Processor : ARMv6-compatible processor rev 7 (v6l)\nFeatures : swp half\nHardware : BCM2708\n"
    root = tree({"/proc/cpuinfo": text})

    assert cpu(root) == {"num_cpus": 1, "cpu_model": "ARMv6", "cpu_flags": ["swp", "half"]}


def test_power_names_the_model_cpu(tree):
    root = tree({"/proc/cpuinfo": "processor\t: 0\ncpu\t\t: POWER9 (architected), altivec supported\n"})

    assert cpu(root)["cpu_model"] == "POWER9 (architected), altivec supported"


def test_nothing_to_read_is_not_a_processor(tmp_path):
    assert cpu(str(tmp_path)) == {"num_cpus": 0, "cpu_model": "Unknown", "cpu_flags": []}
