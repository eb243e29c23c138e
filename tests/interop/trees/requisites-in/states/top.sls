base:
  "*":
    - site
