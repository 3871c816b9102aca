#!/bin/sh
# Through the API with curl: tools, a call, events, an approval, undo.
set -eu

url=${HANDRAIL_URL:-http://127.0.0.1:4870}
token="authorization: Bearer $HANDRAIL_TOKEN"
# In real life this is another program, and only a person has its key.
key="handrail-approval: $HANDRAIL_APPROVAL_KEY"

agent() { curl -sS --fail-with-body -H "$token" -H 'content-type: application/json' "$@"; }
person() { agent -H "$key" "$@"; }
# The strings under a name, one a line: enough for a tour; jq reads JSON properly.
strings() { grep -oE "\"$1\":\"([^\"\\]|\\\\.)*\"" | sed 's/^"[^"]*":"//; s/"$//'; }
string() { strings "$1" | head -n 1; }

echo "The tools are:" $(agent "$url/api/tools" | strings name)

session=$(agent "$url/api/sessions" -d '{"mode":"ask"}' | string id)
call() { agent "$url/api/calls" -d "{\"tool\":\"$1\",\"args\":$2,\"session\":\"$session\"}"; }
echo "list: $(call list '{"path":"."}' | string outcome)"

# While a person follows the events, calls wait for their answers.
work=$(mktemp -d)
curl -sS --no-buffer -H "$token" -H "$key" "$url/api/events" > "$work/events" &
following=$!
trap 'kill $following; rm -r "$work"' EXIT
until [ -s "$work/events" ]; do sleep 0.1; done

call write '{"path":"hello.txt","content":"Hello!\n"}' > "$work/written" &
writing=$!
until question=$(person "$url/api/approvals" | string id) && [ -n "$question" ]; do sleep 0.1; done
person "$url/api/approvals/$question" > "$work/question"
echo "$(string tool < "$work/question") asks: $(string reason < "$work/question")"
person "$url/api/approvals/$question/answer" -d '{"answer":"once"}' > "$work/answered"
wait $writing
echo "write: $(string outcome < "$work/written")"
strings type < "$work/events" | sed 's/^/event: /'

person "$url/api/turns/undo" -d "{\"call\":\"$(string callId < "$work/written")\"}" > "$work/undone"
echo "undo: $(string action < "$work/undone") $(string path < "$work/undone")"
