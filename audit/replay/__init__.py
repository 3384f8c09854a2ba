"""Two engines over the same cases."""
