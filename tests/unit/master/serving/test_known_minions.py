"""Data of minions that this master knows or compiles."""

from salt_g.master.serving.known_minions import KnownMinions


class Served:
    """Data of m1, and pillar for all."""

    def __init__(self):
        self.compiled = []

    def get(self, id):
        return ({"id": id, "os": "Debian"}, {"kept": 1}) if id == "m1" else None

    def compile_for(self, id, grains):
        self.compiled.append((id, grains))
        return {"new": 1}


def test_kept_data_is_not_compiled_again():
    served = Served()

    assert KnownMinions(served, served).data_of("m1") == ({"id": "m1", "os": "Debian"}, {"kept": 1})
    assert served.compiled == []


def test_pillar_of_others_is_compiled_with_their_id_alone():
    served = Served()

    assert KnownMinions(served, served).data_of("m2") == ({"id": "m2"}, {"new": 1})
    assert served.compiled == [("m2", {"id": "m2"})]
