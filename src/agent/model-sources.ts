/** Which models there are by the settings and the environment, and where each is asked. Data in, data out. */
import type { AgentSettings } from '../config/effective.ts';
import { Failure } from '../failure.ts';

export interface ModelSources {
  readonly settings: AgentSettings['models'];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where a model is asked, and how. */
export interface ModelAddress {
  /** `provider/model`. */
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly protocol: Endpoint['protocol'];
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  /** How many tokens it takes. */
  readonly window: number;
}

interface Endpoint {
  readonly protocol: 'openai-compatible' | 'openai' | 'anthropic' | 'google';
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly window: number;
  /** The variable that should hold the key, and does not. */
  readonly lacks?: string | undefined;
}

const WINDOWS: Readonly<Record<Endpoint['protocol'], number>> = {
  'openai-compatible': 128_000,
  openai: 272_000,
  anthropic: 200_000,
  google: 1_000_000,
};

/** Variables of the providers that need no settings. */
const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
};

/** How names of models begin that say whose they are. */
const FAMILIES: readonly (readonly [start: RegExp, provider: string])[] = [
  [/^claude/, 'anthropic'],
  [/^(gpt|o\d|codex)/, 'openai'],
  [/^gemini/, 'google'],
];

/** The model of that name, `provider/model` or its bare name; without one, the usual model. */
export function findModel(wanted: string | undefined, sources: ModelSources): ModelAddress {
  const name = wanted ?? usualModel(sources);
  if (name === undefined) throw noModel(sources);
  const endpoints = endpointsOf(sources);
  const slash = name.indexOf('/');
  const [start, rest] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (endpoints.has(start)) return address(start, rest, endpoints);
  if (Object.hasOwn(KEY_VARIABLES, start)) throw noKey(start, KEY_VARIABLES[start]!.join(' or '));
  return address(providerOf(name, endpoints), name, endpoints);
}

/** Every model that is named somewhere. */
export function modelNames(sources: ModelSources): string[] {
  const named = Object.entries(sources.settings.endpoints ?? {}).flatMap(([provider, { models = [] }]) =>
    models.map((model) => `${provider}/${model}`),
  );
  const usual = usualModel(sources);
  return [...new Set([...(usual === undefined ? [] : [fullName(usual, sources)]), ...named])];
}

function usualModel({ settings, environment }: ModelSources): string | undefined {
  return environment['HANDRAIL_MODEL'] || settings.default;
}

function fullName(name: string, sources: ModelSources): string {
  try {
    return findModel(name, sources).name;
  } catch (error) {
    if (error instanceof Failure) return name;
    throw error;
  }
}

function endpointsOf({ settings, environment }: ModelSources): ReadonlyMap<string, Endpoint> {
  const found = new Map<string, Endpoint>();
  const variable = (...names: readonly string[]): string | undefined =>
    names.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
  const openai = { key: variable(...KEY_VARIABLES['openai']!), baseUrl: variable('OPENAI_BASE_URL') };
  if (openai.baseUrl !== undefined) found.set('openai', endpoint('openai-compatible', openai));
  else if (openai.key !== undefined) found.set('openai', endpoint('openai', openai));
  const anthropic = {
    key: variable(...KEY_VARIABLES['anthropic']!),
    baseUrl: variable('ANTHROPIC_BASE_URL'),
  };
  if (anthropic.key !== undefined) found.set('anthropic', endpoint('anthropic', anthropic));
  const google = { key: variable(...KEY_VARIABLES['google']!), baseUrl: undefined };
  if (google.key !== undefined) found.set('google', endpoint('google', google));
  for (const [name, written] of Object.entries(settings.endpoints ?? {})) {
    const { protocol = 'openai-compatible', baseUrl, keyVariable, window = WINDOWS[protocol] } = written;
    const key = keyVariable === undefined ? undefined : variable(keyVariable);
    const lacks = key === undefined ? keyVariable : undefined;
    found.set(name, { protocol, baseUrl, key, window, lacks });
  }
  return found;
}

function endpoint(protocol: Endpoint['protocol'], where: Pick<Endpoint, 'key' | 'baseUrl'>): Endpoint {
  return { protocol, ...where, window: WINDOWS[protocol] };
}

function address(provider: string, model: string, endpoints: ReadonlyMap<string, Endpoint>): ModelAddress {
  const { lacks, ...where } = endpoints.get(provider)!;
  if (lacks !== undefined) throw noKey(provider, lacks);
  return { name: `${provider}/${model}`, provider, model, ...where };
}

function providerOf(model: string, endpoints: ReadonlyMap<string, Endpoint>): string {
  const family = FAMILIES.find(([start]) => start.test(model))?.[1];
  if (family !== undefined && endpoints.has(family)) return family;
  const [first, ...others] = endpoints.keys();
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined) {
    throw new Failure('E_UNSUPPORTED', `No provider is configured for the model ${JSON.stringify(model)}.`, {
      hint: CONNECT,
    });
  }
  throw new Failure('E_UNSUPPORTED', `Several providers could be asked for ${JSON.stringify(model)}.`, {
    hint: `Say which: ${[first, ...others].map((name) => `${name}/${model}`).join(' or ')}.`,
  });
}

const CONNECT =
  'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own, and HANDRAIL_MODEL to the name of a model.';

function noModel(sources: ModelSources): Failure {
  const providers = [...endpointsOf(sources).keys()];
  return new Failure('E_UNSUPPORTED', 'No model is configured.', {
    hint:
      providers.length === 0
        ? CONNECT
        : `Set HANDRAIL_MODEL, or models.default in your settings, to such as ${providers[0]}/MODEL.`,
  });
}

function noKey(provider: string, variable: string): Failure {
  return new Failure('E_UNSUPPORTED', `There is no key for ${provider}.`, {
    hint: `Set ${variable} in your environment.`,
  });
}
