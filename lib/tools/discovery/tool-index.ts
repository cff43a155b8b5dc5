// Ranks tools for a query by BM25 over their names, titles, descriptions and parameter names.
// Guarantees: the package is loaded by the first search; a search after a change of the list indexes the difference.
import { defer, from, map, shareReplay } from 'rxjs'
import type { Observable } from 'rxjs'
import type MiniSearch from 'minisearch'
import { originOf } from '../../streams/ports/tool.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { isRecord } from '../../streams/values/json.ts'
import { queryWords, searchWords } from './search-words.ts'

/** How much a word counts, by the field that has it. `keys` are the names of the parameters. */
const weights = { name: 6, label: 4, tool: 4, server: 2, summary: 2, keys: 1 } as const

type Field = keyof typeof weights
type Entry = Readonly<Record<Field, string>> & { readonly id: number }

export interface ToolIndex {
  /** Emits the tools that fit, the best first, once. Unsubscribing prevents the search. */
  search(tools: readonly AnyTool[], query: string): Observable<readonly AnyTool[]>
}

export function createToolIndex(): ToolIndex {
  const index$ = defer(() => from(import('minisearch'))).pipe(
    map(({ default: Index }) => emptyIndex(Index)),
    shareReplay({ bufferSize: 1, refCount: false }), // a failed load is repeated by the next search
  )
  const entries = new Map<AnyTool, Entry>()
  const byId = new Map<number, AnyTool>()
  let indexed: readonly AnyTool[] = []
  let nextId = 0

  const update = (index: MiniSearch<Entry>, tools: readonly AnyTool[]): void => {
    if (tools === indexed) return
    const present = new Set(tools)
    for (const [tool, entry] of entries) {
      if (present.has(tool)) continue
      index.remove(entry)
      entries.delete(tool)
      byId.delete(entry.id)
    }
    for (const tool of present) {
      if (entries.has(tool)) continue
      const entry = { id: nextId++, ...fieldsOf(tool) }
      index.add(entry)
      entries.set(tool, entry)
      byId.set(entry.id, tool)
    }
    indexed = tools
  }
  return {
    search: (tools, query) =>
      index$.pipe(
        map((index) => {
          update(index, tools)
          return index.search(query).flatMap(({ id }) => byId.get(Number(id)) ?? [])
        }),
      ),
  }
}

/** A word of the query also finds longer words, and longer ones with a typing error; both count less. */
function emptyIndex(Index: typeof MiniSearch): MiniSearch<Entry> {
  return new Index<Entry>({
    fields: Object.keys(weights),
    tokenize: searchWords,
    processTerm: (term) => term, // searchWords has done it
    searchOptions: {
      tokenize: queryWords,
      boost: weights,
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
}

function fieldsOf(tool: AnyTool): Omit<Entry, 'id'> {
  const { label = '', tool: own = tool.name, server = '' } = originOf(tool) ?? {}
  const { properties } = tool.parameters as { readonly properties?: unknown } // of others: perhaps none
  return {
    name: tool.name,
    label,
    tool: own,
    server,
    summary: tool.description,
    keys: isRecord(properties) ? Object.keys(properties).slice(0, mostKeys).join(' ') : '',
  }
}

const mostKeys = 200
