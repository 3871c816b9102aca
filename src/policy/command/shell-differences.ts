/**
 * Texts that shells read differently: dash and bash (as `sh`, with its own extensions) do not agree where such a text ends,
 * or what it runs. The tree that was parsed is then only one of two truths.
 */
import type { Assignment, ParameterExpansionPart, Redirect, SyntaxNode, TestCommand } from 'unbash';

/** Why a node means one thing here and another there; undefined where all shells agree, or the others refuse it. */
export function differenceIn(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'CommandExpansion':
      return differenceInSubstitution(node.text);
    case 'ArithmeticExpansion':
      return differenceInArithmetic(node.text);
    case 'ParameterExpansion':
      return differenceInParameter(node);
    case 'AnsiCQuoted':
      return node.text.includes("\\'") ? "Shells differ on where a `$'…'` with `\\'` ends." : undefined;
    case 'ExtendedGlob':
      return 'It has an extended glob, which a shell may read as a command.';
    case 'Assignment':
      return differenceInAssignment(node);
    case 'Redirect':
      return differenceInRedirection(node);
    case 'HereDoc':
      return node.closing === undefined || /[$`\\\n]/.test(node.delimiter?.text ?? '$')
        ? 'A here-document has no clear end.'
        : undefined;
    case 'TestCommand':
      return differenceInTest(node);
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return 'It has an arithmetic command, which another shell reads as commands.';
    case 'Coproc':
      return 'It has a `coproc`, which another shell reads as a program.';
    case 'Select':
      return 'It has a `select`, which another shell reads as a program.';
    case 'Function':
      return 'It defines a function, so that names mean something else.';
    default:
      return undefined;
  }
}

/** Texts that the tree does not show any more. */
export function differenceInText(command: string): string | undefined {
  if (command.includes('\0')) return 'It has a NUL character.';
  if (command.includes('\r')) return 'It has carriage returns, which become part of words.';
  if (!command.isWellFormed()) return 'It has half a Unicode character.';
  return /(?:^|[^ \t])\\\n/.test(command) ? 'A word goes on behind a line break.' : undefined;
}

function differenceInSubstitution(text: string): string | undefined {
  if (text.startsWith('${')) return 'It has a `${ …; }`, which only some shells run.';
  if (text.startsWith('$((')) return 'It has a `$((` that is no arithmetic.';
  if (text.startsWith('`') && /[\\"']/.test(text)) return 'It has quotes between backquotes.';
  return text.startsWith('$\\') ? 'A substitution goes on behind a line break.' : undefined;
}

/** Values of variables are evaluated as well, and may hold substitutions: only numbers are sure. */
function differenceInArithmetic(text: string): string | undefined {
  return /^\$\(\([\d\s+*/%<>=!&|^~?:(),-]*\)\)$/.test(text)
    ? undefined
    : 'It has arithmetic over variables or words, which a shell may run.';
}

function differenceInParameter(node: ParameterExpansionPart): string | undefined {
  const { operation, prefix, index } = node;
  if (/['"\\\n`]/.test(node.text)) return 'It has quotes inside `${…}`.';
  if (prefix === '!') return 'It has a `${!…}`, which a shell may run.';
  if (index !== undefined && !/^(?:\d+|[@*])$/.test(index.text))
    return 'It has an index that a shell may run.';
  if (operation === undefined) return undefined;
  if (operation.type === 'Transform' || operation.type === 'Unknown' || operation.type === 'Names')
    return 'It has a `${…@…}`, which a shell may run.';
  if (operation.type !== 'Slice') return undefined;
  const numbers = [operation.offset.text, operation.length?.text ?? '0'];
  return numbers.every((number) => /^\s*-?\d*\s*$/.test(number))
    ? undefined
    : 'It has an offset that a shell may run.';
}

function differenceInAssignment({ index, append, value }: Assignment): string | undefined {
  return index !== undefined || append === true || value.type === 'ArrayValue'
    ? 'It has an array or `+=`, which another shell reads as a program.'
    : undefined;
}

function differenceInRedirection({ descriptor, target }: Redirect): string | undefined {
  if (target === undefined) return 'A redirection has no target.';
  return descriptor !== undefined && (descriptor.type === 'FileDescriptorVariable' || descriptor.value > 9)
    ? 'It has a redirection that shells read differently.'
    : undefined;
}

const EVALUATED = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R', '<', '>', '=~']);

function differenceInTest({ expression }: TestCommand): string | undefined {
  const isPlain =
    (expression.type === 'TestUnary' || expression.type === 'TestBinary') &&
    !EVALUATED.has(expression.operator);
  return isPlain ? undefined : 'It has a `[[ … ]]` that another shell reads as commands or redirections.';
}
