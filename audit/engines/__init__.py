"""Adapters: what can answer the engine protocol."""
