"""What requests may hold: marshmallow schemas, which check untrusted input and say what is wrong with it.

What answers look like is in `services/bodies`.
"""
