def render(text, saltenv="base", sls="", argline="", **kwargs):
    return text.read().replace("quiet", argline or "LOUD")
