/** A model behind its provider's package, which is loaded only when it is asked. */
import type { LanguageModel } from 'ai';
import type { ModelAddress } from './model-sources.ts';

/** A model as the AI SDK's providers offer it. */
export type Model = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;
export type ModelRequest = Parameters<Model['doStream']>[0];
export type Message = ModelRequest['prompt'][number];
export type ModelTool = NonNullable<ModelRequest['tools']>[number];

/** Opens it. What is not given is never looked up in the environment: the packages would. */
export async function openModel(address: ModelAddress): Promise<Model> {
  return await OPENERS[address.protocol](address);
}

const OPENERS: Readonly<Record<ModelAddress['protocol'], (address: ModelAddress) => Promise<Model>>> = {
  async 'openai-compatible'({ provider, model, baseUrl, key }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const server = { name: provider, baseURL: baseUrl!, includeUsage: true };
    return createOpenAICompatible(key === undefined ? server : { ...server, apiKey: key }).chatModel(model);
  },
  async openai({ model, key }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey: key!, baseURL: 'https://api.openai.com/v1' })(model);
  },
  async anthropic({ model, baseUrl = 'https://api.anthropic.com/v1', key = '' }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ apiKey: key, baseURL: baseUrl })(model);
  },
  async google({ model, key }) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    const baseURL = 'https://generativelanguage.googleapis.com/v1beta';
    return createGoogleGenerativeAI({ apiKey: key!, baseURL })(model);
  },
};
