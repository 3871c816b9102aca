/** A dialog in front of everything; the browser keeps the focus in it, and gives it back. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import './dialog.css';

export interface DialogProps {
  readonly title: string;
  /** Closed by Escape, by its button or by a click beside it. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** What can be chosen, at its end. */
  readonly actions?: ReactNode;
}

/** Shown for as long as it is rendered; what has `data-first` has the focus at first. */
export function Dialog({ title, onClose, children, actions }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      <div className="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </Button>
        </header>
        <div className="dialog-content">{children}</div>
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
}
