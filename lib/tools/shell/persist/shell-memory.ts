// Stores folder and exported variables of bash between calls of a session (setting bash.persist).
// Guarantees: a call runs where the policy judged it; values stay in memory; a call that was ended changes nothing.
import type { WorkingContext } from '../../../streams/ports/tool.ts'
import { choosesPrograms } from '../../../streams/values/program-variables.ts'
import type { PrintedState } from './shell-script.ts'

/** Set by the shell or the session, or read by the policy, which knows them from the session's environment alone. */
const unkept =
  /^(?:PWD|OLDPWD|SHLVL|_|HOME|USER|LOGNAME|SHELL|TMPDIR|XDG_.*|RXPI_.*|CDPATH|IFS|ENV|SHELLOPTS|BASHOPTS|GLOBIGNORE|PROMPT_COMMAND)$/

/** Changed variables: their number, and UTF-16 units of names and values together. */
const maxVariables = 1_000
const maxUnits = 64 * 1024
/** Judged calls that have not begun: more than one answer has. */
const maxJudged = 1_000

export interface StartedShell {
  /** Absolute. */
  readonly folder: string
  /** Variables that earlier calls set; undefined: they removed it. */
  readonly changes: ReadonlyMap<string, string | undefined>
}

export interface ShellMemory {
  /** Where the call will run; it is refused if another call changes that before. @param cwd the session's folder */
  judge(toolCallId: string, cwd: string): WorkingContext
  /** Where the call runs, or the text of its refusal. */
  start(toolCallId: string, cwd: string): StartedShell | string
  /** Keeps what the call changed. Returns remarks for the model. */
  keep(before: PrintedState, after: PrintedState, cwd: string): readonly string[]
  /** Forgets the folder, which cannot be entered. */
  forgetFolder(): void
}

export function createShellMemory(): ShellMemory {
  let folder: string | undefined
  let shown: string | undefined
  let changes: ReadonlyMap<string, string | undefined> = new Map()
  const judged = new Map<string, string>()
  const current = (cwd: string): WorkingContext => ({
    cwd: folder ?? cwd,
    changed: [...changes.keys()].filter((name) => choosesPrograms(name)),
  })
  return {
    judge: (toolCallId, cwd) => {
      const context = current(cwd)
      const [oldest] = judged.keys()
      if (judged.size >= maxJudged && oldest !== undefined) judged.delete(oldest)
      judged.set(toolCallId, JSON.stringify(context))
      return context
    },
    start: (toolCallId, cwd) => {
      const was = judged.get(toolCallId)
      judged.delete(toolCallId)
      return was === undefined || was === JSON.stringify(current(cwd)) ? { folder: folder ?? cwd, changes } : movedText
    },
    keep: (before, after, cwd) => {
      folder = after.folder
      const remarks = folder === (shown ?? cwd) && shown !== undefined ? [] : [`[The shell is in ${folder}.]`]
      shown = folder
      const { stored, dropped } = joinChanges(changes, before.variables, after.variables)
      if (stored === undefined) return [...remarks, tooMuchText]
      changes = stored
      return dropped.length === 0 ? remarks : [...remarks, `[Not kept for the next call: ${dropped.join(', ')}.]`]
    },
    forgetFolder: () => {
      folder = undefined
      shown = undefined
    },
  }
}

const movedText =
  'This command was not run: an earlier command of the same answer changed the working folder or PATH and the like, so it would run elsewhere than where it was allowed. Send it again.'
const tooMuchText = '[The variables of this call are not kept: there are too many, or they are too long.]'

interface JoinedChanges {
  /** Undefined if they exceed the limits. */
  readonly stored: ReadonlyMap<string, string | undefined> | undefined
  /** Names of changed variables that are not kept. */
  readonly dropped: readonly string[]
}

function joinChanges(
  known: ReadonlyMap<string, string | undefined>,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): JoinedChanges {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  )
  const dropped = changed.filter((name) => unkept.test(name) && !/^(?:PWD|OLDPWD|SHLVL|_)$/.test(name))
  const stored = new Map(known)
  for (const name of changed) if (!unkept.test(name)) stored.set(name, after.get(name))
  const units = [...stored].reduce((sum, [name, value = '']) => sum + name.length + value.length, 0)
  return { stored: stored.size > maxVariables || units > maxUnits ? undefined : stored, dropped }
}
