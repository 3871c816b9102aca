/**
 * Keeps secrets out of the journal: values go, names and structure stay; it hides too much rather than too
 * little. Every pattern consumes what it scans or scans a bounded distance, so the whole is linear in the
 * text; keep it so when adding a row, and let `MAYBE_SECRET` know what the row looks for.
 */
import { hash } from 'node:crypto';

/** The text with everything that looks like a secret replaced by `[redacted]`. */
export function redactText(text: string): string {
  if (!MAYBE_SECRET.test(text)) return text;
  if (text.length > MAX_TEXT) return redactText(text.slice(0, MAX_TEXT)).slice(0, -HEAD) + MASK;
  return maskAssignments(RULES.reduce((clean, pattern) => clean.replace(pattern, `$1${MASK}`), text));
}

/** An id that looks like a secret is masked, and can still be told from others that do. */
export function redactId(id: string): string {
  const clean = redactText(id);
  return clean === id ? id : `${clean}#${hash('sha256', id).slice(0, 12)}`;
}

/** A copy fit for JSON, without secrets, and with long strings cut to their head, length and hash. */
export function redactValue(value: unknown, limits: { readonly maxString?: number } = {}): unknown {
  return copy(value, { maxString: limits.maxString ?? 2_000, ancestors: [] });
}

/**
 * For what a human is asked to approve: masks only values that give themselves away by their own shape. What merely
 * stands behind a secret's name stays, or code could hide from the eyes of the one who approves it.
 */
export function maskTokens(text: string): string {
  return SHAPES.reduce((clean, pattern) => clean.replace(pattern, `$1${MASK}`), text);
}

/** The same for every string of a JSON value. */
export function maskTokensIn(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    typeof inner === 'string' ? maskTokens(inner) : inner,
  );
}

/** The lines, counted from 1, on which something begins that gives itself away as a secret. */
export function secretLines(text: string): number[] {
  const starts = SHAPES.flatMap((pattern) => [...text.matchAll(pattern)].map(({ index }) => index));
  const lines = starts.map((start) => text.slice(0, start).split('\n').length);
  return [...new Set(lines)].sort((one, other) => one - other);
}

const MASK = '[redacted]';
const MAX_DEPTH = 32;
/** Far beyond this, the stack of the regular expression engine overflows; what lies behind is hidden. */
const MAX_TEXT = 2_000_000;
const HEAD = 256;
/** How much of a long string is looked at: little, and more only if secrets take up most of that. */
const WINDOWS = [1_000, 8_000];
const raw = String.raw;
/** A quote that may be missing, or escaped because the text is JSON inside JSON. */
const QUOTE = raw`\\{0,7}["'\x60]?`;
const IS = raw`${QUOTE}[ \t]{0,8}[:=](?![=:>])[ \t]{0,8}${QUOTE}`;
const SCHEME = '(?:bearer|basic|token|apikey|negotiate)';
const CREDENTIAL = raw`(?:token=\\{0,7}"[^"]*|[^\s"'\x60\\,;]+)`;
const PEM = raw`[A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-{0,5}`;
/** Words that stand where a value could, but are a type or nothing. */
const NO_VALUE = '(?:[Ss]tring|str|number|bool(?:ean)?|any|unknown|null|undefined|[Nn]one|nil|true|false)';
/** The start of a word, also right behind an escape such as `\n` or `%20`. */
const START = raw`(?:(?<![\w-])|(?<=\\[bfnrt]|%[0-9A-Fa-f]{2}))`;

