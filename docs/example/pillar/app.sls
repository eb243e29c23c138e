app:
  port: 8080
  users:
    alice: {shell: /bin/bash}
    bob: {shell: /bin/sh}
