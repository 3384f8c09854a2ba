"""From review-log lines to cases."""
