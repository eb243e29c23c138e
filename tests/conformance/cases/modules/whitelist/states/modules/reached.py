def inside():
    return __salt__["test.echo"]("reached") if "test.echo" in __salt__ else "hidden"


def settings():
    return [__opts__["id"] == __opts__["grains"]["id"], __opts__["pillar"], __opts__.get("nosuch", "default")]
