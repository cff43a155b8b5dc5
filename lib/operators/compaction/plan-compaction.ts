// Plans a compaction: whether it is due, where to cut, and what stays.
import type { EventNamed } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'
import { contextTokens } from './context-tokens.ts'
import type { ContextTokens, EntryContext } from './context-tokens.ts'
import { findCut, isUserInput, splitTurnStart } from './find-cut.ts'
import type { PlannedEntry } from './find-cut.ts'
import { savedTokens, shrinkOldEntries, shrinkResults } from './shrink-entries.ts'

/** Why a compaction is made: the window fills up, a request did not fit, a person asked. */
export type CompactionReason = 'threshold' | 'overflow' | 'manual'

export interface CompactionSettings {
  /** True: before a request, and when one does not fit. The command `compact` works without. Default true. */
  readonly enabled?: boolean
  /** Tokens that stay free for the answer; at most a quarter of the window. Default 16,384. */
  readonly reserveTokens?: number
  /** Tokens of recent messages that stay; at most a third of the window. Default 20,000. */
  readonly keepRecentTokens?: number
}

export interface CompactionInput extends EntryContext {
  readonly entries: readonly PlannedEntry[]
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
  /** Null: no message stays but those that are carried. */
  readonly firstKeptEntryId: string | null
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
/**
 * Tokens of a model whose window is unknown, at least: a summary of a short conversation must not be cut to nothing.
 */
const leastWindow = 8_192
/** The part of the window that a summary may fill, and its most tokens in a large window. */
const summaryPart = 1 / 8
const mostSummaryTokens = 12_000
/** The part of the free room that recent messages may fill: the next compaction must not follow at once. */
const recentPart = 2 / 3
/** The part of the window that a summary before a request must save: each one costs a request. */
const leastSaved = 1 / 8

/**
 * Tokens at which a context is compacted (`trigger`), and of the recent messages that stay as they are (`keepRecent`). Small windows
 * reserve a quarter and keep a third at most.
 */
export function compactionLimits(window: number, { reserveTokens, keepRecentTokens }: CompactionSettings = {}) {
  return {
    trigger: window - Math.floor(Math.min(reserveTokens ?? defaultReserve, window / 4)),
    keepRecent: Math.floor(Math.min(keepRecentTokens ?? defaultKeepRecent, window / 3)),
  }
}

/** Undefined if nothing is due, nothing can be cut, or the rest would not fit either. */
export function planCompaction(input: CompactionInput, settings: CompactionSettings = {}): CompactionPlan | undefined {
  const { entries, reason } = input
  const counted = contextTokens(input)
  const window = windowOf(input, counted.total)
  if (window === undefined) return undefined
  const limits = compactionLimits(window, settings)
  if (reason === 'threshold' && counted.total <= limits.trigger) return undefined
  const mostTokens = Math.floor(Math.min(window * summaryPart, mostSummaryTokens))
  const plan: Planning = { input, counted, window, mostTokens, ...limits }
  const cut = findCut(entries, keepOf(plan), counted.tokensOf)
  return (reason === 'threshold' ? planEdits(plan, cut) : undefined) ?? planSummary(plan, cut)
}

interface Planning {
  readonly input: CompactionInput
  readonly counted: ContextTokens
  readonly window: number
  readonly trigger: number
  readonly keepRecent: number
  readonly mostTokens: number
}

function windowOf({ window, reason }: CompactionInput, total: number): number | undefined {
  if (reason === 'overflow') return Math.min(window ?? Infinity, Math.max(1, Math.floor(total * refusedPart)))
  return window ?? (reason === 'manual' ? Math.max(total, leastWindow) : undefined)
}

/** Tokens of recent messages to keep: a long system prompt and pins leave less room for them. */
function keepOf({ input: { entries, pins, reason }, counted, trigger, keepRecent, mostTokens }: Planning): number {
  const { base, total, tokensOf } = counted
  const pinned = entries.filter(({ entryId }) => pins.has(entryId))
  const room = trigger - base - mostTokens - sumTokens(pinned, tokensOf)
  const keep = Math.min(keepRecent, Math.floor(Math.max(0, room) * recentPart))
  return reason === 'threshold' ? keep : Math.min(keep, Math.floor((total - base) / 3))
}

/** Undefined if edits alone do not save enough. */
function planEdits({ input: { entries, pins }, counted, trigger }: Planning, cut: number): CompactionPlan | undefined {
  const { total, tokensOf } = counted
  const shortened = shrinkOldEntries(entries.slice(0, cut), { pins, all: entries })
  const tokensAfter = total - savedTokens(shortened, tokensOf)
  if (shortened.length === 0 || tokensAfter > trigger * enoughSaved) return undefined
  return { edits: shortened.map(editOf), tokensBefore: total, tokensAfter, tokensOf }
}

/**
 * A summary up to the cut; further up if the rest would not fit; without recent messages if even the last ones would
 * not.
 */
function planSummary(plan: Planning, cut: number): CompactionPlan | undefined {
  const { input, counted, trigger, mostTokens } = plan
  const cuts = new Set([cut, findCut(input.entries, 0, counted.tokensOf), input.entries.length])
  let best: CompactionPlan | undefined
  for (const at of cuts) {
    const next = planAt(plan, at)
    if (best === undefined || roomTokens(next, mostTokens) < roomTokens(best, mostTokens)) best = next
    if (roomTokens(next, mostTokens) <= trigger) return isUseful(next, plan) ? next : undefined
  }
  return best !== undefined && isUseful(best, plan) ? best : undefined
}

function planAt({ input, counted, trigger, mostTokens }: Planning, cut: number): CompactionPlan {
  const { entries } = input
  const { base, total, tokensOf } = counted
  const summary = summaryOf(input, cut, mostTokens)
  const recent = entries.slice(summary === undefined ? 0 : cut)
  const carriedIds = new Set(summary?.carriedEntryIds)
  const carried = carriedIds.size === 0 ? [] : entries.slice(0, cut).filter(({ entryId }) => carriedIds.has(entryId))
  const staying = base + sumTokens([...carried, ...recent], tokensOf)
  const excess = staying + (summary === undefined ? 0 : mostTokens) - trigger
  const shortened = excess > 0 ? shrinkResults(recent, excess, tokensOf) : []
  return {
    edits: shortened.map(editOf),
    tokensBefore: total,
    tokensAfter: staying - savedTokens(shortened, tokensOf),
    tokensOf,
    ...(summary === undefined ? {} : { summary }),
  }
}

function roomTokens({ tokensAfter, summary }: CompactionPlan, mostTokens: number): number {
  return tokensAfter + (summary === undefined ? 0 : mostTokens)
}

/** A person's wish is always met; otherwise the rest must fit, and a summary before a request must save enough. */
function isUseful(next: CompactionPlan, { input: { reason, window = Infinity }, mostTokens }: Planning): boolean {
  if (next.summary === undefined && next.edits.length === 0) return false
  const after = roomTokens(next, mostTokens)
  const saved = next.tokensBefore - after
  if (reason === 'manual') return true
  if (reason === 'overflow') return saved > 0 && after <= window
  return after <= window && saved >= window * leastSaved
}

/** Undefined if nothing would go: no message stands before the cut, or all of them are carried. */
function summaryOf({ entries, pins }: CompactionInput, cut: number, mostTokens: number): SummaryPlan | undefined {
  const start = entries.findIndex(({ kind }) => kind !== 'compaction' && kind !== 'carried')
  if (start < 0 || start >= cut) return undefined
  const lastUser = entries.findLastIndex(isUserInput)
  const turnStart = splitTurnStart(entries, cut) ?? cut
  const messagesOf = (from: number, to: number): Message[] => entries.slice(from, to).map(({ message }) => message)
  const isCarried = ({ entryId, kind }: PlannedEntry, index: number): boolean =>
    kind !== 'compaction' && kind !== 'branch_summary' && (pins.has(entryId) || index === lastUser)
  const carried = new Set(entries.filter((entry, at) => at < cut && isCarried(entry, at)).map(({ entryId }) => entryId))
  if (entries.slice(0, cut).every(({ entryId, kind }) => kind === 'compaction' || carried.has(entryId)))
    return undefined
  return {
    history: messagesOf(start, turnStart),
    turn: messagesOf(turnStart, cut),
    firstKeptEntryId: entries[cut]?.entryId ?? null,
    carriedEntryIds: [...carried],
    mostTokens,
  }
}

function sumTokens(entries: readonly PlannedEntry[], tokensOf: (message: Message) => number): number {
  return entries.reduce((sum, { message }) => sum + tokensOf(message), 0)
}

function editOf({ entryId, replacement }: ReturnType<typeof shrinkOldEntries>[number]): EventNamed<'context_edit'> {
  return { type: 'context_edit', targetEntryId: entryId, replacement }
}
