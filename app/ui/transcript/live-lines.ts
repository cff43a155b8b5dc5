// Formats live items within a number of rows: shows their end and counts the hidden rows.
import type { ViewItem } from '../view/view-item.ts'
import { itemLines } from './item-lines.ts'
import type { DrawOptions } from './item-lines.ts'

/** @param rows maximum of rows */
export function liveLines(live: readonly ViewItem[], options: DrawOptions, rows: number): readonly string[] {
  const lines: string[] = []
  let left = 0
  for (const item of live.toReversed()) {
    if (lines.length >= rows) left += 1
    else lines.unshift(...cachedLines(item, options))
  }
  if (lines.length <= rows && left === 0) return lines
  return [options.theme.paint('dim', '  ⋮'), ...lines.slice(1 - rows)]
}

/** Caches the lines of unchanged items. */
const lineCache = new WeakMap<ViewItem, { readonly options: DrawOptions; readonly lines: readonly string[] }>()

function cachedLines(item: ViewItem, options: DrawOptions): readonly string[] {
  const known = lineCache.get(item)
  if (known !== undefined && sameOptions(known.options, options)) return known.lines
  const lines = itemLines(item, options)
  lineCache.set(item, { options, lines })
  return lines
}

function sameOptions(one: DrawOptions, other: DrawOptions): boolean {
  return (
    one.columns === other.columns &&
    one.theme === other.theme &&
    one.openKey === other.openKey &&
    one.showsThinking === other.showsThinking &&
    one.isExpanded === other.isExpanded
  )
}
