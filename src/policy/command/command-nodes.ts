/** Which nodes of a script are commands. */
import type { CommandNode, SyntaxNode } from 'unbash';

const COMMANDS: ReadonlySet<string> = new Set([
  'Command',
  'Redirected',
  'Function',
  'Coproc',
  'If',
  'For',
  'ArithmeticFor',
  'Select',
  'While',
  'Subshell',
  'BraceGroup',
  'Case',
  'TestCommand',
  'ArithmeticCommand',
]);

/** Whether a node runs something by itself, and is not only a part of what does. */
export function isCommand(node: SyntaxNode): node is CommandNode {
  return COMMANDS.has(node.type);
}
