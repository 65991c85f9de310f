#!/usr/bin/env bash
# A game of Babel with nothing but curl: create it, look, act, retry, watch, give up, check.
#
#     examples/session.sh http://127.0.0.1:8000
set -euo pipefail
server=${1:-http://127.0.0.1:8000}

say() { printf '\n\033[1m%s\033[0m\n' "$*" >&2; }
call() { curl --silent --show-error --fail-with-body "$@"; }
# The first text member of this name in JSON; a real program has jq, or a language.
member() { grep -o "\"$1\":\"[^\"]*\"" | head -n "${2:-1}" | tail -n 1 | cut -d'"' -f4; }

say "Create a game for Ada and Ben. The key makes it safe to send this again: it would be the same game."
created=$(call "$server/v1/games" -H 'Content-Type: application/json' -H "Idempotency-Key: $(date +%s)-$$-a-game-of-babel" \
  -d '{"ruleset": "babel", "players": [{"name": "Ada"}, {"name": "Ben"}]}')
game=$server$(echo "$created" | member self)
ada=$(echo "$created" | member token 1)
ben=$(echo "$created" | member token 2)
echo "$game"

say "What may Ada do now?"
legal=$(call "$game/actions" -H "Authorization: Bearer $ada")
echo "$legal"

say "She takes the first of them. Sent twice with one key, it is done once; the second answer is the first again."
action=$(echo "$legal" | grep -o '{"site":"[a-z]*","type":"travel"}' | head -n 1)
for attempt in first second; do
  call "$game/actions" -H "Authorization: Bearer $ada" -H 'Content-Type: application/json' \
    -H 'Idempotency-Key: the-first-action' -d "$action" -D - -o /dev/null | grep -i -e '^HTTP' -e '^Idempotent' || true
  echo "  ($attempt)"
done

say "Ben tries to act, though it is not his turn: a problem, with a code for programs and a sentence for people."
curl --silent "$game/actions" -H "Authorization: Bearer $ben" -H 'Content-Type: application/json' -d '{"type": "end_turn"}'
echo

say "Ben looks: he does not see Ada's hand. What has not changed is not sent again (304)."
tag=$(call "$game" -H "Authorization: Bearer $ben" -D - -o /dev/null | grep -i '^etag:' | cut -d' ' -f2- | tr -d '\r')
call "$game" -H "Authorization: Bearer $ben" -H "If-None-Match: $tag" -o /dev/null -w '%{http_code}\n'

say "Ben gives up. The log has it all; live, it would be: curl -N -H 'Accept: text/event-stream' $game/events"
call "$game/resignation" -X POST -H "Authorization: Bearer $ben" -o /dev/null
call "$game/events" -H 'Accept: application/x-ndjson' | cut -c 1-140

say "When a worker has audited the game everything lies open, and everyone can check it."
until call "$game" | grep -q '"settled":true'; do sleep 0.2; done
call "$game/audit"
echo
