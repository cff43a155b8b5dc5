// Finished items are written once, into the terminal's own scrollback: they can be copied, and nothing draws them again.
import { Static, Text } from 'ink'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { ViewItem } from '../view/view-item.ts'
import type { DrawOptions } from './item-lines.ts'
import { itemLines } from './item-lines.ts'

export interface FinishedProps {
  /** Grows in place. */
  readonly items: readonly ViewItem[]
  /** How many of them there are by now. */
  readonly count: number
  readonly options: DrawOptions
}

/** Ink's `Static` copies its list with every change of it; each batch has one of its own, so that a long session costs no more. */
export function Finished({ items, count, options }: FinishedProps): ReactElement {
  const [batch, setBatch] = useState({ from: 0, to: count })
  if (count !== batch.to) setBatch({ from: batch.to, to: count })
  return (
    <Static key={batch.from} items={items.slice(batch.from, batch.to)}>
      {(item) => <Text key={item.id}>{itemLines(item, options).join('\n')}</Text>}
    </Static>
  )
}
