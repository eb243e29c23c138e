"""Resource concepts shared by master, minion and command line: names, pillar settings, merged runs."""
