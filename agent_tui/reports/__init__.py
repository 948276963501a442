"""Scorecards into text, JSON, Markdown, CSV and JUnit."""
