// A page with the whole output of a call, or a summary; left and right go to the next ones.
import { useMemo, useState } from 'react'
import type { ReactElement } from 'react'
import { useBehavior } from '../hooks/use-behavior.ts'
import { useUi } from '../hooks/use-ui.ts'
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { bashLines, summaryLines } from '../transcript/item-lines.ts'
import { toolLines } from '../transcript/tool-lines.ts'
import type { BashItem, SummaryItem, ToolItem, ViewItem } from '../view/view-item.ts'
import type { View } from '../view/view.ts'
import { Page } from './page.tsx'
import type { PageProps } from './page.tsx'

type Call = ToolItem | BashItem | SummaryItem

export function OutputPage(size: Pick<PageProps, 'columns' | 'height' | 'onClose'>): ReactElement {
  const view = useBehavior(useUi().view$, hasSameCalls)
  const calls = callsOf(view)
  const [chosen, choose] = useState<string>()
  const found = calls.findIndex(({ id }) => id === chosen)
  const index = found === -1 ? calls.length - 1 : found
  const call = calls[index]
  const columns = size.columns - 2
  const lines = useMemo(() => outputLines(call, columns), [call, columns])
  return (
    <Page
      key={call?.id ?? ''}
      title={pageTitle(call, index, calls.length)}
      lines={lines}
      foot={call?.kind === 'summary' ? 'left and right change the page' : 'left and right change the call'}
      onOtherKey={(press) => {
        const by = press.kind === 'key' ? (steps[press.name] ?? 0) : 0
        if (by !== 0) choose(calls[index + by]?.id ?? call?.id)
      }}
      {...size}
    />
  )
}

function pageTitle(call: Call | undefined, index: number, count: number): string {
  if (call === undefined) return 'Output'
  return `${call.kind === 'summary' ? 'Summary · page' : 'Output · call'} ${index + 1} of ${count}`
}

const steps: Readonly<Record<string, number>> = { left: -1, right: 1 }

/** The calls and summaries that are still in memory, oldest first. */
export function callsOf({ finished, live }: Pick<View, 'finished' | 'live'>): readonly Call[] {
  return [...finished, ...live].filter((item): item is Call => foldable.has(item.kind))
}

const foldable: ReadonlySet<ViewItem['kind']> = new Set(['tool', 'bash', 'summary'])

function hasSameCalls(older: View, newer: View): boolean {
  const [before, after] = [callsOf(older), callsOf(newer)]
  return before.length === after.length && after.every((call, index) => call === before[index])
}

function outputLines(call: Call | undefined, columns: number): readonly Line[] {
  if (call === undefined) return [[span('No tool has run yet', 'dim')]]
  if (call.kind === 'summary') return summaryLines(call, { columns, isExpanded: true })
  if (call.kind === 'bash') return bashLines({ ...call, isOpen: false }, columns)
  const lines = toolLines(call, { columns, isExpanded: true })
  return lines.length > 1 ? lines : [...lines, [span(call.state === 'done' ? 'No output' : 'No output yet', 'dim')]]
}
