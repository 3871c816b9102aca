/** How the page looks: calm and dense, by day and by night, down to the width of a phone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f7f5, #141517);
  --surface: light-dark(#ffffff, #1b1d20);
  --sunken: light-dark(#fafaf8, #16181a);
  --ink: light-dark(#1d1f22, #e3e4e6);
  --muted: light-dark(#666b73, #8f959e);
  --line: light-dark(#e4e4e0, #2c2f34);
  --accent: light-dark(#2458c5, #83aaff);
  --on-accent: light-dark(#ffffff, #10131a);
  --good: light-dark(#17703a, #6fcf8e);
  --warn: light-dark(#8a5a00, #e2b35a);
  --bad: light-dark(#b3261e, #ff8f86);
  --added: light-dark(#e5f5ea, #14301f);
  --removed: light-dark(#fdeceb, #3a1c1b);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace;
  font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); }
h1, h2, h3, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
code, pre, .box { font-family: var(--mono); font-size: 12.5px; }
.muted, small, .empty { color: var(--muted); font-weight: normal; }

header {
  display: flex; align-items: baseline; gap: .25rem 1rem; flex-wrap: wrap;
  padding: .6rem 1.25rem; background: var(--surface); border-bottom: 1px solid var(--line);
}
h1 { font-size: 1rem; letter-spacing: .01em; }
.workspace { flex: 1 1 12rem; color: var(--muted); overflow-wrap: anywhere; font-family: var(--mono); font-size: 12.5px; }
.connection { color: var(--muted); }
.connection::before { content: ''; display: inline-block; width: .5em; height: .5em; margin-right: .45em; border-radius: 50%; background: var(--muted); vertical-align: .08em; }
.connection[data-state='live']::before { background: var(--good); }
.connection[data-state='lost']::before, .connection[data-state='locked']::before { background: var(--bad); }

main {
  display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.75rem 2rem; align-items: start;
  max-width: 82rem; margin: 0 auto; padding: 1.25rem;
}
.banner, .questions, .messages { grid-column: 1 / -1; }
.banner { padding: .6rem .9rem; border-left: 3px solid var(--bad); background: var(--surface); }
h2 { font-size: .8rem; font-weight: 600; letter-spacing: .04em; text-transform: uppercase; color: var(--muted); margin-bottom: .6rem; }
.count { margin-left: .35em; padding: .05em .55em; border-radius: 1em; background: var(--accent); color: var(--on-accent); }
.count:empty { display: none; }

.question { padding: .9rem 1rem; margin-bottom: .9rem; background: var(--surface); border: 1px solid var(--line); border-left: 3px solid var(--accent); border-radius: 6px; }
.asked { border-left-color: var(--good); } .asked > .box { margin-top: .5rem; }
.choice { white-space: normal; overflow-wrap: anywhere; text-align: left; }
.chunk { margin-bottom: .9rem; } .take { overflow-wrap: anywhere; } .take input { flex: none; }
.message { padding: .4rem 0; border-bottom: 1px solid var(--line); } .message .box { max-height: 14rem; margin-top: .2rem; }
.level { color: var(--muted); } .level.success { color: var(--good); } .level.warning { color: var(--warn); } .level.error { color: var(--bad); }
.head { display: flex; align-items: baseline; gap: .2rem .75rem; flex-wrap: wrap; }
h3 { font: 600 1.05rem/1.4 var(--mono); overflow-wrap: anywhere; }
.head .muted { flex: 1 1 10rem; overflow-wrap: anywhere; font-family: var(--mono); font-size: 12.5px; }
.left { font-variant-numeric: tabular-nums; color: var(--muted); }
.left.soon { color: var(--bad); }
.reason { margin-top: .15rem; overflow-wrap: anywhere; }
.accesses { margin: .5rem 0; }
.accesses code, .entries code { overflow-wrap: anywhere; white-space: break-spaces; }
.permission, .mark { display: inline-block; min-width: 5.5em; color: var(--muted); font-size: .9em; }
.counts { margin: .5rem 0 .25rem; font-variant-numeric: tabular-nums; }
.plus { color: var(--good); } .minus { color: var(--bad); }

.box { margin: 0; padding: .5rem 0; max-height: 26rem; overflow: auto; background: var(--sunken); border: 1px solid var(--line); border-radius: 4px; line-height: 1.45; tab-size: 4; }
.line { display: block; padding: 0 .75rem; white-space: break-spaces; overflow-wrap: anywhere; }
.line.added { background: var(--added); } .line.removed { background: var(--removed); }
.line.hunk { color: var(--accent); } .line.file { color: var(--muted); }
.escape { padding: 0 .2em; border-radius: 3px; background: var(--bad); color: var(--surface); font-family: var(--mono); font-size: .9em; }
.tab { color: var(--muted); opacity: .55; }
.request { margin-top: .6rem; } .request .box { margin-top: .4rem; }
summary { cursor: pointer; }
.request > summary { color: var(--muted); width: max-content; }

fieldset { margin: .9rem 0 0; padding: 0; border: 0; min-width: 0; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.deny { display: flex; flex: 1 1 16rem; gap: .5rem; justify-content: flex-end; }
.confirm { margin-top: .75rem; padding: .75rem; border: 1px solid var(--line); border-radius: 4px; }
.confirm .box { margin: .5rem 0; }
.trouble { color: var(--bad); } .trouble:not(:empty) { margin-top: .5rem; }
button, input, textarea { font: inherit; color: inherit; padding: .35rem .8rem; border: 1px solid var(--line); border-radius: 5px; background: var(--surface); }
button { cursor: pointer; white-space: nowrap; }
button:hover:enabled { border-color: var(--muted); }
button.yes { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.no { color: var(--bad); }
button:disabled { opacity: .55; cursor: default; }
textarea { display: block; width: 100%; margin: .5rem 0; font: 12.5px/1.45 var(--mono); background: var(--sunken); resize: vertical; }
input { flex: 1 1 auto; max-width: 22rem; min-width: 0; background: var(--sunken); }
input::placeholder { color: var(--muted); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: normal; color: var(--muted); }
th, td { padding: .28rem .75rem .28rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
td { overflow-wrap: anywhere; } td time, .number, .outcome { white-space: nowrap; }
.number { text-align: right; }
button.opener { padding: 0; border: 0; background: none; white-space: normal; text-align: left; }
button.opener::before { content: '▸'; display: inline-block; width: 1.1em; color: var(--muted); }
button.opener[aria-expanded='true']::before { content: '▾'; }
.facts > td { padding-right: 0; } .call-facts .box { max-height: 14rem; margin: .2rem 0 .4rem; }
.call-facts dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .1rem .9rem; margin: .3rem 0; }
.call-facts dt { color: var(--muted); font-size: .9em; } .call-facts dd { grid-column: 2; margin: 0; overflow-wrap: anywhere; font-family: var(--mono); font-size: 12.5px; }
.tool { min-width: 8em; font-family: var(--mono); font-size: 12.5px; }
.outcome.ok { color: var(--good); } .outcome.failed, .outcome.cancelled { color: var(--warn); }
.outcome.denied, .outcome.interrupted { color: var(--bad); } .outcome.running { color: var(--accent); }
.outcome small { color: inherit; opacity: .8; }

.notice { margin-bottom: .6rem; padding: .4rem .75rem; border-left: 3px solid var(--good); background: var(--surface); }
.turn { border-bottom: 1px solid var(--line); }
.turn > summary { display: flex; gap: .75rem; align-items: baseline; padding: .32rem 0; font-variant-numeric: tabular-nums; }
.turn > summary, .entry > summary { list-style: none; }
.turn > summary::before, .entry > summary::before { content: '▸'; flex: none; color: var(--muted); width: .7em; }
.turn[open] > summary::before, .entry[open] > summary::before { content: '▾'; }
.turn > summary .state { margin-left: auto; color: var(--muted); }
.turn.over > summary .what { text-decoration: line-through; color: var(--muted); }
.turn-body { padding: .1rem 0 .8rem 1.45rem; }
.turn-body .row { margin-top: .6rem; } .plan { margin-top: .6rem; }
.entries > li { padding: .12rem 0; } .changes > li:not(:has(> .entry)) { padding-left: 1.2em; }
.entry > summary::before { display: inline-block; width: 1.2em; }
.entry-body { padding: .2rem 0 .6rem; } .entry-body .counts:first-child { margin-top: 0; }
.plan .mark { min-width: 7em; }
.mark.created { color: var(--good); } .mark.deleted, .mark.remove { color: var(--bad); }
.mark.changed, .mark.moved, .mark.restore { color: var(--accent); } .mark.conflict, .mark.lost { color: var(--warn); }

@media (max-width: 60rem) { main { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 36rem) {
  header, main { padding-left: .9rem; padding-right: .9rem; }
  .wide { display: none; }
  .deny { flex-basis: 100%; }
  .row > button { flex: 1 1 auto; }
  button, input { padding-top: .5rem; padding-bottom: .5rem; }
}
@media (prefers-reduced-motion: no-preference) { .question { animation: arrive .25s ease-out; } }
@keyframes arrive { from { opacity: 0; transform: translateY(-4px); } }
`;
