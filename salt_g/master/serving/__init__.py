"""Data that minions request (files, pillar, mine, settings), and data that they upload."""
