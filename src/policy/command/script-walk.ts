/**
 * Walks the tree of a script: every list, branch, loop and substitution, with the directories each command may run in.
 * Whatever could run counts, whether it will or not.
 */
import {
  forEachChild,
  parse,
  type AndOr,
  type CaseItem,
  type Command,
  type CommandNode,
  type CompoundList,
  type If,
  type ParsedScript,
  type Pipeline,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type While,
} from 'unbash';
import type { CommandPlace } from './command-analysis.ts';
import { isCommand } from './command-nodes.ts';
import { afterwards, either, staying, type Directories, type Flow } from './directories.ts';
import type { Findings } from './findings.ts';
import { addRedirection } from './redirections.ts';
import { differenceIn } from './shell-differences.ts';
import { runWords, type Running } from './simple-command.ts';
import { obeyedVariables } from './variables.ts';
import { literalWord, readAssignment, readWord, unknownWord } from './words.ts';

const MAX_DEPTH = 12;

export class ScriptWalk {
  readonly #findings: Findings;
  readonly #place: CommandPlace;
  #assignments: readonly string[] = [];
  #depth = 0;
  #sendsBoth = false;
  #changesDirectory = false;

  constructor(findings: Findings, place: CommandPlace) {
    this.#findings = findings;
    this.#place = place;
  }

  /** Walks a script given as text, such as that of `sh -c`, with variables that are set for it. */
  runText(text: string, directories: Directories, assignments = this.#assignments): Flow {
    const outer = this.#assignments;
    this.#assignments = assignments;
    try {
      return this.#nested(() => this.runScript(parse(text), directories));
    } finally {
      this.#assignments = outer;
    }
  }

  runScript(script: ParsedScript, directories: Directories): Flow {
    if ((script.errors?.length ?? 0) > 0) this.#findings.note('It has a syntax error.');
    return this.#statements(script.commands, directories);
  }

  /** What only shows at the end: in one shell `&>` puts all before it in the background, a `cd` too. */
  finish(): void {
    if (this.#sendsBoth && this.#changesDirectory)
      this.#findings.note(
        'It changes the directory and has `&>`, which another shell reads as two commands.',
      );
  }

