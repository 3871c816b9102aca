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
  const document = parse(html);
  makeWhole(document, url);
  const title = document.title.trim();
  const article = isProbablyReaderable(document)
    ? new Readability(document.cloneNode(true) as Document, { keepClasses: true }).parse()
    : null;
  if (article?.content) return { title: article.title || title, markdown: toMarkdown(article.content) };
  for (const element of document.querySelectorAll(NOISE)) element.remove();
  return { title, markdown: toMarkdown(document.body.innerHTML) };
}

/** A page may leave out `html`, `head` and `body`, or some of them; the parser does not make them up, so all is put in its place here. */
function parse(html: string): Document {
  const { document } = parseHTML('<html><head></head><body></body></html>');
  const { head, body } = document;
  // A doctype in the middle is more than the parser can take.
  body.innerHTML = html.replaceAll(/<!doctype[^>]*>/gi, '');
  for (const given of body.querySelectorAll('html,head,body')) given.replaceWith(...given.childNodes);
  head.append(...body.querySelectorAll('title,meta,base'));
  return document;
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
