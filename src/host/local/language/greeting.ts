/** What a server is told about its client: who asks, what is understood, and that nothing may be changed. */
import type { InitializeParams } from 'vscode-languageserver-protocol';

/** The first message, for a workspace by its URI. */
export function greeting(root: string, initializationOptions: unknown): object {
  return {
    // In the sandbox our number belongs to another process, or to none: a server would end itself.
    processId: null,
    clientInfo: { name: 'handrail' },
    rootUri: root,
    workspaceFolders: [{ uri: root, name: 'workspace' }],
    ...(initializationOptions === undefined ? {} : { initializationOptions }),
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      workspace: {
        configuration: true,
        workspaceFolders: true,
        didChangeConfiguration: {},
        didChangeWatchedFiles: { dynamicRegistration: true },
        symbol: {},
        workspaceEdit: { documentChanges: true },
      },
      textDocument: {
        synchronization: {},
        publishDiagnostics: { versionSupport: true },
        diagnostic: { dynamicRegistration: false },
        hover: { contentFormat: ['markdown', 'plaintext'] },
        definition: { linkSupport: true },
        references: {},
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        rename: {},
      },
    },
  } satisfies InitializeParams;
}
