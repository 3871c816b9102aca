/** The commented file that `handrail init` writes. */

/** Any line of it can be switched on by itself: what is in comments ends with a comma, and a list may. */
export const CONFIG_TEMPLATE = `{
  // Settings of Handrail. Everything is optional; what stands here in comments is the default.

  // How much is asked:
  //   "read-only"   nothing may be changed
  //   "ask"         the dialect's own table of questions
  //   "reversible"  only what can't be taken back is asked about
  //   "auto"        nothing is asked but what must be
  // "mode": "ask",

  // The tool names and reply shapes that new sessions speak.
  // "dialect": "handrail",

  // How long a question stays open, and how long a client waits for it that gives up early; how long, and up to
  // which size, turns can be taken back.
  // "approvals": { "timeoutSeconds": 300, "pendingAfterSeconds": 45 },
  // "undo": { "keepDays": 30, "quotaMegabytes": 1024 },

  // What commands may do: hosts that each one may reach (@npm, @pypi, @crates, @go, @github stand for theirs),
  // variables they get from your environment, and the sandbox without which none runs ("A", "A-", or "C" for none).
  // "commands": { "hosts": [], "environment": [], "minimumSandbox": "C" },

  // Who is asked for a search of the web: "duckduckgo", "searxng" with the "endpoint" of yours, or "brave" and "tavily"
  // with a "keyVariable", the name of the variable that holds your key. The next one is asked where one gives no answer.
  // "web": { "search": [{ "provider": "duckduckgo" }] },

  // The index that questions about code are answered from: built with its "first use", "at start", or "never".
  // By meaning, too, with "embeddings": { "endpoint": "http://localhost:11434/v1", "model": "…" }; code is sent there.
  // "search": { "index": "first use", "waitSeconds": 2, "quotaMegabytes": 1024 },

  // Language servers: how much memory all together may take; by language, whether one is used ("enabled"), and servers
  // of your own: { "command": ["zls"], "files": { ".zig": "zig" } }.
  // "languages": { "memoryMegabytes": 2048, "servers": {} },

  // Whether commits and checkouts run the hooks and filters (such as LFS) of the repository, in the sandbox.
  // "git": { "programs": false },

  // More folders with skills of yours, besides ~/.agents/skills and skills/ beside this file.
  // "skills": { "paths": [] },

  // Rules over the defaults. The last rule that fits decides; a deny wins from anywhere.
  // "match" and "notMatch" are examples; a rule that does not hold its own examples is refused when it loads.
  "rules": [
    // { "action": "deny", "permission": "*", "path": "secrets/", "match": ["secrets/key"], "notMatch": ["src/a.ts"] },
    // { "action": "allow", "permission": "fs.write", "path": "src/**" },
    // { "action": "deny", "permission": "git.write", "git": ["branch:main", "branch:release/*"], "reason": "Protected." },
    // { "action": "allow", "permission": "proc.exec", "command": "npm run *", "notMatch": ["npm run a && rm b"] },
  ]
}
`;
