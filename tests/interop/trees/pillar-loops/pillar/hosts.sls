zones:
  example.org:
    serial: 2024010101
    hosts: {www: 192.0.2.1, mail: [192.0.2.2, '2001:db8::2']}
    ttl: 1h
  example.net: {hosts: {}}
empty:
flags: {'on': on, 'off': off, text: 'on', number: 007, octal: 0755, float: 1.50, date: 2024-01-02}