  #nested(run: () => Flow): Flow {
    if (this.#depth >= MAX_DEPTH || this.#findings.isFull()) {
      this.#findings.note('It is nested too deeply, or has too many parts, to tell what it does.');
      return staying(undefined);
    }
    this.#depth++;
    try {
      return run();
    } finally {
      this.#depth--;
    }
  }

  #statements(statements: readonly Statement[], directories: Directories): Flow {
    let flow = staying(directories);
    for (const { command, background } of statements) {
      const before = afterwards(flow);
      flow = this.#list(command, before);
      if (background === true) flow = staying(before);
    }
    return flow;
  }

  #compound({ commands }: CompoundList, directories: Directories): Flow {
    return this.#nested(() => this.#statements(commands, directories));
  }

  #list(node: AndOr | Pipeline | CommandNode, directories: Directories): Flow {
    if (node.type === 'AndOr') return this.#andOr(node, directories);
    return node.type === 'Pipeline' ? this.#pipeline(node, directories) : this.#command(node, directories);
  }

  #andOr({ commands, operators }: AndOr, directories: Directories): Flow {
    let flow = staying(directories);
    for (const [at, command] of commands.entries()) {
      const operator = at === 0 ? undefined : operators[at - 1];
      if (operator === undefined) flow = this.#list(command, directories);
      else if (operator === '&&') {
        const { succeeded, failed } = this.#list(command, flow.succeeded);
        flow = { succeeded, failed: either(flow.failed, failed) };
      } else {
        const { succeeded, failed } = this.#list(command, flow.failed);
        flow = { succeeded: either(flow.succeeded, succeeded), failed };
      }
    }
    return flow;
  }

  #pipeline({ prefixes, commands }: Pipeline, directories: Directories): Flow {
    const [first] = commands;
    const isTimed = prefixes.some(({ type }) => type === 'Time');
    if (isTimed && first?.type !== 'Command')
      this.#findings.note('It has a `time` that another shell reads as a program.');
    const flows = commands.map((command) => this.#command(command, directories));
    // Each command of a longer pipeline has a shell of its own, and so has one that a program `time` starts.
    const own = flows.length === 1 ? flows[0]! : staying(directories);
    const flow = isTimed ? staying(either(afterwards(own), directories)) : own;
    const isNegated = prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1;
    return isNegated ? { succeeded: flow.failed, failed: flow.succeeded } : flow;
  }

  #command(node: CommandNode, directories: Directories): Flow {
    this.#noteDifference(node);
    switch (node.type) {
      case 'Command':
        return this.#simple(node, directories);
      case 'Redirected':
        this.#redirections(node.redirects, directories);
        return this.#command(node.command, directories);
      case 'Subshell':
        this.#compound(node.body, directories);
        return staying(directories);
      case 'BraceGroup':
        return this.#compound(node.body, directories);
      case 'If':
        return this.#if(node, directories);
      case 'While':
        return this.#loop(directories, () => this.#whileOnce(node, directories));
      case 'For':
      case 'Select':
        this.#words([...(node.wordlist ?? [])], directories);
        this.#noteVariables([node.name.value]);
        return this.#loop(directories, () => this.#compound(node.body, directories));
      case 'Case':
        this.#words([node.word], directories);
        return staying(
          node.items.reduce<Directories>(
            (all, item) => either(all, this.#caseItem(item, directories)),
            directories,
          ),
        );
      case 'Function':
        this.#insides(node.body, directories);
        return staying(undefined);
      case 'TestCommand':
        // A shell without `[[` looks for a program of that name.
        runWords([literalWord('[['), unknownWord('…', true)], this.#running(directories));
        break;
      case 'ArithmeticCommand':
        this.runText(node.body, directories);
        break;
      default:
    }
    forEachChild(node, (child) => this.#insides(child, directories));
    return staying(directories);
  }

  #if({ clause, then, elif, else: otherwise }: If, directories: Directories): Flow {
    let tested = this.#compound(clause, directories);
    let all = afterwards(this.#compound(then, tested.succeeded));
    for (const branch of elif) {
      tested = this.#compound(branch.clause, tested.failed);
      all = either(all, afterwards(this.#compound(branch.then, tested.succeeded)));
    }
    const last =
      otherwise === undefined ? tested.failed : afterwards(this.#compound(otherwise, tested.failed));
    return staying(either(all, last));
  }

  #whileOnce({ clause, body }: While, directories: Directories): Flow {
    const tested = this.#compound(clause, directories);
    return staying(either(afterwards(tested), afterwards(this.#compound(body, afterwards(tested)))));
  }

  #loop(directories: Directories, once: () => Flow): Flow {
    const after = afterwards(once());
    const all = either(directories, after);
    if (all?.length === directories?.length) return staying(all);
    this.#findings.note('It changes the directory in a loop.');
    return staying(undefined);
  }

  #caseItem({ pattern, body }: CaseItem, directories: Directories): Directories {
    this.#words(pattern, directories);
    return afterwards(this.#compound(body, directories));
  }

  #simple(command: Command, directories: Directories): Flow {
    const { name, prefix, args, redirects } = command;
    this.#redirections(redirects, directories);
    const assignments = prefix.filter((node) => node.type === 'Assignment');
    for (const node of [...assignments, ...(name === undefined ? [] : [name]), ...args]) {
      this.#noteDifference(node);
      this.#insides(node, directories);
    }
    const names = assignments.map((assignment) => assignment.name);
    if (name === undefined) {
      this.#noteVariables(names);
      return staying(directories);
    }
    const words = [
      readWord(name),
      ...args.map((arg) => (arg.type === 'Word' ? readWord(arg) : readAssignment(arg))),
    ];
    const flow = runWords(words, {
      ...this.#running(directories),
      assignments: [...this.#assignments, ...names],
    });
    if (flow.succeeded !== directories) this.#changesDirectory = true;
    this.#splitAtBoth(command, directories);
    return flow;
  }

  /** In a shell without `&>`, what stands behind `&> file` is a command of its own. */
  #splitAtBoth({ prefix, suffix }: Command, directories: Directories): void {
    const nodes = [...prefix, ...suffix];
    const at = nodes.findIndex((node) => node.type === 'Redirect' && node.operator.startsWith('&'));
    if (at === -1) return;
    this.#sendsBoth = true;
    const behind = nodes.slice(at).flatMap((node) => (node.type === 'Word' ? [readWord(node)] : []));
    if (at < prefix.length || nodes.slice(at).some(({ type }) => type === 'Word' || type === 'Assignment'))
      this.#findings.note('It has words behind `&>`, which another shell reads as a command.');
    if (behind.length > 0) runWords(behind, this.#running(directories));
  }

  #redirections(redirections: readonly Redirection[], directories: Directories): void {
    for (const redirection of redirections) {
      this.#noteDifference(redirection);
      this.#insides(redirection, directories);
      if (redirection.type === 'Redirect') addRedirection(redirection, directories, this.#findings);
      if (redirection.type === 'Redirect' && redirection.operator.startsWith('&')) this.#sendsBoth = true;
    }
  }

  #words(words: readonly SyntaxNode[], directories: Directories): void {
    for (const word of words) this.#insides(word, directories);
  }

  /** Whatever runs inside a word, a test or an expression. */
  #insides(node: SyntaxNode, directories: Directories): void {
    if (node.type === 'Word' && node.parts === undefined) return;
    if (isCommand(node)) return void this.#nested(() => this.#command(node, directories));
    if (node.type === 'CompoundList') return void this.#compound(node, directories);
    if (node.type === 'Script') return void this.#nested(() => this.runScript(node, directories));
    if (node.type !== 'Assignment') this.#noteDifference(node);
    if (node.type === 'ExtendedGlob') this.runText(node.pattern, directories);
    if ('script' in node && node.script === undefined)
      this.#findings.note('It has a substitution that can not be read.');
    forEachChild(node, (child) => this.#insides(child, directories));
  }

  #noteDifference(node: SyntaxNode): void {
    const difference = differenceIn(node);
    if (difference !== undefined) this.#findings.note(difference);
  }

  /** A variable that is set for the whole shell, which programs see where the environment has it. */
  #noteVariables(names: readonly string[]): void {
    for (const name of obeyedVariables(names))
      this.#findings.note(`It sets ${name}, which later commands may obey.`);
  }

  #running(directories: Directories): Running {
    return {
      findings: this.#findings,
      place: this.#place,
      directories,
      assignments: this.#assignments,
      depth: this.#depth,
      runText: (text, from, assignments) => this.runText(text, from, assignments),
    };
  }
}
