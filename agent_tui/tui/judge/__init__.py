"""A judge on the open bundle. Only `facts` is loaded before somebody asks for a judge."""
