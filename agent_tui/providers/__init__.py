"""Talk to a model service: one contract, a module a service, and the ledger of what was asked."""
