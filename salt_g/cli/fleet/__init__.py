"""Commands that manage and examine a fleet over time: history, drift, impact, locks, mailbox, audit."""
