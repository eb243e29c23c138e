base:
  "*":
    - stop
