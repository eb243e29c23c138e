staff-of-tests:
  group.present: [{gid: 7654}, {system: False}]
group-there:
  group.present: [{name: root}, {gid: 0}]
group-elsewhere:
  group.present: [{name: daemon}, {gid: 7655}]
members:
  group.present: [{name: adm}, {members: [root, daemon]}]
addusers:
  group.present: [{name: bin}, {addusers: [root]}, {delusers: [games]}]
gone:
  group.absent: [{name: nobody-knows-it}]
going:
  group.absent: [{name: games}]
newcomer:
  user.present:
    - fullname: New Comer
    - uid: 7654
    - gid: 7654
    - shell: /bin/bash
    - home: /tmp/newcomer
    - groups: [adm, nowhere]
    - optional_groups: [maybe]
    - require: [{group: staff-of-tests}]
root:
  user.present:
    - shell: /bin/zsh
    - home: /root
    - fullname: The Root
    - remove_groups: False
daemon:
  user.present:
    - usergroup: True
    - empty_password: False
    - password: '$6$x$y'
    - groups: [adm]
unchanged:
  user.present: [{name: bin}]
games:
  user.absent: [{purge: True}, {force: True}]
nobody-here:
  user.absent: []
