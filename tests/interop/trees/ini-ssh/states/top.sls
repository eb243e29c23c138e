base:
  "*":
    - i
