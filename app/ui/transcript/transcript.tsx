// Finished items are written once, into the terminal's own scrollback; only what may still change is drawn again.
import { Static, Text } from 'ink'
import type { ReactElement } from 'react'
import type { ViewItem } from '../view/view-item.ts'
import type { DrawOptions } from './item-lines.ts'
import { itemLines } from './item-lines.ts'

export interface FinishedProps {
  readonly items: readonly ViewItem[]
  readonly options: DrawOptions
}

export function Finished({ items, options }: FinishedProps): ReactElement {
  return (
    <Static items={items as ViewItem[]}>
      {(item) => <Text key={item.id}>{itemLines(item, options).join('\n')}</Text>}
    </Static>
  )
}
