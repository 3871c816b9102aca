/** What is wrong with the syntax of a file of JSON with comments, in words. */
import { type ParseError, printParseErrorCode } from 'jsonc-parser';

/** The parser's name for it as a phrase: it has one for each of its codes, and they read well with blanks between. */
export function syntaxTrouble({ error }: ParseError): string {
  const words = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words === 'invalid symbol' ? `${words} (names and texts stand in double quotes)` : words;
}
