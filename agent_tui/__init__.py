"""Explore recorded LLM-agent runs: what was done, what should have been done, and who noticed the difference."""

__version__ = "0.1.0"
