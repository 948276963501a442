"""What the screens are built from: a table and a text pane by row number, frames, bars, an input line."""
