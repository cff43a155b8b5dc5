// Finished items are written once, into the terminal's own scrollback: they can be copied, and nothing draws them again.
import { Static, Text } from 'ink'
import { useEffect, useState } from 'react'
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

/** Items that are laid out together: the memory that Ink takes for a batch, it never gives back. */
const most = 40
/** Items that are drawn once more where the screen was erased. */
const again = 400

/** Ink's `Static` copies its list with every change of it; each batch has one of its own, so that a long session costs no more. */
export function Finished({ items, count, options }: FinishedProps): ReactElement {
  const [batch, setBatch] = useState(() => {
    const from = Math.max(0, count - again)
    return { from, to: Math.min(count, from + most) }
  })
  useEffect(() => {
    if (batch.to === count) return undefined
    // keys are heard between two batches
    const timer = setImmediate(() => {
      setBatch({ from: batch.to, to: Math.min(count, batch.to + most) })
    })
    return () => {
      clearImmediate(timer)
    }
  }, [batch, count])
  return (
    <Static key={batch.from} items={items.slice(batch.from, batch.to)}>
      {(item) => <Text key={item.id}>{itemLines(item, options).join('\n')}</Text>}
    </Static>
  )
}
