import type { ComponentType } from 'react'

import { Guard } from './Guard'

/** A page that one role may see. */
export function onlyFor(role: string, Page: ComponentType): ComponentType {
  return function Guarded() {
    return (
      <Guard role={role}>
        <Page />
      </Guard>
    )
  }
}
