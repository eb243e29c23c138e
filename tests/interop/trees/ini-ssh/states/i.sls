{% set f = grains.sandbox ~ '/app.ini' %}
options:
  ini.options_present:
    - name: {{ f }}
    - sections: {one: {a: changed, new: fresh}, three: {x: 'y'}}
no-option:
  ini.options_absent:
    - name: {{ f }}
    - sections: {one: [b, nothing]}
no-section:
  ini.sections_absent:
    - name: {{ f }}
    - sections: [two, five]
new-file:
  ini.options_present:
    - name: {{ grains.sandbox }}/new.ini
    - separator: ':'
    - sections: {s: {k: v}}
key:
  ssh_auth.present:
    - name: AAAAB3NzaC1yc2EAAAADAQABAAAAQQC7
    - enc: ssh-rsa
    - user: root
    - comment: me@example.org
    - config: {{ grains.sandbox }}/authorized_keys
key-text:
  ssh_auth.present:
    - name: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFake you@example.org
    - user: root
    - options: [no-pty]
    - config: {{ grains.sandbox }}/authorized_keys
    - require: [{ssh_auth: key}]
no-key:
  ssh_auth.absent:
    - name: AAAAnothing
    - user: root
    - config: {{ grains.sandbox }}/authorized_keys
