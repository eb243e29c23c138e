base:
  "*":
    - s
