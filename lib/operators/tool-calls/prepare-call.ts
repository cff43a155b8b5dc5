// Prepares one tool call: finds the tool, repairs and validates the arguments, runs hooks.
import { EMPTY, Observable, catchError, concatMap, defaultIfEmpty, defer, map, of, take, takeUntil } from 'rxjs'
import type { BeforeToolCallAnswer } from '../../streams/ports/hooks.ts'
import { useToolName } from '../../streams/messages/inner-call.ts'
import type { ToolCall } from '../../streams/messages/message.ts'
import { argumentsProblem, tooDeepProblem } from '../../streams/messages/parse-tool-arguments.ts'
import { repairArguments } from './repair-arguments.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { ToolLocks } from '../../streams/ports/locks.ts'
import type { AnyTool, ToolResult } from '../../streams/ports/tool.ts'
import type { ArgumentProblem } from '../../streams/schema/compiled-validator.ts'
import { runHook } from '../hooks/run-hook.ts'
import { findJsonProblem } from '../../streams/values/json.ts'
import type { ReadyCall } from '../ports/call-scheduler.ts'
import type { CallPorts } from '../ports/run-ports.ts'
import { describeThrown } from '../../streams/values/failure.ts'

/** A call that is not run, with its result. */
export interface RefusedCall {
  readonly call: ToolCall
  readonly refusal: ToolResult
}

/**
 * Emits the prepared call once and completes; never fails. Synchronous if no hook is asynchronous. A stop during a hook
 * refuses the call.
 */
export function prepareCall(call: ToolCall, ports: CallPorts, stop: StopSwitch): Observable<ReadyCall | RefusedCall> {
  return finishCall(call, ports, stop).pipe(
    concatMap((step) => ('refusal' in step ? of(step) : approveCall(step, ports, stop))),
  )
}

/** As `prepareCall`, up to the final arguments: the call is not approved yet. */
export function finishCall(call: ToolCall, ports: CallPorts, stop: StopSwitch): Observable<ReadyCall | RefusedCall> {
  return unlessStopped(call, stop, () => {
    const checked = checkCall(call, ports)
    return 'refusal' in checked ? of(checked) : runBeforeHook(checked, ports)
  })
}

/** The last step of `prepareCall`: the call with its final arguments, or its refusal. */
export function approveCall(ready: ReadyCall, ports: CallPorts, stop: StopSwitch): Observable<ReadyCall | RefusedCall> {
  return unlessStopped(ready.call, stop, () => checkApproval(ready, ports))
}

function unlessStopped(
  call: ToolCall,
  stop: StopSwitch,
  step$: () => Observable<ReadyCall | RefusedCall>,
): Observable<ReadyCall | RefusedCall> {
  return defer(() => (stop.reason === undefined ? step$() : EMPTY)).pipe(
    takeUntil(stop.stop$),
    defaultIfEmpty(undefined),
    map((step) => (stop.reason === undefined && step !== undefined ? step : refuseAborted(call))),
    catchError((error: unknown) => of(refuse(call, describeThrown(error)))),
  )
}

/** The refusal of a call that an abort prevented. */
export function refuseAborted(call: ToolCall): RefusedCall {
  return refuse(call, 'Aborted')
}

/** The refusal with this text as the call's error result. */
export function refuse(call: ToolCall, text: string): RefusedCall {
  return { call, refusal: errorResult(text) }
}

function checkCall(call: ToolCall, ports: CallPorts): ReadyCall | RefusedCall {
  const tools = ports.activeTools()
  const visible = ports.visibleTools?.() ?? tools
  const isNamed = ({ name }: AnyTool): boolean => name === call.name
  const tool = tools.find(isNamed) ?? visible.find(isNamed)
  if (tool === undefined) {
    const active = `Active tools: ${visible.map(({ name }) => name).join(', ') || 'none'}.`
    if (ports.hasUseTool?.() === true && call.name === useToolName) return refuse(call, `${useToolHelp} ${active}`)
    return refuse(call, `There is no active tool "${call.name}". ${active}`)
  }
  if (call.argumentsText !== undefined) return refuse(call, describeNotJson(call, call.argumentsText))
  const copy = structuredClone(call.arguments)
  const args = repairArguments(tool.parameters, tool.prepareArguments?.(copy) ?? copy)
  const problems = ports.validatorOf(tool)(args)
  if (problems.length > 0) return refuse(call, describeInvalid(call, problems))
  return { call, tool, args, argsChanged: false, locks: locksOf(tool, args, ports) }
}

