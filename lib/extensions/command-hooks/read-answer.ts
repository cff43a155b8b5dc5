// Reads the answer of a hook command from its exit code and output.
import { isRecord } from '../../streams/values/json.ts'
import type { HookOutput } from './run-hook-command.ts'

/** The answer of one command. */
export interface CommandAnswer {
  /** Why it objects: the call, the input or the end of the run is stopped. */
  readonly block?: string
  /** Why a person has to decide. */
  readonly ask?: string
  /** The changed arguments of a call, in the script's names. */
  readonly updatedInput?: Readonly<Record<string, unknown>>
  /** For the model. */
  readonly context?: string
  /** For people. */
  readonly notice?: string
  /** The run is to end. */
  readonly stop?: boolean
}

/**
 * Exit code 2 objects, with the text of standard error as reason. At 0 a JSON object on standard output counts, or else
 * its text. Any other code is a fault of the command, which changes nothing.
 * @param isGate true if the event decides about a call: a command that cannot answer then objects
 */
export function readAnswer(output: HookOutput, command: string, isGate: boolean): CommandAnswer {
  const { exitCode, timedOut, stdout, stderr } = output
  if (exitCode === 2) return { block: stderr.trim() || `the hook ${command} objects` }
  if (exitCode === 0) return fromText(stdout)
  const fault = `The hook ${command} ${timedOut ? 'took longer than its time limit' : endText(exitCode)}${suffixOf(stderr)}`
  const cannotAnswer = timedOut || exitCode === null || exitCode === 126 || exitCode === 127
  return isGate && cannotAnswer ? { block: fault, notice: fault } : { notice: fault }
}

function endText(exitCode: number | null): string {
  return exitCode === null ? 'was ended by a signal' : `ended with code ${exitCode}`
}

function suffixOf(stderr: string): string {
  const text = stderr.trim()
  return text === '' ? '' : `: ${text}`
}

function fromText(stdout: string): CommandAnswer {
  const text = stdout.trim()
  if (!text.startsWith('{')) return text === '' ? {} : { context: text }
  try {
    const answer: unknown = JSON.parse(text)
    return isRecord(answer) ? fromJson(answer) : { context: text }
  } catch {
    return { context: text }
  }
}

function fromJson(answer: Readonly<Record<string, unknown>>): CommandAnswer {
  const own = isRecord(answer['hookSpecificOutput']) ? answer['hookSpecificOutput'] : {}
  const decision = own['permissionDecision'] ?? answer['decision']
  const reason = text(own['permissionDecisionReason']) ?? text(answer['reason'])
  const isStopped = answer['continue'] === false
  const stopReason = text(answer['stopReason']) ?? reason ?? 'a hook ends the run'
  const context = text(own['additionalContext'])
  const notice = text(answer['systemMessage'])
  const updatedInput = own['updatedInput']
  return {
    ...(decision === 'deny' || decision === 'block' ? { block: reason ?? 'a hook objects' } : {}),
    ...(isStopped ? { block: stopReason, stop: true } : {}),
    ...(decision === 'ask' ? { ask: reason ?? 'a hook asks' } : {}),
    ...(isRecord(updatedInput) ? { updatedInput } : {}),
    ...(context === undefined ? {} : { context }),
    ...(notice === undefined ? {} : { notice }),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
