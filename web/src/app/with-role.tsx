import type { ComponentType } from 'react'

import { Guard } from './Guard'

/** A page that one role may see. */
export function withRole(role: string, Page: ComponentType): ComponentType {
  return function Guarded() {
    return (
      <Guard role={role}>
        <Page />
      </Guard>
    )
  }
}
