def facts():
    return {"from_user": {"deep": [1, 2]}}


def with_grains(grains=None):
    return {"id_again": (grains or {}).get("id", "none")}
