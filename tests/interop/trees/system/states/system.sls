present:
  pkg.installed: [{name: bash}]
some:
  pkg.installed: [{pkgs: [bash, {coreutils: '>=1'}, sl]}, {refresh: False}]
version:
  pkg.installed: [{name: dash}, {version: 0.0.1}, {refresh: False}]
removed:
  pkg.removed: [{pkgs: [sl, dash]}]
purged:
  pkg.purged: [{name: sl}]
held:
  pkg.held: [{name: bash}]
kernel:
  sysctl.present: [{name: vm.swappiness}, {value: 17}, {config: {{ grains.sandbox }}/sysctl.conf}]
proc:
  mount.mounted: [{name: /proc}, {device: proc}, {fstype: proc}, {persist: False}]
data:
  mount.mounted: [{name: {{ grains.sandbox }}/data}, {device: /dev/none}, {fstype: ext4}, {mkmnt: True}, {opts: [ro, noatime]}, {config: {{ grains.sandbox }}/fstab}]
unmounted:
  mount.unmounted: [{name: /nowhere}]
swap:
  mount.swap: [{name: /dev/noswap}]
localhost:
  host.present: [{ip: 127.0.0.1}]
another:
  host.present: [{ip: [192.0.2.3, 192.0.2.4]}, {names: [another.example.org, an]}]
absent-host:
  host.absent: [{ip: 192.0.2.9}, {name: nobody.example.org}]
job:
  cron.present: [{name: /bin/true}, {identifier: JOB}, {minute: random}, {hour: 3}, {comment: why}]
special:
  cron.present: [{name: /bin/false}, {special: '@reboot'}]
no-job:
  cron.absent: [{name: /bin/none}]
variable:
  cron.env_present: [{name: PATH}, {value: /bin}]
lang:
  locale.present: [{name: de_DE.UTF-8}]
c-locale:
  locale.system: [{name: C.UTF-8}]
