"""What requests may hold, and what answers look like, for the edge and for the OpenAPI document.

`requests` is what comes in, the others what goes out; `parts` is what all are made of. What a game defines (views,
actions, facts, options) stands there by the name of its component in the document: see `services/api/document`.
"""
