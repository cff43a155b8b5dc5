// What is loaded together is one file: each file of a bundle costs a start a third of a millisecond, however little is in it.
import type { CodeSplittingGroup, ChunkingContext } from 'rolldown'

/** Absolute paths of modules; a group whose modules are not in the bundle is left out. */
export interface ChunkRoots {
  /** What every start loads. */
  readonly start: string
  /** Who loads the server loads all that this takes with it. */
  readonly together: string
  /** Whoever takes this with it loads the server. */
  readonly server: string
}

/**
 * Three files in the place of fifty: `start` has what the entry takes with it, `server` what `together` does, and `shared`
 * what of that others need as well, who would otherwise load a server to read a line of it.
 */
export function chunkGroups(roots: ChunkRoots): CodeSplittingGroup[] {
  let parts: Parts | undefined
  const group = (name: keyof Parts): CodeSplittingGroup['name'] => {
    return (id, context) => ((parts ??= partsOf(roots, context))[name].has(id) ? name : null)
  }
  const names = ['start', 'shared', 'server'] as const
  return names.map((name, index) => ({ name: group(name), debugName: name, priority: names.length - index }))
}

type Parts = Readonly<Record<'start' | 'shared' | 'server', ReadonlySet<string>>>

function partsOf({ start, together, server: marker }: ChunkRoots, context: ChunkingContext): Parts {
  const atStart = reached(start, context)
  const server = reached(together, context)
  const others = [...(context.getModuleInfo(start)?.dynamicallyImportedIds ?? [])]
    .map((entry) => reached(entry, context))
    .filter((modules) => !modules.has(marker))
  const elsewhere = new Set(others.flatMap((modules) => [...modules]))
  atStart.delete(start) // the entry is a file by itself
  return { start: atStart, shared: new Set([...server].filter((id) => elsewhere.has(id))), server }
}

/** A module and all that is evaluated before it. */
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
