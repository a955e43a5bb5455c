"""Where flights are computed: local processes here, other places behind the same interface."""
