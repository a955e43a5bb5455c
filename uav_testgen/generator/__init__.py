"""Who proposes scenarios: ask/tell generators. Start with `base`."""
