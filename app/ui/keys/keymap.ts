// Merges the user's keys with the default keys; one key has one action in each group.
import type { ExtensionKey } from '../../../lib/streams/commands/extension-ui-commands.ts'
import { terminalSafe } from '../../process/terminal-safe.ts'
import { actionNames, actions } from './actions.ts'
import type { ActionGroup, ActionName } from './actions.ts'
import { parseKeyName } from './key-name.ts'

/** Keys of the user by action, canonical (`keyName`); an empty list removes all keys. */
export type KeyOverrides = Readonly<Partial<Record<ActionName, readonly string[]>>>

/** A key that two actions claim. */
export interface KeyClash {
  readonly key: string
  readonly winner: ActionName
  readonly loser: ActionName
  /** True: both come from the user; false: the loser is a default. */
  readonly bothBound: boolean
}

export interface Keymap {
  readonly main: ReadonlyMap<string, ActionName>
  readonly list: ReadonlyMap<string, ActionName>
  readonly clashes: readonly KeyClash[]
  /** Keys of extensions that no action has. Absent: none. */
  readonly extensions?: ReadonlyMap<string, ExtensionKey>
}

/** Keys of the user win over defaults; between two keys of the user, the first in the table's order. */
export function makeKeymap(overrides: KeyOverrides = {}): Keymap {
  const groups = { main: new Map<string, ActionName>(), list: new Map<string, ActionName>() }
  const clashes: KeyClash[] = []
  const bound = actionNames.filter((name) => overrides[name] !== undefined)
  const others = actionNames.filter((name) => overrides[name] === undefined)
  for (const action of [...bound, ...others]) {
    const group: Map<string, ActionName> = groups[actions[action].group]
    for (const key of new Set(overrides[action] ?? actions[action].keys)) {
      const winner = group.get(key)
      if (winner === undefined) group.set(key, action)
      else clashes.push({ key, winner, loser: action, bothBound: overrides[action] !== undefined })
    }
  }
  return { ...groups, clashes }
}

/** Keys of an action, in the order of the table or file. */
export function keysOf({ main, list }: Keymap, action: ActionName): readonly string[] {
  const group: ActionGroup = actions[action].group
  return [...(group === 'main' ? main : list)].flatMap(([key, name]) => (name === action ? [key] : []))
}

/** Describes a clash in one sentence. */
export function describeClash({ key, winner, loser, bothBound }: KeyClash): string {
  return bothBound
    ? `${key} is bound to both ${winner} and ${loser}; it runs ${winner}`
    : `${key} now runs ${winner}, no longer ${loser}`
}

/** The keymap with the keys of extensions: those of the user and of rxpi stay as they are. One sentence for each clash. */
export function withExtensionKeys(
  keymap: Keymap,
  keys: readonly ExtensionKey[],
): { readonly keymap: Keymap; readonly problems: readonly string[] } {
  const extensions = new Map<string, ExtensionKey>()
  const problems: string[] = []
  for (const each of keys) {
    const owner = terminalSafe(each.extension)
    const parsed = parseKeyName(each.key)
    const action = parsed.ok ? keymap.main.get(parsed.name) : undefined
    if (!parsed.ok) problems.push(`${parsed.problem} (of the extension ${owner})`)
    else if (action !== undefined)
      problems.push(`${parsed.name} of the extension ${owner} is not used: it runs ${action}`)
    else if (!extensions.has(parsed.name)) extensions.set(parsed.name, each)
  }
  return { keymap: keys.length === 0 ? keymap : { ...keymap, extensions }, problems }
}
