base:
  "*":
    - run
