"""Commands that manage a fleet over time: `history`, `drift`, `impact`, `lock`, `mailbox`, `audit`."""
