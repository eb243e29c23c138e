ntp:
  lookup:
    conf: /conf/ntp.conf
    options: {tinker: panic 0}
  servers:
    - 0.pool.example.org
    - 1.pool.example.org
