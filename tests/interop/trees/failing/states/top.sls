base:
  "*":
    - bad
