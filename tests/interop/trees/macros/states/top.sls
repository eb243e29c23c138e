base:
  "*":
    - users
