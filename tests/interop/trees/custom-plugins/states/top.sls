base:
  "*":
    - mine
