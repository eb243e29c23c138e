"""The input of a renderer, with stock's defaults for missing parts."""

from salt_g.render.request import RenderRequest


def test_another_step_of_the_pipe_has_another_argument_line():
    request = RenderRequest({}, None, sls="web", path="/web.sls")

    step = request.with_argline("-s")

    assert (step.argline, step.sls, step.path, step.saltenv) == ("-s", "web", "/web.sls", "base")
    assert request.argline == ""
