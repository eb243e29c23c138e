base:
  "*":
    - build
