// Runs one tool call without a session, through the pipeline of a model's call.
import { concatMap, defer, filter, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { executeCall } from '../../operators/tool-calls/execute-call.ts'
import { prepareCall } from '../../operators/tool-calls/prepare-call.ts'
import type { CallPorts, FinalCall } from '../../operators/ports/run-ports.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { createStopSwitch } from '../../streams/rx/stop-switch.ts'
import type { Secrets } from '../../streams/ports/secrets.ts'
import type { ApprovalMode, Policy, PolicyRequest, PolicyVerdict } from '../../streams/ports/policy.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { Locks } from '../../streams/ports/locks.ts'
import type { AnyTool, ToolProgress, ToolResult } from '../../streams/ports/tool.ts'
import { activeTools } from '../../session/tools/active-tools.ts'
import { refusalText, unattendedReason } from '../../session/questions/approval-question.ts'
import { defaultGraceMs, validatorOf, whenSandboxReady } from '../../session/runs/create-run-ports.ts'

export interface RunToolOptions {
  readonly policy: Policy
  /** A call that asks is refused: no person can answer. */
  readonly mode: ApprovalMode
  /** The environment of the tool. */
  readonly env: Readonly<Record<string, string>>
  readonly locks?: Locks
  /** Hides secrets in the output. Default: nothing is hidden. */
  readonly secrets?: Secrets
  /** Confines the call. Default: none. */
  readonly sandbox?: SessionSandbox
}

/** Emits progress, then one result. Unsubscribing ends the call. @throws Failure `bad_request` for an unknown tool */
export function runTool(
  { name, args, cwd }: Omit<CommandNamed<'run_tool'>, 'type' | 'env'>,
  registry: readonly AnyTool[],
  { env, locks, secrets, policy, mode, sandbox }: RunToolOptions,
): Observable<ToolProgress | ToolResult> {
  return defer(() => {
    const tools = activeTools(registry, [name])
    const ids = randomIds()
    const ports: CallPorts = {
      activeTools: () => tools,
      tools: {
        cwd,
        env,
        sessionId: ids.session(),
        ...(locks === undefined ? {} : { locks }),
        ...(sandbox === undefined ? {} : { sandbox }),
      },
      validatorOf,
      hooks: {},
      refusalOf: whenSandboxReady(sandbox, {
        cwd,
        decidesOutside: true,
        refusalOf: (call) => {
          const request = requestOf(call, { cwd, mode, sandbox })
          return policy.decide(request).pipe(map((verdict) => refusalOf(verdict, request)))
        },
      }),
      graceMs: defaultGraceMs,
      ...(secrets === undefined ? {} : { secrets }),
    }
    const stop = createStopSwitch()
    return prepareCall({ type: 'toolCall', id: ids.short(), name, arguments: args }, ports, stop).pipe(
      concatMap((step) =>
        'refusal' in step ? of(step.refusal) : executeCall(step, ports, stop).pipe(map(outputOf), filter(isOutput)),
      ),
    )
  })
}

function requestOf(
  { tool, args }: FinalCall,
  { cwd, mode, sandbox }: Pick<PolicyRequest, 'cwd' | 'mode'> & { readonly sandbox: SessionSandbox | undefined },
): PolicyRequest {
  const isSandboxed = sandbox?.confines(tool, args) === true
  const escalates = !isSandboxed && args['escalate'] !== undefined && sandbox?.confines(tool, {}) === true
  return {
    tool,
    args,
    cwd,
    mode,
    isSandboxed,
    ...(isSandboxed ? { inside: sandbox.insideFolders } : {}),
    ...(escalates ? { escalates } : {}),
  }
}

/** No person can answer: the text names what allows the call. */
function refusalOf(
  { decision, reason, by }: PolicyVerdict,
  { tool, mode, escalates = false }: PolicyRequest,
): string | undefined {
  if (decision === 'allow') return undefined
  if (decision === 'deny') return refusalText(tool.name, { by, reason })
  const outside = 'Pass sandbox "off" (--sandbox off) to run it without a sandbox.'
  const unasked = 'Pass approve "auto" (--approve auto) to allow such calls.'
  const way = escalates ? outside : mode === 'auto' ? 'No mode allows it unasked.' : unasked
  return `${tool.name} was not run. ${unattendedReason({ reason })} ${way}`
}

function outputOf(event: AgentEvent): ToolProgress | ToolResult | undefined {
  if (event.type === 'tool_execution_update') {
    const { updateType, content, offset } = event
    return { type: 'progress', updateType, content, offset }
  }
  if (event.type !== 'tool_execution_end') return undefined
  const { content, details, isError } = event
  return { type: 'result', content, isError, ...(details === undefined ? {} : { details }) }
}

function isOutput(output: ToolProgress | ToolResult | undefined): output is ToolProgress | ToolResult {
  return output !== undefined
}
