base:
  "*":
    - g
