/** A button. */
import type { ComponentProps, ReactNode } from 'react';
import './button.css';

export interface ButtonProps extends ComponentProps<'button'> {
  /** `main` is what is most likely wanted, `bad` what can't be taken back, `quiet` what should not draw the eye. */
  readonly kind?: 'plain' | 'main' | 'bad' | 'quiet';
  /** The key that does the same. */
  readonly shortcut?: string;
}

export function Button({
  kind = 'plain',
  shortcut,
  className = '',
  children,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button type="button" className={`button ${kind} ${className}`} {...rest}>
      {children}
      {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
    </button>
  );
}
