/** What the server says about itself, in every era. */
export function identityOf(version: string) {
  return {
    serverInfo: { name: 'handrail', title: 'Handrail', version },
    capabilities: { tools: {}, logging: {} },
  };
}
