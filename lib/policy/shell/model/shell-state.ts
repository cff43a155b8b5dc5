// State of a simulated shell: variables, functions, aliases, folders, and files that it wrote.
import type { Command, CompoundCommand, CompoundList, Redirected } from 'unbash'
import { anyText } from './word-marks.ts'

export type FunctionBody = Command | CompoundCommand | Redirected | CompoundList

export interface ShellState {
  /** Values with marks; a list is an array. */
  variables: Map<string, string | readonly string[]>
  /** Names that child processes receive. */
  exported: Set<string>
  functions: Map<string, FunctionBody>
  aliases: Map<string, string>
  /** Possible working folders; undefined if unknown. */
  cwds: readonly string[] | undefined
  /** The folders if the last `cd` failed; undefined if it cannot have. */
  cwdsOnFailure: readonly string[] | undefined
  /** `set -P`: `cd` leaves the targets of links. */
  isPhysical: boolean
  positional: readonly string[] | undefined
  /** Content of files that the command wrote, by absolute path. */
  files: Map<string, string>
  /** Targets of symbolic links that the command made, by absolute path. */
  links: Map<string, string>
  /** `set -e`: a failed `cd` ends the shell. */
  stopsOnError: boolean
  /** The command runs elsewhere (`ssh`, a container): its paths are not this machine's. */
  isRemote: boolean
  /** Elsewhere is a container, which is made anew easily; absent for a machine. */
  container?: Container
}

export interface Container {
  /** Folders of this machine that the container has: absolute patterns here, absolute paths there. */
  readonly mounts: readonly { readonly source: string; readonly target: string }[]
}

export function createState(cwd: string, variables: Readonly<Record<string, string | undefined>>): ShellState {
  const known = Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    variables: new Map(known),
    exported: new Set(known.map(([name]) => name)),
    functions: new Map(),
    aliases: new Map(),
    cwds: [cwd],
    cwdsOnFailure: undefined,
    isPhysical: false,
    positional: [],
    files: new Map(),
    links: new Map(),
    stopsOnError: false,
    isRemote: false,
  }
}

/** A copy for a subshell. Files and links are shared: what a subshell writes stays on the disk. */
export function copyState(state: ShellState): ShellState {
  return {
    ...state,
    variables: new Map(state.variables),
    exported: new Set(state.exported),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
  }
}

/** A copy for a new shell process, which receives exported variables only; the others may be empty there. */
export function childState(state: ShellState, positional: readonly string[]): ShellState {
  const copy = copyState(state)
  for (const name of copy.variables.keys()) if (!copy.exported.has(name)) copy.variables.set(name, anyText)
  return { ...copy, positional, stopsOnError: false, cwdsOnFailure: undefined }
}

/** Joins the states after two branches of which one ran; the result is written into `state`. */
export function mergeStates(state: ShellState, other: ShellState): void {
  for (const [name, value] of other.variables) {
    if (!sameValue(state.variables.get(name), value)) state.variables.set(name, anyText)
  }
  for (const name of state.variables.keys()) if (!other.variables.has(name)) state.variables.set(name, anyText)
  for (const [name, body] of other.functions) if (!state.functions.has(name)) state.functions.set(name, body)
  for (const [name, text] of other.aliases) if (!state.aliases.has(name)) state.aliases.set(name, text)
  state.cwds = unionOfFolders(state.cwds, other.cwds)
  if (other.positional !== state.positional) state.positional = undefined
}

/** A failed `cd` is possible from here on: both folders count. */
export function acceptFailedMove(state: ShellState): void {
  if (state.cwdsOnFailure === undefined) return
  if (!state.stopsOnError) state.cwds = unionOfFolders(state.cwds, state.cwdsOnFailure)
  state.cwdsOnFailure = undefined
}

const maxFolders = 6

export function unionOfFolders(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return undefined
  const all = [...new Set([...one, ...other])]
  return all.length > maxFolders ? undefined : all
}

function sameValue(one: string | readonly string[] | undefined, other: string | readonly string[]): boolean {
  if (one === other) return true
  return Array.isArray(one) && Array.isArray(other) && one.join('\0') === other.join('\0')
}
