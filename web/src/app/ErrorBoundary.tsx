import { Component, type ReactNode } from 'react'

import { ErrorPage } from './ErrorPage'

interface Props {
  /** The reader's page: another one leaves the error behind. */
  at: string
  children: ReactNode
}

interface State {
  /** The page that broke; null while none is broken. */
  brokenAt: string | null
}

/** Replaces a broken page with an error message. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { brokenAt: null }

  static getDerivedStateFromError(): Partial<State> {
    return { brokenAt: '' }
  }

  static getDerivedStateFromProps({ at }: Props, { brokenAt }: State): Partial<State> | null {
    if (brokenAt === null || brokenAt === at) return null
    return { brokenAt: brokenAt === '' ? at : null }
  }

  override componentDidCatch(error: unknown) {
    console.error(error)
  }

  override render(): ReactNode {
    return this.state.brokenAt === null ? this.props.children : <ErrorPage />
  }
}
