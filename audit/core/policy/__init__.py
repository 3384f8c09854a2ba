"""From policy documents to a ruleset that answers questions."""
