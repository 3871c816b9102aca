"""Through the API with Python's standard library: tools, a call, events, an approval, undo."""

import json
import os
import threading
import urllib.error
import urllib.request

URL = os.environ.get("HANDRAIL_URL", "http://127.0.0.1:4870")
AGENT = {"authorization": f"Bearer {os.environ['HANDRAIL_TOKEN']}"}
# In real life this is another program, and only a person has its key.
PERSON = {**AGENT, "handrail-approval": os.environ["HANDRAIL_APPROVAL_KEY"]}


def open_request(who, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {**who, **({} if body is None else {"content-type": "application/json"})}
    request = urllib.request.Request(URL + path, data=data, headers=headers, method=method)
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        refusal = json.load(error)["error"]
        raise SystemExit(f"{error.code}: {refusal['message']} {refusal.get('hint', '')}") from None


def ask(who, method, path, body=None):
    with open_request(who, method, path, body) as response:
        return json.load(response)


def answer_questions(stream):
    """Server-sent events are lines; each event is JSON behind `data: `."""
    for line in stream:
        if not line.startswith(b"data: "):
            continue
        event = json.loads(line[len(b"data: ") :])
        print("event:", event["type"])
        if event["type"] == "approval-requested":
            request = event["request"]
            print(f"{request['tool']} asks: {request['reason']}")
            ask(PERSON, "POST", f"/api/approvals/{request['id']}/answer", {"answer": "once"})
        if event["type"] == "call-ended":
            return


tools = ask(AGENT, "GET", "/api/tools")["tools"]
print(f"There are {len(tools)} tools:", *(tool["name"] for tool in tools))

session = ask(AGENT, "POST", "/api/sessions", {"mode": "ask"})["id"]
listed = ask(AGENT, "POST", "/api/calls", {"tool": "list", "args": {"path": "."}, "session": session})
print("list:", listed["outcome"])

# The stream is open once its answer has begun: a question that comes later is not missed.
with open_request(PERSON, "GET", "/api/events") as events:
    answering = threading.Thread(target=answer_questions, args=(events,))
    answering.start()
    written = ask(
        AGENT,
        "POST",
        "/api/calls",
        {"tool": "write", "args": {"path": "hello.txt", "content": "Hello!\n"}, "session": session},
    )
    answering.join()
print("write:", written["outcome"])

for step in ask(PERSON, "POST", "/api/turns/undo", {"call": written["callId"]})["steps"]:
    print("undo:", step["action"], step["path"])
