"""An LLM's opinion of a run, and whether to trust it: validated on labelled runs before any verdict can be seen."""
