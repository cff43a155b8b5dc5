// Runs a command in the folder and with the variables of the one before, and stores its own.
import { randomUUID } from 'node:crypto'
import type { ConfinedEnd } from '../../../streams/ports/sandbox.ts'
import { errorResult } from '../../../streams/ports/tool.ts'
import type { ToolResult } from '../../../streams/ports/tool.ts'
import { choosesPrograms } from '../../../streams/values/program-variables.ts'
import type { ShellContext } from '../../../streams/ports/user-shell.ts'
import type { ShellMemory } from './shell-memory.ts'
import type { PersistentShell, PrintedState } from './shell-script.ts'

export interface ContinuedShell extends PersistentShell {
  /** The result of a command that did not run, because its folder is gone; undefined if it ran. */
  refusal(): ToolResult | undefined
  /** Keeps the state at the end. Returns lines for the model. */
  remarks(end: ConfinedEnd): readonly string[]
}

export interface ContinueOptions {
  readonly toolCallId: string
  /** The session's folder. */
  readonly cwd: string
  /** True for a call that leaves the sandbox: it gets no variables that decide which programs run. */
  readonly isOutside: boolean
}

/** The shell of one command, or the text that refuses it. */
export function continueShell(
  memory: ShellMemory,
  { toolCallId, cwd, isOutside }: ContinueOptions,
): ContinuedShell | string {
  const shellContext = shellContextOf(memory, { toolCallId, cwd, isOutside })
  if (typeof shellContext === 'string') return shellContext
  const { folder, changes } = shellContext
  const states: (PrintedState | undefined)[] = []
  return {
    folder,
    changes,
    nonce: randomUUID(),
    onState: (state) => void states.push(state),
    refusal: () => {
      if (states.length === 0 || states[0] !== undefined) return undefined
      memory.forgetFolder()
      return errorResult(`The folder ${folder} is gone; the command was not run. The next one begins in ${cwd}.`)
    },
    remarks: ({ cutShort, signal }) => {
      const [before, after] = states
      if (before === undefined) return ['[Nothing is kept for the next command: there is no bash here.]']
      return after === undefined || cutShort || signal !== null ? [unkeptText] : memory.keep(before, after, cwd)
    },
  }
}

/** Where a call begins, or the text that refuses it. */
export function shellContextOf(
  memory: ShellMemory,
  { toolCallId, cwd, isOutside }: ContinueOptions,
): ShellContext | string {
  const started = memory.start(toolCallId, cwd)
  if (typeof started === 'string' || !isOutside) return started
  const changes = new Map([...started.changes].filter(([name]) => !choosesPrograms(name)))
  return { folder: started.folder, changes }
}

const unkeptText = '[The folder and variables of this command are not kept: it did not end by itself.]'
