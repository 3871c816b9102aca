/// <reference lib="dom" />
/** The thread that makes one page readable: its main text where it has one, as Markdown with whole addresses. */
import { parentPort, workerData } from 'node:worker_threads';
import { gfm } from '@joplin/turndown-plugin-gfm';
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import type { ReadablePage } from '../../web-ports.ts';

/** What is no text, or none of the page's own. */
const NOISE = 'script,style,noscript,template,svg,iframe,canvas,form,nav,[hidden],[aria-hidden="true"]';
const ADDRESSES = [
  ['a', 'href'],
  ['img', 'src'],
] as const;

function toReadable(html: string, url: string): ReadablePage {
  const { document } = parseHTML(/<html|<body/i.test(html) ? html : `<html><body>${html}</body></html>`);
  makeWhole(document, url);
  const title = document.title.trim();
  const article = isProbablyReaderable(document)
    ? new Readability(document.cloneNode(true) as Document, { keepClasses: true }).parse()
    : null;
  if (article?.content) return { title: article.title || title, markdown: toMarkdown(article.content) };
  for (const element of document.querySelectorAll(NOISE)) element.remove();
  return { title, markdown: toMarkdown(document.body?.innerHTML ?? '') };
}

/** Addresses are relative to the page, or to what it says they are. */
function makeWhole(document: Document, url: string): void {
  const from = URL.parse(document.querySelector('base')?.getAttribute('href') ?? '', url) ?? url;
  for (const [element, attribute] of ADDRESSES) {
    for (const found of document.querySelectorAll(element)) {
      const whole = URL.parse(found.getAttribute(attribute) ?? '', from);
      if (whole === null || !/^(?:https?|mailto):$/.test(whole.protocol)) found.removeAttribute(attribute);
      else found.setAttribute(attribute, whole.href);
    }
  }
}

function toMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    hr: '---',
  });
  return service.use(gfm).turndown(html);
}

if (parentPort !== null) {
  const { html, url } = workerData as { html: string; url: string };
  parentPort.postMessage(toReadable(html, url), []);
}
