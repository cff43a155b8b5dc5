// Makes the MCP server of one client: four tools, in both revisions of the protocol.
import { CLIENT_CAPABILITIES_META_KEY, McpServer, fromJsonSchema, inputRequired } from '@modelcontextprotocol/server'
import type { ServerContext, jsonSchemaValidator } from '@modelcontextprotocol/server'
import { catchError, firstValueFrom, of, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromSignal } from '../../lib/streams/rx/from-signal.ts'
import { isRecord } from '../../lib/streams/values/json.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { questionForm } from './approval-form.ts'
import type { CallContext, CallOutcome, ServedTools } from './call-tools.ts'
import { failureAnswer } from './tool-results.ts'
import { toolDefinitions } from './tool-schemas.ts'
import type { ContinueArguments, ReadArguments, RunArguments, StatusArguments } from './tool-schemas.ts'

/** Questions of one call, one after the other. */
const mostRounds = 1_000

export function createMcpServer(tools: ServedTools, version: string): McpServer {
  const server = new McpServer(
    { name: 'rxpi', title: 'rxpi, a coding agent', version },
    {
      inputRequired: { maxRounds: mostRounds },
      instructions: 'run starts work in a folder; continue goes on in its session; read_session shows what happened.',
    },
  )
  const contextOf = callContext(server)
  register<RunArguments>(server, 'run', (args, context) => tools.run(args, contextOf(context)))
  register<ContinueArguments>(server, 'continue', (args, context) => tools.continue(args, contextOf(context)))
  register<StatusArguments>(server, 'status', (args) => tools.status(args))
  register<ReadArguments>(server, 'read_session', (args) => tools.readSession(args))
  return server
}

type Call<Args> = (args: Args, context: ServerContext) => Observable<CallOutcome>

function register<Args>(server: McpServer, name: keyof typeof toolDefinitions, call: Call<Args>): void {
  const { schema, ...definition } = toolDefinitions[name]
  const check = fromJsonSchema<Args>(schema)['~standard']
  const inputSchema = fromJsonSchema<Args>(schema, unchecked)
  server.registerTool(name, { ...definition, inputSchema }, async (args, context) => {
    const { issues } = await check.validate(args)
    if (issues !== undefined) return argumentsAnswer(name, issues)
    const outcome = await firstValueFrom(
      call(args, context).pipe(
        takeUntil(fromSignal(context.mcpReq.signal)),
        catchError((thrown: unknown) => of(failed(thrown))),
      ),
      { defaultValue: failed(new Failure('cancelled', 'The call was cancelled')) },
    )
    return outcome.type === 'questions' ? askClient(outcome) : outcome.answer
  })
}

/** Arguments are checked with the call: the SDK's own answer has none of our codes. */
const unchecked: jsonSchemaValidator = {
  getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
}

function argumentsAnswer(name: string, issues: readonly { readonly message: string }[]) {
  const faults = issues.map(({ message }) => message).join('; ')
  return failureAnswer(new Failure('bad_request', `The arguments of ${name} do not fit: ${faults}`))
}

function failed(thrown: unknown): CallOutcome {
  return { type: 'answer', answer: failureAnswer(thrown) }
}

function askClient({ run, questions }: Extract<CallOutcome, { readonly type: 'questions' }>) {
  return inputRequired({
    inputRequests: Object.fromEntries(
      questions.map((question) => [question.requestId, inputRequired.elicit(questionForm(question))]),
    ),
    requestState: run.id, // 122 random bits that only this client has
  })
}

/** @returns a function that reads what a request says of its client, and reports progress to it */
function callContext({ server }: McpServer): (context: ServerContext) => CallContext {
  return ({ mcpReq }) => {
    const token = mcpReq._meta?.progressToken
    const state = mcpReq.requestState<string>()
    const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {}
    // oxlint-disable-next-line typescript/no-deprecated -- clients of 2025-11-25 say it once, when they connect
    const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
    return {
      canElicit: isRecord(capabilities) && isRecord(capabilities['elicitation']),
      onProgress: (message, progress) => {
        if (token === undefined) return
        const params = { progressToken: token, progress, message }
        void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined) // the client has gone
      },
      ...(state === undefined ? {} : { round: { runId: state, responses: mcpReq.inputResponses ?? {} } }),
    }
  }
}
