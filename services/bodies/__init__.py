"""What answers hold: msgspec structs, which the server fills and sends, and of which the OpenAPI document is made.

A member is always there, unless its type has `UnsetType`. What a game defines (views, actions, facts, options) stands
here by the name of its component in the document: see `services/api/document`.
"""
