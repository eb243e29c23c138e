__virtualname__ = "mine_virtual"


def __virtual__():
    return False, "it is never here"


def anything():
    return True
