"""One module a screen; its style sheet stands beside it."""
