import { describe, expect, it } from 'vitest';
import { findModel, modelNames } from '../../src/agent/model-sources.ts';
import { Failure } from '../../src/failure.ts';

type Sources = Parameters<typeof findModel>[1];

const LOCAL: Sources = {
  settings: {
    default: 'mine/small',
    endpoints: { mine: { baseUrl: 'http://127.0.0.1:11434/v1', window: 32_000, models: ['small', 'large'] } },
  },
  environment: {},
};
const KEYS = {
  ANTHROPIC_API_KEY: 'anthropic-key',
  OPENAI_API_KEY: 'openai-key',
  GEMINI_API_KEY: 'google-key',
};

function refusal(wanted: string | undefined, sources: Sources): Pick<Failure, 'message' | 'hint'> {
  try {
    findModel(wanted, sources);
  } catch (error) {
    if (error instanceof Failure) return { message: error.message, hint: error.hint };
  }
  throw new Error('It was found.');
}

describe('findModel', () => {
  it.each<[wanted: string | undefined, environment: Sources['environment'], name: string, protocol: string]>([
    [undefined, { ...KEYS, HANDRAIL_MODEL: 'anthropic/claude-x' }, 'anthropic/claude-x', 'anthropic'],
    ['claude-x', KEYS, 'anthropic/claude-x', 'anthropic'],
    ['gpt-x', KEYS, 'openai/gpt-x', 'openai'],
    ['gemini-x', KEYS, 'google/gemini-x', 'google'],
    ['qwen', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, 'openai/qwen', 'openai-compatible'],
    ['team/qwen', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, 'openai/team/qwen', 'openai-compatible'],
    [
      'openai/team/qwen',
      { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      'openai/team/qwen',
      'openai-compatible',
    ],
  ])('finds %s', (wanted, environment, name, protocol) => {
    expect(findModel(wanted, { settings: {}, environment })).toMatchObject({ name, protocol });
  });

  it('takes endpoint, window and key from the settings, the key by its variable', () => {
    const settings = {
      endpoints: { mine: { baseUrl: 'http://127.0.0.1:1/v1', keyVariable: 'MY_KEY', window: 9_000 } },
    };
    expect(findModel('mine/small', { settings, environment: { MY_KEY: 'k' } })).toEqual({
      name: 'mine/small',
      provider: 'mine',
      model: 'small',
      protocol: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:1/v1',
      key: 'k',
      window: 9_000,
    });
  });

  it('takes HANDRAIL_MODEL before the settings', () => {
    expect(findModel(undefined, LOCAL).name).toBe('mine/small');
    expect(findModel(undefined, { ...LOCAL, environment: { HANDRAIL_MODEL: 'large' } }).name).toBe(
      'mine/large',
    );
  });

  it('says how to connect one where there is none', () => {
    expect(refusal(undefined, { settings: {}, environment: {} })).toEqual({
      message: 'No model is configured.',
      hint: 'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own, and HANDRAIL_MODEL to the name of a model.',
    });
    expect(refusal(undefined, { settings: {}, environment: { ANTHROPIC_API_KEY: 'k' } }).hint).toBe(
      'Set HANDRAIL_MODEL, or models.default in your settings, to such as anthropic/MODEL.',
    );
  });

  it('names the variable that lacks a key', () => {
    expect(refusal('anthropic/claude-x', { settings: {}, environment: {} }).hint).toContain(
      'ANTHROPIC_API_KEY',
    );
    const settings = { endpoints: { mine: { baseUrl: 'http://127.0.0.1:1/v1', keyVariable: 'MY_KEY' } } };
    expect(refusal('mine/small', { settings, environment: {} }).hint).toContain('MY_KEY');
  });

  it('asks whose a bare name is where it could be of several', () => {
    expect(refusal('qwen', { settings: {}, environment: KEYS }).hint).toBe(
      'Say which: openai/qwen or anthropic/qwen or google/qwen.',
    );
  });
});

describe('modelNames', () => {
  it('lists the usual model first, then those that the settings name', () => {
    expect(modelNames({ ...LOCAL, environment: { HANDRAIL_MODEL: 'mine/large' } })).toEqual([
      'mine/large',
      'mine/small',
    ]);
    expect(modelNames({ settings: {}, environment: {} })).toEqual([]);
  });
});
