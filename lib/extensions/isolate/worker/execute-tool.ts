// Runs a tool of an isolated extension in its worker, in a context of plain data.
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Answer, Question } from '../../../streams/ports/ask.ts'
import { errorResult } from '../../../streams/ports/tool.ts'
import type {
  AnyTool,
  PlanAnswer,
  ToolContext,
  ToolOutput,
  ToolProgress,
  ToolResult,
} from '../../../streams/ports/tool.ts'
import { Failure } from '../../../streams/values/failure.ts'
import { isRecord } from '../../../streams/values/json.ts'
import { outputOf } from '../../../streams/tool-definition/tool-output.ts'
import type { CallLink } from '../link/call-link.ts'
import { withoutMethods } from '../link/plain-data.ts'
import type { PlainToolContext, SessionCalls } from '../link/requests.ts'
import type { ServedCall } from '../link/served-calls.ts'
import { boundProgress } from './bound-progress.ts'
import type { AskNow } from './sync-requests.ts'

/** Functions that the session calls at once, in its own thread. */
const methods = ['locks', 'prepareArguments', 'workingContext', 'previewDiff', 'parametersFor'] as const

/** The fields of a tool. @throws Failure `bad_request` for a tool with functions that the session calls, or with `sandboxed` */
export function plainTool(tool: AnyTool): Record<string, unknown> {
  const found =
    methods.find((method) => tool[method] !== undefined) ?? (tool.sandboxed === true ? 'sandboxed' : undefined)
  if (found === undefined) return withoutMethods(tool)
  throw new Failure('bad_request', `The tool ${tool.name} has \`${found}\`, which an isolated extension cannot have`)
}

export interface ToolSurroundings {
  readonly link: CallLink
  readonly askNow: AskNow
}

export function runTool(
  tool: AnyTool,
  { args, context }: SessionCalls['tool'],
  call: ServedCall,
  surroundings: ToolSurroundings,
): Observable<ToolProgress | ToolResult> {
  return defer(() => {
    const [problem] = tool.validate?.(args) ?? []
    if (problem !== undefined) {
      return of(
        errorResult(`The arguments of ${tool.name} are not valid: ${problem.path || 'arguments'}: ${problem.reason}`),
      )
    }
    const own = toolContext(context, call, surroundings)
    return outputOf(followed(tool.execute(args as never, own), call), own) // the session has validated the arguments
  }).pipe(boundProgress(call))
}

/** The call has not ended before a promise or a generator has. */
function followed(output: ToolOutput, call: ServedCall): ToolOutput {
  if (!isRecord(output)) return output
  if (Symbol.asyncIterator in output) return followGenerator(output as AsyncIterable<ToolProgress | ToolResult>, call)
  if ('then' in output) call.holdUntil(Promise.resolve(output))
  return output
}

function followGenerator(
  output: AsyncIterable<ToolProgress | ToolResult>,
  call: ServedCall,
): AsyncIterable<ToolProgress | ToolResult> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  call.holdUntil(promise)
  return (async function* follow() {
    try {
      return (yield* output) as undefined // what a generator returns is its result
    } finally {
      resolve(undefined)
    }
  })()
}

function toolContext(
  { call, hasPlan, hasProposePlan, ...context }: PlainToolContext,
  { signal }: ServedCall,
  { link, askNow }: ToolSurroundings,
): ToolContext {
  return {
    ...context,
    signal,
    ask: (question: Question) => link.call$('askInCall', { call, question }) as Observable<Answer>,
    ...(hasPlan && { plan: (items) => void askNow('plan', { call, items }) }),
    ...(hasProposePlan && {
      proposePlan: (plan) => link.call$('proposePlan', { call, plan }) as Observable<PlanAnswer>,
    }),
  }
}
