#!py
def run():
    raise ValueError("no")
