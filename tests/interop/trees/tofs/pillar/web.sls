web:
  tofs:
    files_switch: [id, tier, os_family]
    source_files:
      vhosts: [site.conf, other.conf]
