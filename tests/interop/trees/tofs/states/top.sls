base:
  "*":
    - web
    - web.vhosts
