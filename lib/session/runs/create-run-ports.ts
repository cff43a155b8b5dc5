// Builds the ports of one run from the session's parts and the run's limits.
import { EMPTY, concat, defer, catchError, map, of, switchMap, take, tap } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { LoadBlobs, RequestSettings, RunPorts, CallPorts } from '../../operators/ports/run-ports.ts'
import type { StopRule, ToolCallHookInput } from '../../streams/ports/hooks.ts'
import { maxTurns, sameCallRepeated, spent } from '../../operators/run/stop-when.ts'
import { outputInstruction } from '../../streams/messages/output-schema.ts'
import type { OutputSchema } from '../../streams/messages/output-schema.ts'
import type { RunLimits } from '../../streams/config/settings.ts'
import type { SessionOptions } from '../contract/session-parts.ts'
import { defaultIdleMs, defaultLocalFirstMs } from '../contract/idle-defaults.ts'
import { validateQuestion } from '../questions/check-request.ts'
import { approveCall } from '../questions/approve-call.ts'
import { extensionStopRules } from '../extensions/extension-stop-rules.ts'
import { phaseStopRule } from '../scenarios/phase-transitions.ts'
import { snapshotBefore } from './run-snapshots.ts'
import type { RunSnapshots } from './run-snapshots.ts'
import type { SessionCore } from './session-core.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import { capabilityOf } from '../../streams/ports/tool.ts'

/** 48 hours. */
export const defaultWallClockMs = 172_800_000
/** Milliseconds that a tool with a signal has after an abort. */
export const defaultGraceMs = 5_000

/** The parts of one run alone. */
export interface RunParts {
  /** Snapshots of its files. Default: none. */
  readonly runSnapshots?: RunSnapshots | undefined
  /** Records an event within the run. Default: the run has no plan. */
  readonly publishEvent?: ((event: AgentEvent) => void) | undefined
  /** Loads externalised content. Default: the log has none. */
  readonly loadBlobs?: LoadBlobs | undefined
  /** The schema of the last answer. Default: text. */
  readonly outputSchema?: OutputSchema | undefined
}

export function createRunPorts(
  core: SessionCore,
  own: RunLimits | undefined,
  { runSnapshots: snapshots, loadBlobs, outputSchema, publishEvent }: RunParts = {},
): RunPorts {
  const { parts, ids, conversation, queues, settings, requests, jobs, decide } = core
  const { options } = parts
  const limits: RunLimits = { ...options.limits, ...own }
  return {
    ids,
    conversation,
    queues,
    settings: outputSchema === undefined ? settings.current : () => withOutputSchema(settings.current(), outputSchema),
    onRequest: settings.freeze,
    ...toolPorts(settings),
    tools: {
      ...parts.tools,
      sessionId: parts.log.header.id,
      ...clientPorts(core),
      ...(jobs === undefined ? {} : { jobs }),
    },
    ...(parts.secrets === undefined ? {} : { secrets: parts.secrets }),
    validatorOf: options.validatorOf ?? validatorOf,
    hooks: options.hooks ?? {},
    refusalOf: refusalOf(core, snapshots),
    hasPolicy: decide !== undefined,
    ask: (question, { id, name }) =>
      defer(() => requests.ask({ ...validateQuestion(question), source: `tool:${name}`, toolCallId: id })),
    ...(publishEvent && { plan: (items) => publishEvent({ type: 'plan_update', items }) }),
    proposePlan: (plan, { id }) => core.transitions.propose(plan, id),
    questionOpen$: requests.hasOpen$,
    betweenTurns: core.betweenTurns,
    chooseModel: core.runModel.due,
    lastly: () => concat(defer(core.runModel.end), snapshots?.after() ?? EMPTY),
    ...(loadBlobs === undefined ? {} : { loadBlobs }),
    ...ownPorts(options),
    ...compactionPorts(core),
    stopWhen: stopRules(core, limits),
    wallClockMs: limits.wallClockMs ?? defaultWallClockMs,
    idle: {
      first: limits.idleMs ?? defaultIdleMs,
      firstLocal: limits.idleMs ?? defaultLocalFirstMs,
      each: limits.idleMs ?? defaultIdleMs,
    },
    retry: options.retry ?? {},
    steering: options.steering ?? 'wait',
    toolExecution: options.toolExecution ?? 'parallel',
    graceMs: defaultGraceMs,
  }
}

function clientPorts({
  fileOffers,
  terminalOffers,
}: Pick<SessionCore, 'fileOffers' | 'terminalOffers'>): Pick<RunPorts['tools'], 'clientFiles' | 'clientTerminals'> {
  return {
    clientFiles: () => fileOffers.current()?.files,
    clientTerminals: () => terminalOffers.current()?.terminals,
  }
}

