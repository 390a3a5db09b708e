"""Answers to others: topics, ports, webhooks."""
