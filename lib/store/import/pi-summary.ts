// Compactions and branch summaries of a pi session: nodes of the tree that stand for what came before or aside.
import type { ForeignObject } from './foreign-object.ts'
import { isForeignObject } from './foreign-object.ts'
import type { PiContext, PiConverted } from './pi-context.ts'

const charactersPerToken = 4

/** Either entry as its event; the tokens that pi does not tell are guessed from characters. */
export function piCompaction(entry: ForeignObject, context: PiContext): PiConverted {
  return entry['type'] === 'compaction' ? compaction(entry, context) : branchSummary(entry, context)
}

function compaction(entry: ForeignObject, context: PiContext): PiConverted {
  const { parentId, tokensTo } = context
  const kept = firstKept(entry['firstKeptEntryId'], entry['id'], context)
  const all = tokensTo(parentId)
  const before = kept === null ? all : tokensTo(kept)
  return {
    event: {
      ...common(entry, context, { before: entry['tokensBefore'] ?? all, after: all - before }),
      type: 'compaction',
      firstKeptEntryId: kept,
    },
    fields: ['summary', 'tokensBefore', 'firstKeptEntryId', ...ownDetails(entry)],
  }
}

function branchSummary(entry: ForeignObject, context: PiContext): PiConverted {
  const { entryId, parentId, tree, tokensTo, tell } = context
  const left = typeof entry['fromId'] === 'string' ? (tree.find(entry['fromId'])?.entryId ?? null) : null
  if (left === null) tell('the branch that it sums up is not in the file before it')
  const before = Math.max(0, tokensTo(left) - tokensTo(parentId))
  return {
    event: {
      ...common(entry, context, { before, after: 0 }),
      type: 'branch_summary',
      fromEntryId: left ?? parentId ?? entryId,
    },
    fields: ['summary', 'fromId', ...ownDetails(entry)],
  }
}

function common(
  entry: ForeignObject,
  { entryId, parentId }: PiContext,
  tokens: { readonly before: unknown; readonly after: number },
): object {
  const summary = typeof entry['summary'] === 'string' ? entry['summary'] : ''
  const tokensAfter = tokens.after + Math.ceil(summary.length / charactersPerToken)
  const details = ownDetails(entry).length === 0 ? {} : { details: entry['details'] }
  return { entryId, parentId, summary, tokensBefore: tokens.before, tokensAfter, ...details }
}

/** pi's own summaries list files like ours; what an extension noted is kept as data. */
function ownDetails({ details }: ForeignObject): string[] {
  if (!isForeignObject(details)) return []
  const isList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isList(details['readFiles']) && isList(details['modifiedFiles']) ? ['details'] : []
}

/** pi keeps nothing where the compaction names itself, and may name an entry that is no node of ours: the next one is. */
function firstKept(foreignId: unknown, ownId: unknown, { tree, parentId, tell }: PiContext): string | null {
  if (foreignId === ownId && foreignId !== undefined) return null
  const place = typeof foreignId === 'string' ? tree.find(foreignId) : undefined
  const kept = place?.isNode === false ? tree.after(place.entryId, parentId) : place?.entryId
  if (kept === undefined || kept === null)
    tell('the first message that it keeps is not in the file before it; it keeps none')
  return kept ?? null
}
