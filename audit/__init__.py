"""Offline audit and metrics over the permission review logs of coding agents.

This module imports nothing, so that a worker process pays only for what it uses.
"""
