def twice(n):
    return n * 2