/** Tokens that give themselves away, wherever they stand. */
const TOKENS = {
  github: raw`gh[pousr]_\w{20,}(?:\.[\w-]+)*|github_pat_\w{20,}`,
  gitlab: raw`glpat-[\w.-]{16,}`,
  slack: raw`xox[abeoprs]-[\w-]{10,}`,
  aws: raw`A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  google: raw`AIza[\w-]{30,}`,
  // Without a vendor and a digit it is a CSS class or half a word (`task-…`).
  openai: raw`sk-(?:ant|proj|svcacct)-[\w-]{16,}|${START}sk-(?=[\w-]{0,40}\d)[\w-]{16,}`,
  stripe: raw`[sr]k_(?:live|test)_\w{10,}`,
  npm: raw`npm_[A-Za-z0-9]{30,}`,
  jwt: raw`${START}eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*`,
};

/** What stands in group 1 stays, the rest of the match becomes the mask. Earlier rows go first. */
const PATTERNS = {
  // A block without an end was cut, so all that follows belongs to it.
  privateKey: new RegExp(`(-{4,5} ?BEGIN ${PEM})[^]*?(?=-{4,5} ?END ${PEM}|$)`, 'g'),
  token: new RegExp(`()(?:${Object.values(TOKENS).join('|')})`, 'g'),
  authorization: new RegExp(raw`(authorization${IS}${SCHEME}[ \t]+)(?!\$)${CREDENTIAL}`, 'gi'),
  cookieOrOtherScheme: new RegExp(
    raw`((?:authorization|cookie)${IS})(?!${SCHEME}[ \t]|${NO_VALUE}(?:[\s,;|)}]|$)|\$)` +
      raw`[^\s"'\x60\\](?:="[^"\r\n]*"|[^\r\n"'\x60\\=]+|=)*`,
    'gi',
  ),
  bareBearer: /(\bbearer[ \t]+)(?=\S{0,40}\d)[\w.~+/-]{12,}=*/gi,
  // A raw `/` in a password makes the URL invalid, and programs quote invalid URLs in their errors.
  url: /(:\\?\/\\?\/[^\s:@/?#"'<]*:)(?!\d{1,5}[/?#]|\$[\w{}]+@)(?:[^\s/?#"<]+|[^\s"<]{1,100}?)(?=@)/g,
  urlSignature: /([?&](?:sig|(?:x-amz-|x-goog-)?signature|key|code)=)[^\s&#"'`<>]{16,}/gi,
  curlUser: /(\bcurl\b[^\n]{0,300}?\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'/]{1,64}:)(?!\$)[^\s"']+/g,
  xmlElement: /(<([\w.:-]{0,40}(?:password|passphrase|secret|token|key))>)[^<]+(?=<\/\2>)/gi,
};
const RULES: readonly RegExp[] = Object.values(PATTERNS);

/** Between two lines, also of a text in quotes. */
const BREAK = raw`(?:\s|\\n)`;
/** Nothing but the lines of a key: words of a program can't hide behind its header. */
const KEY_LINES = new RegExp(
  raw`(-{5}BEGIN ${PEM}${BREAK}{1,4})(?:[-+<> ]{0,2}[A-Za-z0-9+/=]{40,}${BREAK}{0,4}){1,200}`,
  'g',
);
const SHAPES: readonly RegExp[] = [KEY_LINES, PATTERNS.token, PATTERNS.url];

const MAYBE_NAME = /p(?:ass|wd)|s(?:ecret|ignature)|token|key|c(?:red|ookie)|auth/i;
/** The one pass that harmless text pays for, hence grouped by first letter. */
const MAYBE_SECRET = new RegExp(
  raw`${MAYBE_NAME.source}|s(?:k[-_]|ig=)|rk_|g(?:h[pousr]_|ithub_pat|lpat-)|xox|a(?:[ks]ia|iza)|npm_|eyj` +
    raw`|bearer|c(?:url|ode=)|:\\?/\\?/[^\s/]*:`,
  'i',
);

/** What a key is called that finds something instead of opening it. */
const LOOKUP =
  '(?:public|primary|foreign|sort|cache|partition|unique|index|row|hash|range|object|map|query|group' +
  '|routing|lookup|message|config|registry|shift|arrow|idempotency|column|item|record|node|event)';
/** How the name of a secret ends, with `_` between its words. */
const SECRET_NAME = new RegExp(
  '(?:pass_?(?:word|wd|phrase|code)s?|secrets?|(?<!_per_)token|credentials?|authorization|cookies?|_pass' +
    `|(?:^|_)(?:auth|pwd|creds?)|(?<!(?:^|_)${LOOKUP})_key|access_signature` +
    '|(?:api|access|private|secret|auth|account|signing)_?keys?)' +
    raw`(?:_(?:base|value|hash|string|text|base64|prod|dev|test|staging|old|new))?_?\d*$`,
  'i',
);

/** Group 1 is a name, as in `name =`, `"name":`, `x["name"] =`, or a flag whose value is the next word. */
const NAME_BEFORE_VALUE = new RegExp(
  raw`(?:${MAYBE_NAME.source})[\w-]{0,30}(?![\w.-])` +
    // Right behind `://` stands the user of a URL, whose password has its own rule.
    raw`(?<=((?<![\w.-]|:\\?/\\?/)[\w.-]{1,200}|[\w.-]{201}))` +
    raw`(?:${QUOTE}\]?[ \t]{0,8}(?::=|=>(?=[ \t]{0,8}["'])|\??(?::(?!:)|=(?![=>])))[ \t]{0,8}` +
    raw`|(?<=(?<![\w.-])--?[a-z][\w-]{0,99})(?:["'\x60],\s{0,20}|[ \t]{1,8})(?!-))`,
  'gi',
);
/** References, types, templates, and what another rule has dealt with. */
const HARMLESS_VALUE =
  raw`\\*["'\x60]?(?:(?:${NO_VALUE}|\$[A-Z_][A-Z0-9_]*|\$\{[A-Za-z_]\w*\}|<[\w.-]{1,40}>)` +
  raw`(?=[\s"'\x60\\,;&|)}\]>?]|$)|\$\(|\$?\{(?=[\s{}"'\\$]|\w{1,64}\s{0,8}:)|-----BEGIN ${PEM}` +
  raw`|(?:process\.env|import\.meta\.env|os\.environ|this|self)[.[]|(?i:${SCHEME})[ \t]+(?:\[redacted\]|\$))`;
const QUOTED = ['"', "'", '`'].map((q) => raw`${q}[^${q}\\]*(?:\\[^][^${q}\\]*)*${q}?`).join('|');
const MARK = raw`(?:\\[nr]?|["'\x60,;&)}\]<>])`;
const VALUE_FORMS = [
  raw`(\\{1,7}["'\x60])[^]*?(?:(?<!\\)\1|$)`,
  raw`[bfru$]{0,2}(?:${QUOTED})(?:${QUOTED}|[\w$.%@!~(*^#-]+)*`,
  raw`\[[^[\]{}]*\](?=[\s,;&#)}\]<>"'\x60\\]|$)`,
  raw`[|>][-+]?[ \t]*\r?\n(?:[ \t][^\n]*(?:\n|$))+`,
  // In a bare value, punctuation is the end only where nothing or another name follows.
  raw`(?:[^\s"'\x60,;&)}\]<>\\]+|(?!${MARK}{1,16}(?:\s|$|[\w.-]{1,40}["']?[=:])|<\/|&&)${MARK})+`,
];
const VALUE = new RegExp(`(?!${HARMLESS_VALUE})(?:${VALUE_FORMS.join('|')})`, 'y');
/** A YAML scalar goes on to the end of its line, spaces included; a shell word does not. */
const YAML_KEY = /(?<=^[ \t-]{0,40}["']?[\w.-]{1,200}["']?: )/my;
const WORDS_TO_LINE_END = /(?:[ \t]+[^\s#,;"'`(){}[\]<>=:\\]+)+(?=[ \t]*(?:[\r\n]|$))/y;

function maskAssignments(text: string): string {
  let clean = '';
  let copied = 0;
  NAME_BEFORE_VALUE.lastIndex = 0;
  for (let found = NAME_BEFORE_VALUE.exec(text); found !== null; found = NAME_BEFORE_VALUE.exec(text)) {
    if (!isSecretName(found[1] ?? '')) continue;
    const start = NAME_BEFORE_VALUE.lastIndex;
    const end = endOfValue(text, start);
    clean += text.slice(copied, start) + maskWritten(text.slice(start, end));
    copied = end;
    NAME_BEFORE_VALUE.lastIndex = end;
  }
  return clean + text.slice(copied);
}

/** Where the value that begins at `start` ends; `start` itself where there is nothing to hide. */
function endOfValue(text: string, start: number): number {
  const end = endOfMatch(VALUE, text, start) ?? start;
  const isScalar = end > start && endOfMatch(YAML_KEY, text, start) !== undefined;
  return (isScalar ? endOfMatch(WORDS_TO_LINE_END, text, end) : undefined) ?? end;
}

function endOfMatch(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

/** The mask between the quotes the value had; an empty value stays. */
function maskWritten(value: string): string {
  const [opening = '', quote = ''] = /^[bfru$]{0,2}(\\*["'`])/.exec(value) ?? [];
  if (value.length <= (opening + quote).length) return value;
  const closing = value.includes(quote, opening.length) ? quote : '';
  return opening + MASK + closing + (value.endsWith('\n') ? '\n' : '');
}

function isSecretName(name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1).slice(-64);
  if (!MAYBE_NAME.test(last) || last === 'PWD') return false;
  const words = last.replace(/^[\W_]+/, '').replace(/(?<=[a-z0-9])(?=[A-Z])|[\W_]+/g, '_');
  return SECRET_NAME.test(words);
}

type Walk = { readonly maxString: number; readonly ancestors: object[] };
function copy(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') {
    if (value.length <= walk.maxString) return redactText(value);
    return { head: headOf(value), length: value.length, sha256: hash('sha256', value) };
  }
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'object' && value !== null) return copyObject(value, walk);
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
}

function headOf(text: string): string {
  let head = '';
  for (const window of WINDOWS) {
    const clean = redactText(text.slice(0, window));
    // The edge of a window may hold half a secret, which no pattern knows.
    head = (text.length > window ? clean.slice(0, -HEAD) : clean).slice(0, HEAD);
    if (head.length === HEAD || text.length <= window) break;
  }
  return head.toWellFormed();
}

function copyObject(value: object, walk: Walk): unknown {
  if (walk.ancestors.length >= MAX_DEPTH || walk.ancestors.includes(value)) return '[too deep]';
  if (value instanceof Date) return value.toJSON();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  walk.ancestors.push(value);
  const result = Array.isArray(value) ? copyItems(value, walk) : copyFields({ ...value }, walk);
  walk.ancestors.pop();
  return result;
}

function copyItems(items: readonly unknown[], walk: Walk): unknown[] {
  return Array.from(items, (item, at) => {
    // An argument list can hold the value of a flag as an item of its own: `['--password', 'x']`.
    const flag = items[at - 1];
    const follows = typeof flag === 'string' && /^--?[\w-]{1,64}$/.test(flag) && isSecretName(flag);
    return follows && typeof item === 'string' && /^[^-]/.test(item) ? MASK : (copy(item, walk) ?? null);
  });
}

function copyFields(fields: Readonly<Record<string, unknown>>, walk: Walk): object {
  // Environments and headers also come as `{ name, value }`.
  const isSecretPair = typeof fields['name'] === 'string' && isSecretName(fields['name']);
  const entries = Object.keys(fields).map((key) => {
    const isSecret = (isSecretName(key) || (isSecretPair && key === 'value')) && !isEmpty(fields[key]);
    return [headOf(key), isSecret ? MASK : copy(fields[key], walk)] as const;
  });
  // Unlike an assignment, this makes `__proto__` a field like any other.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || !['string', 'number', 'bigint'].includes(typeof value);
}
