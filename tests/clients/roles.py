"""Who may do what on the servers of these tests."""

HOST = "club-token-of-some-length"
OTHER_HOST = "town-token-of-some-length"
OPERATOR = "operator-token-of-some-length"
ROLES = {
    "STELE_HOST_TOKENS": f"club:{HOST},town:{OTHER_HOST}",
    "STELE_OPERATOR_TOKENS": OPERATOR,
    "STELE_WEBHOOK_ALLOW_PRIVATE": "1",
}
