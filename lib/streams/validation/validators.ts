// Exports the compiled checks for foreign data.
// A check returns one readable reason and never throws.
import type { Checked, CompiledValidator } from '../schema/compiled-validator.ts'
import { createCheck as checkerOf } from '../schema/compiled-validator.ts'
import type { CommandType, RequestEnvelope } from '../commands/command.ts'
import type { AssistantDelta } from '../messages/delta.ts'
import * as compiled from '../generated/validators.js'
import type { CheckpointLine, SessionHeader } from '../log/log-line.ts'
import type { AgentEvent } from '../events/event.ts'
import type { Model } from '../models/model.ts'
import type { RunLimits, Settings } from '../config/settings.ts'
import type { SessionsIndex } from '../state/session-summary.ts'

const validators: Readonly<Record<string, CompiledValidator | undefined>> = compiled

function checker<Value>(name: string): (value: unknown) => Checked<Value> {
  const validator = validators[name]
  if (validator === undefined) throw new Error(`No schema is called ${name}`)
  return checkerOf<Value>(validator)
}

export const checkHeader = checker<SessionHeader>('SessionHeader')
export const checkLogLine = checker<{
  seq: number
  at: number
  runId?: string
  opId?: string
  event: { type: string }
}>('LogLine')
export const checkCheckpoint = checker<CheckpointLine>('CheckpointLine')
export const checkAssistantDelta = checker<AssistantDelta>('AssistantDelta')
export const checkSettings = checker<Settings>('Settings')
export const checkModel = checker<Model>('Model')
export const checkRunLimits = checker<RunLimits>('RunLimits')
export const checkSessionsIndex = checker<SessionsIndex>('SessionsIndex')
export const checkRequest = checker<RequestEnvelope>('RequestEnvelope')

const eventChecks = new Map<string, (value: unknown) => Checked<AgentEvent>>()
const commandChecks = new Map<string, (value: unknown) => Checked<object>>()
for (const name of Object.keys(validators)) {
  if (name.startsWith('event_')) eventChecks.set(name.slice(6), checker(name))
  if (name.startsWith('command_')) commandChecks.set(name.slice(8), checker(name))
}

/** Checks an event by its `type`; an unknown type is invalid. */
export function checkEvent(value: { readonly type: string }): Checked<AgentEvent> {
  return eventChecks.get(value.type)?.(value) ?? { ok: false, problem: `unknown event type "${value.type}"` }
}

/** The commands that this program knows. */
export function commandNames(): readonly string[] {
  return [...commandChecks.keys()]
}

/** True if this program knows the command. */
export function knowsCommand(type: string): type is CommandType {
  return commandChecks.has(type)
}

/** Checks a command's fields by its `type`, which must be known. */
export function checkCommand<Fields extends object>(value: { readonly type: string }): Checked<Fields> {
  const checked = commandChecks.get(value.type)?.(value)
  if (checked === undefined) return { ok: false, problem: `unknown command "${value.type}"` }
  return checked as Checked<Fields> // the caller looked the command up by the same type
}
