import { describe, expect, it } from 'vitest';
import { questionWords, wordsOf } from '../src/code-words.ts';

describe('wordsOf', () => {
  it.each([
    ['parseHTTPRequest', ['parsehttprequest', 'pars', 'http', 'request']],
    ['parse_http_request', ['parsehttprequest', 'pars', 'http', 'request']],
    ['PARSE_HTTP', ['parsehttp', 'pars', 'http']],
    ['utf8Decoder2', ['utf8decoder2', 'utf8', 'decoder2']],
    ['a x = 1', []],
    ['größe', ['größe']],
  ])('takes %s apart', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each([
    ['parse parses parsed parser parsing', 'pars'],
    ['query queries', 'queri'],
    ['index indexes indexed indexing indexer', 'index'],
    ['stop stopped stopping stopper', 'stop'],
    ['cache caches cached caching', 'cach'],
  ])('has one word for %s', (text, word) => {
    expect(new Set(wordsOf(text))).toEqual(new Set([word]));
  });

  it('takes each two neighbours of a script without spaces for a word', () => {
    expect(wordsOf('工具调用 tool调用')).toEqual(['工具', '具调', '调用', 'tool', '调用']);
  });

  it('passes over keys, hashes and data', () => {
    expect(wordsOf('x'.repeat(49))).toEqual([]);
    expect(wordsOf('ab'.repeat(100_000))).toEqual([]);
  });
});

describe('questionWords', () => {
  it('are what a question is about, each once', () => {
    expect(questionWords('How does the parser use the parser of requests?')).toEqual(['pars', 'request']);
  });

  it('are its fillers where it has nothing else', () => {
    expect(questionWords('what is it')).toEqual(['what', 'is', 'it']);
  });
});
