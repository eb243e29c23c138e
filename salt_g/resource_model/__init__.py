"""Facts about resources that master, minion and command line share: names, pillar settings, merged runs."""
