// Groups modules that are loaded together into one file: fewer files start faster.
import type { CodeSplittingGroup, ChunkingContext } from 'rolldown'

/** Absolute paths of modules; a group whose modules are not in the bundle is left out. */
export interface ChunkRoots {
  /** The module that every start loads. */
  readonly start: string
  /** The module whose imports form the server's file. */
  readonly together: string
  /** The module that marks a start as a server's. */
  readonly server: string
  /** The module that the thread of an extension loads. */
  readonly thread: string
}

/**
 * Returns four groups: `start` holds the imports of the entry, `thread` those of the thread of an extension, `server`
 * those of `together`, and `shared` the part of these that other commands import too. Without `shared`, such a command
 * would load the whole server; without `thread`, each such thread would.
 */
export function chunkGroups(roots: ChunkRoots): CodeSplittingGroup[] {
  let parts: Parts | undefined
  const group = (name: keyof Parts): CodeSplittingGroup['name'] => {
    return (id, context) => ((parts ??= partsOf(roots, context))[name].has(id) ? name : null)
  }
  const names = ['start', 'thread', 'shared', 'server'] as const
  return names.map((name, index) => ({ name: group(name), debugName: name, priority: names.length - index }))
}

type Parts = Readonly<Record<'start' | 'thread' | 'shared' | 'server', ReadonlySet<string>>>

function partsOf({ start, together, server: marker, thread }: ChunkRoots, context: ChunkingContext): Parts {
  const atStart = reached(start, context)
  const server = reached(together, context)
  const others = [...(context.getModuleInfo(start)?.dynamicallyImportedIds ?? [])]
    .map((entry) => reached(entry, context))
    .filter((modules) => !modules.has(marker))
  const elsewhere = new Set(others.flatMap((modules) => [...modules]))
  atStart.delete(start) // the entry is a file by itself
  return {
    start: atStart,
    thread: reached(thread, context),
    shared: new Set([...server].filter((id) => elsewhere.has(id))),
    server,
  }
}

/** A module and all modules that it imports statically. */
function reached(entry: string, context: ChunkingContext): Set<string> {
  const modules = new Set<string>()
  const open = [entry]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (modules.has(id)) continue
    modules.add(id)
    open.push(...(context.getModuleInfo(id)?.importedIds ?? []))
  }
  return modules
}
