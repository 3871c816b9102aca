/** Step 8's port to language servers: about what was granted, and without places in files that could not be read without a question. */
import { Failure } from '../failure.ts';
import type {
  Answer,
  Confinement,
  LanguageRequest,
  LanguageServers,
  SandboxTier,
  Search,
  TextPosition,
} from '../host/ports.ts';
import { isReadableWithin, type Policy, type PolicyCall } from '../policy/decide.ts';
import type { ScopedLanguages } from './operation.ts';
import { EVERYTHING, unreadableIn } from './scoped-commands.ts';

export interface LanguageScope {
  readonly languages: () => LanguageServers;
  readonly search: Search;
  readonly call: PolicyCall;
  readonly policy: Policy;
  readonly minimumSandbox: SandboxTier | undefined;
  readonly signal: AbortSignal;
}

/** The port for what a call was granted. */
export function scopeLanguages(scope: LanguageScope): ScopedLanguages {
  const { languages, call, policy, signal } = scope;
  const about = (path: string): LanguageRequest => {
    const access = call.accesses.find(
      ({ permission, resource }) => permission === 'fs.read' && resource === path,
    );
    if (access === undefined) throw new Error(`The operation asks about ${path} without having declared it.`);
    return { path: access.resolved, signal, confine: () => confine(scope) };
  };
  const at = (path: string, position: TextPosition) => ({ ...about(path), position });
  const isReadable = (path: string | undefined): boolean =>
    path === undefined ||
    isReadableWithin(EVERYTHING, { permission: 'fs.read', resource: path, resolved: path }, call, policy);
  return {
    diagnostics: (path) => languages().diagnostics(about(path)),
    lint: (path) => languages().lint(about(path)),
    hover: (path, position) => languages().hover(at(path, position)),
    definition: async (path, position) =>
      only(await languages().definition(at(path, position)), (place) => isReadable(place.path)),
    references: async (path, position) =>
      only(await languages().references(at(path, position)), (place) => isReadable(place.path)),
    documentSymbols: (path) => languages().documentSymbols(about(path)),
    workspaceSymbols: async (path, query) =>
      only(await languages().workspaceSymbols({ ...about(path), query }), ({ place }) =>
        isReadable(place.path),
      ),
    async rename(path, position, name) {
      const answer = await languages().rename({ ...at(path, position), name });
      const unreadable = answer.status === 'active' && answer.value.find((edit) => !isReadable(edit.path));
      if (unreadable) throw notShown(unreadable.path);
      return answer;
    },
  };
}

function only<Item>(
  answer: Answer<readonly Item[]>,
  isShown: (item: Item) => boolean,
): Answer<readonly Item[]> {
  return answer.status === 'active' ? { ...answer, value: answer.value.filter(isShown) } : answer;
}

/** What a server is kept from is what the call that starts it could not read; places in other files are left out of each answer. */
async function confine(scope: LanguageScope): Promise<Confinement> {
  return {
    isReadOnly: true,
    hidden: ['.ssh', ...(await unreadableIn(EVERYTHING, scope))],
    frozen: [],
    hosts: [],
    session: '',
    minimum: scope.minimumSandbox,
  };
}

function notShown(path: string): Failure {
  return new Failure(
    'E_POLICY_DENIED',
    `The renaming would change ${JSON.stringify(path)}, which may not be read.`,
  );
}
