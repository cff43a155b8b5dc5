// Plans a compaction: whether it is due, where to cut, and what stays.
import type { EventNamed } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { ContextEntry } from '../../streams/state/context-messages.ts'
import { contextTokens } from './context-tokens.ts'
import type { EntryContext } from './context-tokens.ts'
import { savedTokens, shrinkOldEntries, shrinkResults } from './shrink-entries.ts'

/** Why a compaction is made: the window fills up, a request did not fit, a person asked. */
export type CompactionReason = 'threshold' | 'overflow' | 'manual'

export interface CompactionSettings {
  /** True: before a request, and when one does not fit. The command `compact` works without. Default false. */
  readonly enabled?: boolean
  /** Tokens that stay free for the answer; at most a quarter of the window. Default 16,384. */
  readonly reserveTokens?: number
  /** Tokens of recent messages that stay; at most a third of the window. Default 20,000. */
  readonly keepRecentTokens?: number
}

export interface CompactionInput extends EntryContext {
  /** Of the model; undefined: only a request that did not fit is compacted. */
  readonly window: number | undefined
  readonly pins: ReadonlySet<string>
  readonly reason: CompactionReason
}

export interface CompactionPlan {
  /** Written before the summary, or alone if they save enough. */
  readonly edits: readonly EventNamed<'context_edit'>[]
  readonly summary?: SummaryPlan
  readonly tokensBefore: number
  /** Without the summary's own. */
  readonly tokensAfter: number
  tokensOf(message: Message): number
}

export interface SummaryPlan {
  /** To summarise, oldest first, without the previous summary. */
  readonly history: readonly Message[]
  /** The start of a turn that is cut in two. */
  readonly turn: readonly Message[]
  readonly firstKeptEntryId: string
  readonly carriedEntryIds: readonly string[]
  /** Most tokens that a summary may have. */
  readonly mostTokens: number
}

const defaultReserve = 16_384
const defaultKeepRecent = 20_000
/** The part of the trigger below which edits alone are enough: the next compaction must not follow at once. */
const enoughSaved = 0.75
/** The part of the window that a provider which refused a request is taken to have. */
const refusedPart = 0.75
/** The part of the window that a summary may fill. */
const summaryPart = 1 / 8

export function compactionLimits(window: number, { reserveTokens, keepRecentTokens }: CompactionSettings = {}) {
  return {
    trigger: window - Math.floor(Math.min(reserveTokens ?? defaultReserve, window / 4)),
    keepRecent: Math.floor(Math.min(keepRecentTokens ?? defaultKeepRecent, window / 3)),
  }
}

/** Undefined if nothing is due, or nothing can be cut. */
export function planCompaction(input: CompactionInput, settings: CompactionSettings = {}): CompactionPlan | undefined {
  const { entries, reason } = input
  const { total, base, tokensOf } = contextTokens(input)
  const window = windowOf(input, total)
  if (window === undefined) return undefined
  const { trigger, keepRecent } = compactionLimits(window, settings)
  if (reason === 'threshold' && total <= trigger) return undefined
  const keep = reason === 'threshold' ? keepRecent : Math.min(keepRecent, Math.floor((total - base) / 3))
  const cut = findCut(entries, keep, tokensOf)
  const tokensBefore = total
  if (reason === 'threshold') {
    const shortened = shrinkOldEntries(entries, cut)
    const tokensAfter = total - savedTokens(shortened, tokensOf)
    if (tokensAfter <= trigger * enoughSaved)
      return { edits: shortened.map(editOf), tokensBefore, tokensAfter, tokensOf }
  }
  const mostTokens = Math.floor(window * summaryPart)
  const summary = planSummary(input, cut, mostTokens)
  const recent = entries.slice(summary === undefined ? 0 : cut)
  const carried = entries.filter(({ entryId }) => summary?.carriedEntryIds.includes(entryId))
  const staying = [...carried, ...recent].reduce((sum, { message }) => sum + tokensOf(message), base)
  const excess = staying + (summary === undefined ? 0 : mostTokens) - trigger
  const shortened = excess > 0 ? shrinkResults(recent, excess, tokensOf) : []
  if (summary === undefined && shortened.length === 0) return undefined
  const tokensAfter = staying - savedTokens(shortened, tokensOf)
  const edits = shortened.map(editOf)
  return { edits, tokensBefore, tokensAfter, tokensOf, ...(summary === undefined ? {} : { summary }) }
}

