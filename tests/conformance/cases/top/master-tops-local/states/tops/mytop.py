def top(**kwargs):
    return {"base": ["more"] if kwargs["opts"]["id"] == kwargs["grains"]["id"] else []}
