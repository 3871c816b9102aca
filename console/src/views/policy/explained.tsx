/** What would be decided about a call, and why. */
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { DiffView } from '../../diff/diff-view.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Accesses } from '../../questions/accesses.tsx';
import { TextBox } from '../../text/shown-text.tsx';

const TONES = { allow: 'good', ask: 'warn', deny: 'bad' } as const;

export function Explained({ explained }: { readonly explained: OutputOf<'explainCall'> }): ReactNode {
  const { decision, accesses, alwaysRule, preview } = explained;
  return (
    <section aria-label="What would be decided">
      <p>
        <Badge tone={TONES[decision.action]}>{decision.action}</Badge>
      </p>
      <Facts
        facts={[
          ['Rule', [decision.rule]],
          ['Reason', [decision.reason]],
          ['Always', alwaysRule === undefined ? [] : rule(alwaysRule)],
        ]}
      />
      <Accesses accesses={accesses} hasPreview={preview !== undefined} />
      {preview?.kind === 'diff' && <DiffView diff={preview.text} label="What would change" />}
      {preview?.kind === 'text' && <TextBox text={preview.text} label="What would change" />}
    </section>
  );
}

/** The rule that an "always" would write. */
function rule(written: object): string[] {
  return Object.entries(written).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}