function windowOf({ window, reason }: CompactionInput, total: number): number | undefined {
  if (reason === 'overflow') return Math.min(window ?? Infinity, Math.max(1, Math.floor(total * refusedPart)))
  return window ?? (reason === 'manual' ? Math.max(total, 1) : undefined)
}

function editOf({ entryId, replacement }: ReturnType<typeof shrinkOldEntries>[number]): EventNamed<'context_edit'> {
  return { type: 'context_edit', targetEntryId: entryId, replacement }
}

/**
 * The index of the first entry to keep: the most recent messages that have at most `keep` tokens, but always the last
 * message and what it belongs to. Never between a call and its result.
 */
export function findCut(
  entries: readonly ContextEntry[],
  keep: number,
  tokensOf: (message: Message) => number,
): number {
  const open = openCallsAt(entries)
  let tokens = 0
  let cut = entries.length
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]
    if (entry === undefined || entry.kind === 'compaction' || entry.kind === 'carried') break
    tokens += tokensOf(entry.message)
    if (tokens > keep && cut < entries.length) break
    if (open[index] === 0 && entry.message.role !== 'toolResult') cut = index
  }
  return cut === entries.length ? 0 : cut
}

/** For each index: how many calls before it have a result at or behind it. */
function openCallsAt(entries: readonly ContextEntry[]): readonly number[] {
  const open = new Set<string>()
  const waiting = new Map<string, number>()
  for (const { message } of entries)
    if (message.role === 'toolResult') waiting.set(message.toolCallId, (waiting.get(message.toolCallId) ?? 0) + 1)
  return entries.map(({ message }) => {
    const count = open.size
    if (message.role === 'assistant') {
      for (const block of message.content)
        if (block.type === 'toolCall' && (waiting.get(block.id) ?? 0) > 0) open.add(block.id)
    } else if (message.role === 'toolResult') {
      waiting.set(message.toolCallId, (waiting.get(message.toolCallId) ?? 1) - 1)
      open.delete(message.toolCallId)
    }
    return count
  })
}

function planSummary({ entries, pins }: CompactionInput, cut: number, mostTokens: number): SummaryPlan | undefined {
  const first = entries[cut]
  const start = entries.findIndex(({ kind }) => kind !== 'compaction' && kind !== 'carried')
  if (first === undefined || start < 0 || start >= cut) return undefined
  const lastUser = entries.findLastIndex(({ message, kind }) => message.role === 'user' && kind !== 'compaction')
  const turnStart = first.message.role === 'user' ? cut : entries.findLastIndex(isTurnStart(cut))
  const middle = turnStart < start ? start : Math.min(turnStart, cut)
  const messagesOf = (from: number, to: number): Message[] => entries.slice(from, to).map(({ message }) => message)
  return {
    history: messagesOf(start, turnStart < start ? cut : middle),
    turn: turnStart < start ? [] : messagesOf(middle, cut),
    firstKeptEntryId: first.entryId,
    carriedEntryIds: entries
      .slice(0, cut)
      .filter(({ entryId, kind }, index) => kind !== 'compaction' && (pins.has(entryId) || index === lastUser))
      .map(({ entryId }) => entryId),
    mostTokens,
  }
}

function isTurnStart(before: number): (entry: ContextEntry, index: number) => boolean {
  return ({ message, kind }, index) => index < before && kind === 'entry' && message.role === 'user'
}
