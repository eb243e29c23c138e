base:
  "*":
    - again
