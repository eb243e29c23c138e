"""Docker images on a fake engine; the real one is tested in tests/integration/rooms."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.states.docker_image import absent, mod_watch, present


class Engine:
    """Images by tag with their ids; `calls` are the names and arguments of changing calls."""

    def __init__(self, **images):
        self.images = dict(images)
        self.calls = []
        self.next = "new"
        self.error = None
        self.functions = {
            "docker.inspect_image": self.inspect,
            "docker.pull": self.change("pull"),
            "docker.build": self.change("build"),
            "docker.load": self.change("load"),
            "docker.rmi": self.remove,
            "docker.resolve_tag": lambda tag: tag if tag in self.images else False,
            "docker.list_tags": lambda: list(self.images),
        }

    def inspect(self, image):
        if image not in self.images:
            raise CommandExecutionError("Error 404: no such image")
        return {"Id": self.images[image]}

    def change(self, name):
        def run(*args, **kwargs):
            self.calls.append((name, args, kwargs))
            if self.error:
                raise self.error
            self.images["debian:12"] = self.next
            return {"Id": self.next}

        return run

    def remove(self, *tags, force):
        self.calls.append(("rmi", tags, {"force": force}))
        for tag in tags:
            if tag != "held":
                del self.images[tag]
        return {"Deleted_Images": list(tags), "Errors": ["held is in use"]}


@pytest.fixture
def engine(call_context):
    """Return a function that enters a call with an engine that has these images."""

    def make(images=(), *, test=False):
        made = Engine(**dict.fromkeys(images, "old"))
        call_context(functions=made.functions, opts={"test": test})
        return made

    return make


@pytest.mark.parametrize(
    ("arguments", "comment"),
    [
        ({"sls": "x"}, "building an image from SLS is not supported; build one with a Dockerfile"),
        ({"build": "/b", "load": "/l", "tag": "1"}, "Only one of 'build', 'load', or 'sls' is permitted."),
        ({"build": "/b"}, "The 'tag' argument is required if any one of 'build', 'load', or 'sls' is used."),
    ],
)
def test_sources_that_contradict_each_other_are_refused(engine, arguments, comment):
    made = engine()

    ret = present("debian", **arguments)

    assert (ret["result"], ret["comment"], made.calls) == (False, comment, [])


@pytest.mark.parametrize(
    ("arguments", "called", "word"),
    [
        ({}, "pull", "pulled"),
        ({"build": "/b", "dockerfile": "D"}, "build", "built"),
        ({"load": "/l"}, "load", "loaded"),
    ],
)
def test_an_image_comes_from_its_source(engine, arguments, called, word):
    made = engine()

    ret = present("debian", tag=12, **arguments)

    assert (ret["result"], ret["comment"]) == (True, f"Image 'debian:12' was {word}")
    assert ret["changes"] == {"Id": "new"}
    assert [name for name, _, _ in made.calls] == [called]


def test_an_image_that_is_there_stays_unless_it_is_forced(engine):
    made = engine(["debian:12"])

    assert present("debian", tag=12)["comment"] == "Image debian:12 already present"
    assert made.calls == []
    made.next = "old"
    assert present("debian", tag=12, force=True)["comment"] == (
        "Image 'debian:12' was pulled, but there were no changes"
    )
    made.next = "newer"
    assert mod_watch("debian", sfun="present", tag=12)["changes"] == {"Id": "newer"}


def test_in_test_mode_nothing_is_pulled(engine):
    made = engine(test=True)

    ret = present("debian", tag=12)

    assert (ret["result"], ret["comment"], made.calls) == (None, "Image debian:12 will be pulled", [])


def test_an_error_of_the_engine_says_what_was_tried(engine):
    made = engine()
    made.error = CommandExecutionError("no space")

    assert present("debian", tag=12)["comment"] == "Encountered error pulling debian:12: no space"
    assert present("debian", tag=12, build="/b")["comment"] == (
        "Encountered error building /b as debian:12: no space"
    )


def test_images_are_removed_if_they_are_there(engine):
    engine(["a", "b", "held"])

    assert absent("nosuch")["comment"] == "Image nosuch is not present"
    assert absent("a")["comment"] == "Image a was removed"
    partly = absent(images=["b", "held"])
    assert (partly["result"], partly["comment"]) == (
        False,
        "The following image(s) failed to be removed: held",
    )
    assert absent("held")["comment"] == (
        "None of the specified images were removed. The following errors were encountered: held is in use"
    )
    assert absent()["comment"] == "One of 'name' and 'images' must be provided"
