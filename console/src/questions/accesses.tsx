/** What a call would touch: every command with its parts, every path as it was resolved, every address whole. */
import type { ReactNode } from 'react';
import { ShownText } from '../text/shown-text.tsx';
import type { Access } from './question.ts';
import './accesses.css';

const WORDS: Readonly<Record<string, string>> = {
  'fs.read': 'reads',
  'fs.write': 'writes',
  'fs.delete': 'deletes',
  'proc.exec': 'runs',
  'net.connect': 'connects',
  'git.write': 'git',
  'user.ask': 'asks',
  'state.write': 'keeps',
  'skill.load': 'skill',
  'agent.spawn': 'agent',
};

/** More commands than this are folded away where the preview shows them all. */
const SHOWN_COMMANDS = 6;

export interface AccessesProps {
  readonly accesses: readonly Access[];
  /** Whether what is shown below holds every command too. */
  readonly hasPreview: boolean;
}

export function Accesses({ accesses, hasPreview }: AccessesProps): ReactNode {
  const commands = accesses.filter(isCommand);
  if (!hasPreview || commands.length <= SHOWN_COMMANDS) return <AccessList accesses={accesses} />;
  return (
    <>
      <AccessList accesses={accesses.filter((access) => !isCommand(access))} />
      <details className="folded">
        <summary>{commands.length} commands, one by one</summary>
        <AccessList accesses={commands} />
      </details>
    </>
  );
}

function isCommand({ permission }: Access): boolean {
  return permission === 'proc.exec';
}

function AccessList({ accesses }: { readonly accesses: readonly Access[] }): ReactNode {
  return (
    <ul className="accesses" aria-label="What it touches">
      {accesses.map((access, index) => (
        <li key={index}>
          <span className={`access-word ${access.permission.replace('.', '-')}`} title={access.permission}>
            {WORDS[access.permission] ?? access.permission}
          </span>
          <div className="access-what">
            {isCommand(access) && access.command !== undefined ? (
              <Command command={access.command} whole={access.whole} />
            ) : (
              <Resource access={access} />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Command({
  command,
  whole,
}: {
  readonly command: NonNullable<Access['command']>;
  readonly whole: string | undefined;
}): ReactNode {
  const { text, assignments, directory, onlyReads, isWrapper, isBlind, unclear, gitWrite } = command;
  const facts = [
    ...(directory === undefined ? ['in a folder that is not known'] : []),
    ...(directory === undefined || directory === '' || directory === '.' ? [] : [`in ${directory}`]),
    ...(onlyReads === false ? [] : ['only reads']),
    ...(isWrapper === true ? ['only starts what follows'] : []),
    ...(isBlind === true ? ['reads files that only the shell knows'] : []),
    ...(gitWrite === undefined ? [] : [`changes the repository: ${gitWrite}`]),
    ...(assignments.length === 0 ? [] : [`sets ${assignments.join(', ')}`]),
    ...(whole === undefined ? [] : ['a yes to it is one to the whole']),
  ];
  return (
    <>
      <code>
        <ShownText text={text} />
      </code>
      {facts.length > 0 && (
        <span className="access-facts faint">
          <ShownText text={facts.join(' · ')} />
        </span>
      )}
      {unclear !== undefined && (
        <span className="access-unclear">
          <ShownText text={unclear} />
        </span>
      )}
    </>
  );
}

function Resource({ access }: { readonly access: Access }): ReactNode {
  const { resource, resolved, url, isTree, branchOf, whole } = access;
  const facts = [
    ...(isTree === true ? ['and everything below it'] : []),
    ...(branchOf === undefined ? [] : [`the branch that is checked out in ${branchOf}`]),
    ...(whole === undefined ? [] : ['a yes to it is one to the whole']),
  ];
  return (
    <>
      <code>
        <ShownText text={url ?? resource} />
        {resolved !== resource && (
          <>
            {' '}
            <span className="faint">→</span> <ShownText text={resolved} />
          </>
        )}
      </code>
      {facts.length > 0 && (
        <span className="access-facts faint">
          <ShownText text={facts.join(' · ')} />
        </span>
      )}
    </>
  );
}
