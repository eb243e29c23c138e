base:
  "*":
    - c
    - b
    - a
