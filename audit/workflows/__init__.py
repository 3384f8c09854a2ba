"""What commands and notebooks both call; the only place that wires files, processes and layers."""
