"""Named measures, each with its population and formula."""