/** For a call that names no tool, or itself. */
const useToolHelp = 'use_tool takes {"name": "…", "arguments": {…}}: the name of another tool, and its arguments.'

function runBeforeHook(ready: ReadyCall, ports: CallPorts): Observable<ReadyCall | RefusedCall> {
  const { hooks, questionOpen$ } = ports
  const { beforeToolCall, limitMs } = hooks
  if (beforeToolCall === undefined) return of(ready)
  return runHook('beforeToolCall', () => beforeToolCall(ready), { limitMs, questionOpen$ }).pipe(
    map((answer) => applyHookAnswer(ready, answer, ports)),
  )
}

function checkApproval(ready: ReadyCall, { refusalOf }: CallPorts): Observable<ReadyCall | RefusedCall> {
  if (refusalOf === undefined) return of(ready)
  const { call, tool, args, hook } = ready
  return refusalOf({ call, tool, args, ...(hook === undefined ? {} : { hook }) }).pipe(
    take(1),
    map((reason) => (reason === undefined ? ready : refuse(call, reason))),
  )
}

function applyHookAnswer(
  ready: ReadyCall,
  answer: BeforeToolCallAnswer | undefined,
  ports: CallPorts,
): ReadyCall | RefusedCall {
  const { block } = answer ?? {}
  if (block !== undefined)
    return ports.hasPolicy === true
      ? { ...ready, hook: { decision: 'deny', reason: block.reason } }
      : refuse(ready.call, block.reason)
  const step = applyHookArguments(ready, answer?.args, ports)
  return answer?.ask === undefined || 'refusal' in step ? step : { ...step, hook: { decision: 'ask', ...answer.ask } }
}

/** With a policy the hook keeps no reference to the arguments that are decided about: a later change has no effect. */
function applyHookArguments(
  ready: ReadyCall,
  changed: BeforeToolCallAnswer['args'],
  ports: CallPorts,
): ReadyCall | RefusedCall {
  const own = <Args extends object>(args: Args): Args => (ports.hasPolicy === true ? structuredClone(args) : args)
  if (changed === undefined) return { ...ready, args: own(ready.args) }
  const problems = ports.validatorOf(ready.tool)(changed)
  if (problems.length > 0)
    return refuse(ready.call, `A hook changed the arguments. ${describeInvalid(ready.call, problems)}`)
  const problem = findJsonProblem(changed)
  if (problem !== undefined)
    return refuse(ready.call, `A hook changed the arguments of ${ready.call.name}: ${problem}.`)
  const args = own(changed)
  return { ...ready, args, argsChanged: true, locks: locksOf(ready.tool, args, ports) }
}

/** The tool's own schema has validated the arguments; `never` stands for them in AnyTool. */
function locksOf(tool: AnyTool, args: ReadyCall['args'], ports: CallPorts): ToolLocks {
  return tool.locks?.(args as never, { cwd: ports.tools.cwd }) ?? {}
}

function describeNotJson(call: ToolCall, text: string): string {
  const problem = argumentsProblem(text)
  if (problem === tooDeepProblem)
    return `The arguments of ${call.name} were not used: ${problem}. Send flatter ones.\nReceived: ${excerpt(text)}`
  const reason = typeof problem === 'string' ? problem : 'it is not a JSON object'
  return `The arguments of ${call.name} are not a JSON object: ${reason}\nReceived: ${excerpt(text)}`
}

/** Bounds the refusal: a long list of invalid items must not fill the context. */
const maxProblems = 50

function describeInvalid(call: ToolCall, problems: readonly ArgumentProblem[]): string {
  const listed = problems.slice(0, maxProblems).map(({ path, reason }) => `- ${path || 'arguments'}: ${reason}`)
  const more = problems.length > maxProblems ? [`- and ${problems.length - maxProblems} more`] : []
  const list = [...listed, ...more].join('\n')
  return `The arguments of ${call.name} are not valid:\n${list}\nReceived: ${excerpt(JSON.stringify(call.arguments))}`
}

function excerpt(text: string): string {
  return text.length <= 2_000 ? text : `${text.slice(0, 2_000)}… (${text.length} characters)`
}
