base:
  "*":
    - y
