// Chooses the active tools that requests leave out until search_tools finds them.
// Guarantees: only tools of extensions, clients and servers are left out; what a request listed or a note described stays.
import { searchToolsName } from '../../streams/messages/inner-call.ts'
import { originOf } from '../../streams/ports/tool.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { toolTokens } from '../../streams/ports/token-estimate.ts'
import type { ToolDiscoverySetting } from '../../streams/config/tool-discovery-setting.ts'
import type { CreateToolSearch, SearchableTools } from '../../streams/tool-definition/tool-search.ts'

export interface DiscoveryParts {
  readonly setting: ToolDiscoverySetting
  /** Names of tools that every request lists. */
  readonly listed: readonly string[]
  /** Names that earlier searches of the session found, the oldest first. */
  readonly found: readonly string[]
  readonly createSearch: CreateToolSearch
  /** Tokens of the model's window. */
  window(): number | undefined
  active(): readonly AnyTool[]
  /** Names of servers whose tools are not known yet. */
  readonly starting?: SearchableTools['starting'] | undefined
  /** Called with the names that a search found for the first time. */
  onFound(names: readonly string[]): void
  /** Gives `search_tools` its schema for a model, as the list's other tools have it. */
  prepare(tool: AnyTool): AnyTool
}

export interface ToolDiscovery {
  /** The tools that a request lists or a note describes; with `search_tools` if others are left out. */
  visible(active: readonly AnyTool[]): readonly AnyTool[]
  /** The active tools that are left out. */
  unlisted(active: readonly AnyTool[]): readonly AnyTool[]
  /** A person chose these tools: requests list them from now on. */
  choose(names: readonly string[]): void
  /** Called for each request: what it makes visible stays so. */
  commit(active: readonly AnyTool[]): void
  /** The next request lists anew: the tools found last, as far as they fit, and no other tools that were left out. */
  thaw(): void
}

/** Without `use_tool` no tool can be left out. */
export const noDiscovery: ToolDiscovery = {
  visible: (active) => active,
  unlisted: () => [],
  choose: () => undefined,
  commit: () => undefined,
  thaw: () => undefined,
}

interface Split {
  readonly visible: readonly AnyTool[]
  readonly unlisted: readonly AnyTool[]
  /** All that `search_tools` can find. */
  readonly guests: readonly AnyTool[]
}

/** Tools are counted once for each list of them: a request with the same ones costs nothing. */
export function createToolDiscovery(parts: DiscoveryParts): ToolDiscovery {
  const listed = new Set(parts.listed)
  const found = new Set(parts.found)
  let shown: Set<string> | undefined // since the list was frozen
  let last: (Split & { readonly active: readonly AnyTool[]; readonly window: number | undefined }) | undefined
  let committed: readonly AnyTool[] | undefined
  const search = parts.prepare(
    parts.createSearch({
      tools: () => split(parts.active()).guests,
      starting: () => parts.starting?.() ?? [],
      onFound: (tools) => {
        const names = tools.map(({ name }) => name)
        const added = names.filter((name) => !found.has(name))
        for (const name of names) {
          found.delete(name) // to the end
          found.add(name)
          shown?.add(name)
        }
        last = undefined
        if (added.length > 0) parts.onFound(added)
      },
    }),
  )
  const split = (active: readonly AnyTool[]): Split => {
    const window = parts.window()
    if (last?.active !== active || last.window !== window)
      last = { ...splitTools(active, { ...parts, limit: limitOf(parts.setting, window), listed, found, shown, search }), active, window } // prettier-ignore
    return last
  }
  return {
    visible: (active) => split(active).visible,
    unlisted: (active) => split(active).unlisted,
    choose: (names) => {
      for (const name of names) listed.add(name)
      last = undefined
    },
    commit: (active) => {
      const { visible } = split(active)
      if (visible === committed && shown !== undefined) return
      shown = new Set([...(shown ?? []), ...visible.map(({ name }) => name)])
      committed = visible
    },
    thaw: () => {
      shown = undefined
      last = undefined
    },
  }
}

interface SplitOptions {
  readonly setting: ToolDiscoverySetting
  readonly limit: number
  readonly listed: ReadonlySet<string>
  readonly found: ReadonlySet<string>
  readonly shown: ReadonlySet<string> | undefined
  readonly search: AnyTool
}

function splitTools(active: readonly AnyTool[], { setting, limit, listed, found, shown, search }: SplitOptions): Split {
  const guests = active.filter((tool) => originOf(tool) !== undefined && !listed.has(tool.name))
  const isOver = setting === 'always' || (setting !== 'never' && tokensOf(guests) > limit)
  const described = shown ?? latestWithin(limit, guests, found)
  const unlisted = isOver ? guests.filter(({ name }) => !described.has(name)) : []
  const hasSearch = unlisted.length > 0 || shown?.has(searchToolsName) === true
  if (!hasSearch || active.some(({ name }) => name === searchToolsName))
    return { visible: active, unlisted: [], guests }
  const out = new Set(unlisted)
  return { visible: [...active.filter((tool) => !out.has(tool)), search], unlisted, guests }
}

/** The names found last that fit together. */
function latestWithin(limit: number, guests: readonly AnyTool[], found: ReadonlySet<string>): Set<string> {
  const byName = new Map(guests.map((tool) => [tool.name, tool]))
  const names = new Set<string>()
  let left = limit
  for (const name of [...found].reverse()) {
    const tool = byName.get(name)
    if (tool === undefined) continue
    left -= toolTokens(tool)
    if (left < 0) break
    names.add(name)
  }
  return names
}

/** Of the model's window. */
export const usualPercent = 10
/** Tokens, of a model whose window is not known. */
const usualWindow = 128_000

function limitOf(setting: ToolDiscoverySetting, window = usualWindow): number {
  return (window * (typeof setting === 'number' ? setting : usualPercent)) / 100
}

function tokensOf(tools: readonly AnyTool[]): number {
  return tools.reduce((sum, tool) => sum + toolTokens(tool), 0)
}
