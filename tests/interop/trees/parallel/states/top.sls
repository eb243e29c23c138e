base:
  "*":
    - p
