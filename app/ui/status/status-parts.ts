// Selects the parts of the status row that fit, most important first.
import { homedir } from 'node:os'
import { formatCost } from '../text/format-cost.ts'
import { cellWidth } from '../text/cell-width.ts'
import { terminalSafe } from '../../process/terminal-safe.ts'
import type { Role } from '../theme/theme.ts'
import type { View } from '../view/view.ts'
import { shortenFolder } from '../../text/short-folder.ts'

export interface StatusPart {
  /** Safe for a terminal. */
  readonly text: string
  readonly role: Role
}

/**
 * Parts in order, as many as fit into `columns` cells with ` · ` between them.
 * @param front parts of an active run, before all others
 */
export function statusParts(
  view: View,
  branch: string | undefined,
  columns: number,
  front: readonly RankedPart[] = [],
): StatusPart[] {
  const wanted = [...front, ...allParts(view, branch)]
  const ranked = [...wanted].sort((one, other) => one.rank - other.rank)
  const fitting = new Set<RankedPart>()
  let room = columns
  for (const part of ranked) {
    const width = cellWidth(part.text) + (fitting.size === 0 ? 0 : 3)
    if (width > room) continue
    fitting.add(part)
    room -= width
  }
  return wanted.filter((part) => fitting.has(part)).map(({ text, role }) => ({ text, role }))
}

export interface RankedPart extends StatusPart {
  /** A lower rank stays longer. */
  readonly rank: number
}

function allParts(view: View, branch: string | undefined): RankedPart[] {
  const { model, running, thinkingLevel, session, queue, jobs, usage, connection } = view
  const hasNone = session !== undefined && model === ''
  const part = (rank: number, text: string | undefined, role: Role = 'dim'): RankedPart[] =>
    text === undefined || text === '' ? [] : [{ rank, text: terminalSafe(text).replace(/\s+/g, ' '), role }]
  const folder = session === undefined ? undefined : shortenFolder(session.cwd, homedir())
  return [
    ...part(0, connectionWords(connection), 'warning'),
    ...part(0, session?.readOnly === undefined ? undefined : 'read-only', 'warning'),
    ...(hasNone ? part(1, 'no model: /login or /model', 'warning') : part(1, running?.model ?? model)),
    ...part(5, thinkingLevel === 'off' ? undefined : `thinks ${thinkingLevel}`),
    ...part(3, folder && branch !== undefined ? `${folder} (${branch})` : folder),
    ...part(2, windowWords(view)),
    ...part(4, formatCost(usage.cost)),
    ...part(1, queue.length === 0 ? undefined : `${queue.length} waiting`, 'accent'),
    ...part(2, jobs.length === 0 ? undefined : `${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}`, 'accent'),
    ...part(6, session?.title),
  ]
}

function connectionWords(connection: View['connection']): string | undefined {
  switch (connection) {
    case 'connected':
      return undefined
    case 'connecting':
      return 'connecting'
    case 'reconnecting':
      return '! server lost, reconnecting'
    case 'closed':
      return '! not connected'
  }
}

function windowWords({ contextTokens, contextWindow }: View): string | undefined {
  if (contextTokens === 0) return undefined
  if (contextWindow === undefined || contextWindow === 0) return `${formatCount(contextTokens)} tokens`
  const share = Math.round((100 * contextTokens) / contextWindow)
  return `${formatCount(contextTokens)}/${formatCount(contextWindow)} (${share} %)`
}

/** 950, 1.2k, 34k, 1.5M. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count)
  if (count < 9_950) return `${(count / 1_000).toFixed(1)}k`
  if (count < 999_500) return `${Math.round(count / 1_000)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}
