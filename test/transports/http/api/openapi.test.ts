/** The API's document. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { API_ROUTES } from '../../../../src/transports/http/api/index.ts';
import { openApi } from '../../../../src/transports/http/api/openapi.ts';
import { AS, serving } from '../serving.ts';

describe('openApi', () => {
  it('passes a validator of OpenAPI 3.1', async () => {
    const checked = await new Validator().validate(structuredClone(openApi(API_ROUTES, '1.2.3')));
    expect(checked).toEqual({ valid: true });
  });

  it('is what the server tells whoever has the token', async () => {
    await using server = await serving();
    expect((await server.send('/api/openapi.json')).status).toBe(401);
    const { body } = await server.send('/api/openapi.json', { headers: AS.agent });
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(openApi(API_ROUTES, '0.0.0'))));
  });
});

describe('listTools', () => {
  it('lists the tools of a dialect', async () => {
    await using server = await serving();
    const { body } = await server.send('/api/tools?dialect=codelab', { headers: AS.agent });
    expect(JSON.parse(body)).toMatchObject({
      dialect: 'codelab',
      tools: expect.arrayContaining([
        expect.objectContaining({ name: 'read_file', risk: 'read' }),
      ]) as unknown,
    });
  });

  it('says what is wrong with a project that is not registered', async () => {
    await using server = await serving();
    const headers = { ...AS.agent, 'handrail-project': 'none' };
    const { status, body } = await server.send('/api/tools', { headers });
    expect([status, JSON.parse(body)]).toMatchObject([404, { error: { code: 'E_NO_PROJECT' } }]);
  });
});
