/** What a workspace brings of its own, whole: who trusts it trusts exactly that. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { handrailClient, type OutputOf } from '../../../../src/client/index.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { ShownText, TextBox } from '../../text/shown-text.tsx';

type Offer = OutputOf<'showTrust'>;

export interface TrustDialogProps {
  readonly project: string | undefined;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function TrustDialog({ project, onClose, onChanged }: TrustDialogProps): ReactNode {
  const { approvalKey } = useServer();
  const client = useMemo(() => handrailClient({ approvalKey, project }), [approvalKey, project]);
  const [offer, setOffer] = useState<Offer>();
  const [failure, setFailure] = useState<Error>();
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    client.showTrust().then(setOffer, setFailure);
  }, [client]);
  const trust = async ({ hash }: Offer): Promise<void> => {
    try {
      const { needsRestart } = await client.trust({ hash });
      setSaid(`Trusted.${needsRestart ? ' Its settings count when it is opened the next time.' : ''}`);
      onChanged();
    } catch (error) {
      setFailure(error as Error);
    }
  };
  const canTrust = offer !== undefined && !offer.isTrusted && said === undefined;
  return (
    <Dialog
      title="What this workspace brings of its own"
      onClose={onClose}
      actions={
        canTrust && (
          <Button kind="main" onClick={() => void trust(offer)}>
            Trust all of it, as it is
          </Button>
        )
      }
    >
      {failure !== undefined && <Trouble failure={failure} />}
      {said !== undefined && <p role="status">{said}</p>}
      {offer?.problems.map((problem) => (
        <p key={problem} className="trouble">
          <ShownText text={problem} />
        </p>
      ))}
      {offer?.contents.length === 0 && (
        <p>It brings no settings, skills or instructions: there is nothing to trust.</p>
      )}
      {offer?.contents.map(({ folder, isTrusted, files }) => (
        <section key={folder} aria-label={folder}>
          <h3>
            <ShownText text={folder} />{' '}
            <Badge tone={isTrusted ? 'good' : 'warn'}>{isTrusted ? 'trusted' : 'not trusted'}</Badge>
          </h3>
          {files.map(({ path, text, size }) => (
            <figure key={path} className="trust-file">
              <figcaption>
                <code>
                  <ShownText text={path} />
                </code>
              </figcaption>
              {text === null ? (
                <p className="faint">{size.toLocaleString()} bytes that are no text</p>
              ) : (
                <TextBox text={text} label={path} />
              )}
            </figure>
          ))}
        </section>
      ))}
    </Dialog>
  );
}
