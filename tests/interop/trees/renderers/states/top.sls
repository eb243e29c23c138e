base:
  "*":
    - p
    - j
    - o
    - s
