"""The HTTP core: messages, one table of routes, and what answers a request, whichever server carries it.

Handlers take and give values (`messages`). `routing` holds the table that names every route once. `application` runs a
handler between the hooks. `flask_mount` and `services.front` are the two ways in; `openapi` documents the table.
"""
