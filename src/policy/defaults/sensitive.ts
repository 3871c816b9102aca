/** Files in a workspace that often hold secrets: asked about in every dialect, unless a rule says otherwise. */
import type { Rule } from '../rule.ts';

export const sensitiveRules: readonly Rule[] = [
  {
    action: 'ask',
    permission: ['fs.read', 'fs.write', 'fs.delete'],
    path: [
      '.env*',
      '*.pem',
      '*.key',
      '*.p12',
      '*.pfx',
      '*.keystore',
      'id_rsa*',
      'id_dsa*',
      'id_ecdsa*',
      'id_ed25519*',
    ],
    reason: 'The file may hold secrets.',
  },
];
