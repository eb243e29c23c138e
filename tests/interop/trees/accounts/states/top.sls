base:
  "*":
    - accounts
