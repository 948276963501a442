"""Values into styled, sanitised text: pure functions, tested without an app. All foreign text passes `safe` here."""
