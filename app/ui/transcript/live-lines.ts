// What is live never takes more rows than there are: its end is shown, and that there is more above is said.
import type { ViewItem } from '../view/view-item.ts'
import { itemLines } from './item-lines.ts'
import type { DrawOptions } from './item-lines.ts'

/** @param rows that it may take */
export function liveLines(live: readonly ViewItem[], options: DrawOptions, rows: number): readonly string[] {
  const lines: string[] = []
  let left = 0
  for (const item of live.toReversed()) {
    if (lines.length >= rows) {
      left += 1
      continue
    }
    lines.unshift(...itemLines(item, options))
  }
  if (lines.length <= rows && left === 0) return lines
  return [options.theme.paint('dim', '  ⋮'), ...lines.slice(1 - rows)]
}