function toolPorts({
  active,
  visible,
  hasUseTool,
}: SessionCore['settings']): Pick<RunPorts, 'activeTools' | 'visibleTools' | 'hasUseTool'> {
  return { activeTools: active, visibleTools: visible, hasUseTool }
}

function ownPorts({
  transformContext,
  convertToLlm,
  scheduleCalls,
}: SessionOptions): Pick<RunPorts, 'transformContext' | 'convertToLlm' | 'scheduleCalls'> {
  return {
    ...(transformContext && { transformContext }),
    ...(convertToLlm && { convertToLlm }),
    ...(scheduleCalls && { scheduleCalls }),
  }
}

/** With a `makeRoom` of the caller, the session compacts before requests only if `compaction.enabled` is set. */
function compactionPorts({ parts: { options }, compaction }: SessionCore): Pick<RunPorts, 'compactFirst' | 'makeRoom'> {
  const { makeRoom } = options
  const isOn = options.compaction?.enabled ?? makeRoom === undefined
  return { ...(isOn ? compaction.forRun() : {}), ...(makeRoom === undefined ? {} : { makeRoom }) }
}

function refusalOf(
  { parts, requests, decide }: SessionCore,
  snapshots: RunSnapshots | undefined,
): RunPorts['refusalOf'] {
  const { sandbox, approve } = parts.options
  return whenSandboxReady(sandbox, {
    cwd: parts.tools.cwd,
    refusalOf: snapshotBefore(decide ?? approveCall(approve, requests), snapshots),
    decidesOutside: decide !== undefined || approve !== 'auto',
  })
}

function withOutputSchema(settings: RequestSettings, outputSchema: OutputSchema): RequestSettings {
  const instruction = outputInstruction(outputSchema)
  const system = settings.system === '' ? instruction : `${settings.system}\n\n${instruction}`
  return { ...settings, system, outputSchema }
}

function stopRules({ parts: { options, extensions }, scenario }: SessionCore, limits: RunLimits): StopRule[] {
  const phaseRules = options.scenarios === undefined ? [] : [phaseStopRule(() => scenario.current()?.phase)]
  const ofExtensions = extensions === undefined ? [] : extensionStopRules(extensions)
  return [...(options.stopWhen ?? []), ...ofExtensions, ...budgetRules(limits), ...phaseRules]
}

/** 0 means no limit. */
function budgetRules({ turns = 0, tokens = 0, usd = 0, sameCalls = 0 }: RunLimits): StopRule[] {
  return [
    ...(sameCalls > 0 ? [sameCallRepeated(sameCalls)] : []),
    ...(turns > 0 ? [maxTurns(turns)] : []),
    ...(tokens > 0 ? [spent({ tokens })] : []),
    ...(usd > 0 ? [spent({ usd, unpriced: 'warn' })] : []),
  ]
}

/** @throws Failure `internal` for a tool without `validate`: registration adds a validator to foreign tools */
export function validatorOf({ name, validate }: AnyTool): ArgumentsValidator {
  if (validate === undefined) throw new Failure('internal', `The tool ${name} has no compiled validator`)
  return validate
}

type RefusalOf = CallPorts['refusalOf']

export interface SandboxGate {
  /** The session's folder. */
  readonly cwd: string
  readonly refusalOf: RefusalOf
  /** True if a person or a rule decides about changes outside, so that an allowed call may make them. */
  readonly decidesOutside: boolean
}

/** A sandbox that is demanded and cannot be had refuses the call. Nothing is buffered; unsubscribing ends the wait. */
export function whenSandboxReady(sandbox: SessionSandbox | undefined, gate: SandboxGate): RefusalOf {
  const { refusalOf } = gate
  if (sandbox === undefined) return refusalOf
  return (input) =>
    sandbox.ready$.pipe(
      take(1),
      map(() => undefined),
      catchError((thrown: unknown) => of(Failure.from(thrown).message)),
      switchMap((problem) => {
        if (problem !== undefined) return of(`${input.tool.name} was not run: ${problem}`)
        const outside = outsideTarget(sandbox, input, gate)
        return (refusalOf?.(input) ?? of(undefined)).pipe(
          tap((refusal) => {
            if (refusal === undefined && outside !== undefined) sandbox.permit(input.call.id, outside)
          }),
        )
      }),
    )
}

/** The real path of a file that the call changes behind the fence, found before the question about it. */
function outsideTarget(
  sandbox: SessionSandbox,
  { call, tool, args: { path } }: ToolCallHookInput,
  { cwd, decidesOutside }: SandboxGate,
): string | undefined {
  sandbox.forbid(call.id) // of an earlier call with the same id
  if (!decidesOutside || capabilityOf(tool.capability) !== 'write' || typeof path !== 'string') return undefined
  return sandbox.outsideTarget(path, cwd)
}
