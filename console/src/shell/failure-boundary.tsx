/** Keeps the failure of one view to that view. */
import { Component, type ReactNode } from 'react';

interface Props {
  readonly fallback: (failure: Error) => ReactNode;
  readonly children: ReactNode;
}

export class FailureBoundary extends Component<Props, { failure?: Error }> {
  override state: { failure?: Error } = {};

  static getDerivedStateFromError(failure: Error): { failure: Error } {
    return { failure };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === undefined ? this.props.children : this.props.fallback(failure);
  }
}
