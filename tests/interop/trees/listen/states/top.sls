base:
  "*":
    - svc
