// Applies what a program sets for the sessions of its server.
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { checkUsage } from '../../session/create/initial-model.ts'
import type { SessionOptions } from '../../session/contract/session-parts.ts'
import { modelName } from '../../streams/models/model.ts'
import type { NewHeader } from '../../streams/ports/session-log.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ConfiguredModel } from '../models/configured-model.ts'
import { serverOptions } from '../contract/program-sessions.ts'
import type { OpeningCommand, ProgramSessionOptions, SessionOptionsOf } from '../contract/program-sessions.ts'

/** @throws Failure `bad_request` if the program sets what the server decides */
export function programOptions(
  optionsOf: SessionOptionsOf | undefined,
  command: OpeningCommand,
): ProgramSessionOptions {
  const options = optionsOf?.(command) ?? {}
  const refused = serverOptions.find((name) => name in options)
  if (refused === undefined) return options
  const message = `The server decides ${refused} of its sessions; leave it out, or make the sessions yourself with createServer({ sessions })`
  throw new Failure('bad_request', message)
}

/** The command with the names and texts of the program in place of the client's. */
export function setupFor<Setup extends OpeningCommand>(command: Setup, own: ProgramSessionOptions): Setup {
  const { model, tools, thinkingLevel, system, appendSystem, instructions, mcpServers } = own
  return {
    ...command,
    ...(typeof model === 'string' ? { model } : {}),
    ...(tools === undefined ? {} : { tools: tools.map((tool) => (typeof tool === 'string' ? tool : tool.name)) }),
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(system === undefined ? {} : { system }),
    ...(appendSystem === undefined ? {} : { appendSystem }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(mcpServers === undefined ? {} : { mcpServers: { ...mcpServers } }),
  }
}

/** What a session is opened with. */
export interface OpenedWith {
  /** The program's options. */
  readonly own: ProgramSessionOptions
  readonly model: ConfiguredModel
}

/**
 * The client's choices for line 1 of a new log: the model that was found for its name or role, the level, and the tools.
 * Without those of the program, which sets them whenever the session opens. Undefined if nothing is left.
 */
export function clientChoices(command: OpeningCommand, { own, model: found }: OpenedWith): NewHeader['chosen'] {
  const isNamed = command.model !== undefined && own.model === undefined
  const level = command.thinkingLevel ?? (isNamed ? found.thinkingLevel : undefined)
  const chosen = {
    ...(isNamed ? { model: modelName(found.model) } : {}),
    ...(level === undefined || own.thinkingLevel !== undefined ? {} : { thinkingLevel: level }),
    ...(command.tools === undefined || own.tools !== undefined ? {} : { tools: command.tools }),
  }
  return Object.keys(chosen).length === 0 ? undefined : chosen
}

/** The model of the program, or that of `find`. */
export function modelFor(
  { model }: ProgramSessionOptions,
  find: () => Observable<ConfiguredModel>,
): Observable<ConfiguredModel> {
  return typeof model === 'object' ? of({ ...checkUsage(model), notices: [], source: 'command' }) : defer(find)
}

/** The tools of the program, and the built-in ones of other names after them. */
export function toolsFor(
  { tools = [], customTools = [] }: ProgramSessionOptions,
  builtIn: readonly AnyTool[],
): AnyTool[] {
  return [...tools.filter((tool) => typeof tool === 'object'), ...customTools, ...builtIn]
}

/** An `approve` of the program decides alone: neither the user's rules nor a mode of the client do. */
export function sessionOptionsFor(
  usual: SessionOptions,
  { snapshots, scenarios: named, ...own }: ProgramSessionOptions,
): SessionOptions {
  const { snapshots: stored, ...rest } = usual
  const { policy, approvalMode, scenarios: _, ...unguarded } = rest
  const chosen = snapshots === undefined || snapshots === true ? stored : snapshots
  const guarded: SessionOptions = own.approve === undefined || own.policy !== undefined ? rest : unguarded
  const { scenarios: found, ...others } = guarded
  const scenarios = typeof named === 'object' ? named : named === false ? undefined : found
  return {
    ...others,
    ...own,
    ...(scenarios && { scenarios }),
    queueModes: { ...usual.queueModes, ...own.queueModes },
    ...(chosen === undefined || chosen === false ? {} : { snapshots: chosen }),
  }
}
