"""`python -m agent_tui` is the `agent-tui` command."""

from agent_tui.cli import main

if __name__ == "__main__":
    main()
