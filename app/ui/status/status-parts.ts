// Selects the parts of the status row that fit, most important first.
import { homedir } from 'node:os'
import { formatCount } from '../../text/format-count.ts'
import { formatCost } from '../text/format-cost.ts'
import { cellWidth, cutToWidth } from '../text/cell-width.ts'
import { terminalSafe } from '../../process/terminal-safe.ts'
import type { Role } from '../theme/theme.ts'
import { phaseWords } from '../view/fold-scenario.ts'
import type { View } from '../view/view.ts'
import { shortenFolder } from '../../text/short-folder.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

export interface StatusPart {
  /** Safe for a terminal. */
  readonly text: string
  readonly role: Role
}

/**
 * Parts in order, as many as fit into `columns` cells with ` · ` between them. State and keys of a run come first: the
 * others get the rest of the row.
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
  const urgent = ranked.filter(({ rank }) => rank <= lastUrgent)
  const fitting = new Map<RankedPart, string>()
  let room = columns
  const addPart = (part: RankedPart, texts: readonly string[]): void => {
    const before = fitting.get(part)
    const free = before === undefined ? room - (fitting.size === 0 ? 0 : 3) : room + cellWidth(before)
    const text = texts.find((each) => cellWidth(each) <= free)
    if (text === undefined) return
    fitting.set(part, text)
    room = free - cellWidth(text)
  }
  for (const part of urgent) addPart(part, textsOf(part).slice(-1))
  for (const part of fitting.keys()) addPart(part, textsOf(part))
  for (const part of ranked.slice(urgent.length)) addPart(part, textsOf(part))
  return wanted.flatMap((part) => {
    const text = fitting.get(part)
    return text === undefined ? [] : [{ text, role: part.role }]
  })
}

/** Rank of the last key of a run. */
const lastUrgent = 3

export interface RankedPart extends StatusPart {
  /** A lower rank stays longer; state and keys of an active run have 0 to 3. */
  readonly rank: number
  /** Texts for less room, longest first. Default: none. */
  readonly shorter?: readonly string[]
}

function textsOf({ text, shorter = [] }: RankedPart): readonly string[] {
  return [text, ...shorter]
}

/** Cuts of a text to these widths, if it is longer. */
export function cutsOf(text: string, widths: readonly number[]): readonly string[] {
  return widths.filter((width) => width < cellWidth(text)).map((width) => cutToWidth(text, width))
}

/** Without the provider, then cut: the keys of a run need the room more than a long name. */
function shortModels(name: string): readonly string[] {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return [...(last === name || last === '' ? [] : [last]), ...cutsOf(last === '' ? name : last, [24, 20, 16, 12, 8])]
}

function allParts(view: View, branch: string | undefined): RankedPart[] {
  const { model, running, thinkingLevel, approvalMode, scenario, session, queue, jobs, usage, connection } = view
  const hasNone = session !== undefined && model === ''
  const part = (rank: number, text: string | undefined, role: Role = 'dim'): RankedPart[] =>
    text === undefined || text === '' ? [] : [{ rank, text: oneLine(text), role }]
  const name = oneLine(running?.model ?? model)
  const folder = session === undefined ? undefined : shortenFolder(session.cwd, homedir())
  return [
    ...part(0, connectionWords(connection), 'warning'),
    ...part(0, session?.readOnly === undefined ? undefined : 'read-only', 'warning'),
    ...part(4, scenario && phaseWords(scenario), 'accent'),
    ...(hasNone
      ? part(4, 'no model: /login or /model', 'warning')
      : part(4, name).map((each) => ({ ...each, shorter: shortModels(name) }))),
    ...part(8, thinkingLevel === 'off' ? undefined : `thinks ${thinkingLevel}`),
    ...part(6, folder && branch !== undefined ? `${folder} (${branch})` : folder),
    ...part(
      7,
      approvalMode === undefined ? undefined : `asks: ${approvalMode}`,
      approvalMode === 'auto' ? 'warning' : 'dim',
    ),
    ...part(5, windowWords(view)),
    ...part(7, formatCost(usage.cost)),
    ...part(4, queue.length === 0 ? undefined : `${queue.length} waiting`, 'accent'),
    ...part(5, jobs.length === 0 ? undefined : countOf(jobs.length, 'job'), 'accent'),
    ...part(9, session?.title),
    ...extensionParts(view),
  ]
}

const maxExtensionParts = 6
const longestExtensionPart = 40

/** Of the extensions: the first six texts, cut to 40 cells. They go before the title does, and name no extension. */
function extensionParts({ extensions: { statuses } }: View): readonly RankedPart[] {
  return statuses
    .map(({ text }) => cutToWidth(oneLine(text), longestExtensionPart))
    .filter((text) => text !== '')
    .slice(0, maxExtensionParts)
    .map((text): RankedPart => ({ rank: 8, role: 'accent', text, shorter: cutsOf(text, [24, 12]) }))
}

function oneLine(text: string): string {
  return terminalSafe(text).replace(/\s+/g, ' ')
}

function connectionWords(connection: View['connection']): string | undefined {
  switch (connection) {
    case 'connected':
      return undefined
    case 'connecting':
      return 'connecting'
    case 'reconnecting':
    case 'lost':
      return '! server lost, reconnecting'
    case 'stopped':
      return '! server stopped'
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
