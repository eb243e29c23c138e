base:
  "*":
    - ntp
