// Registers the tools of a connection's client in a session for as long as the client is attached.
import { Observable, defer, finalize, from, identity, map, of, tap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { Offer, Session } from '../../session/contract/session.ts'
import { clientName } from '../../streams/values/identifiers.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { AnyTool, ToolContext } from '../../streams/ports/tool.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { LineBatch } from '../protocol/transport.ts'
import type { OfferedTool } from './answer-channel-calls.ts'
import type { ChannelCalls } from './channel-calls.ts'

export interface ClientToolRegistry {
  /** Emits the command's tools, compiled, once. Fails with `bad_request` if one cannot be used. */
  compile(command: Pick<CommandNamed<'attach'>, 'session' | 'tools'>): Observable<readonly AnyTool[]>
  /**
   * Registers the tools in place of those that this connection has in the session. Emits, synchronously, an operator
   * for the attachment's lines: when the lines end, the tools are withdrawn and their calls end. If the caller does not
   * subscribe the piped lines in the same synchronous stretch, the tools are withdrawn at once. Fails with
   * `bad_request` if the session has a tool of that name.
   * @param endPrevious ends the previous attachment; called when registration cannot fail any more, before the tool
   *   change is published
   */
  register(
    session: Session,
    tools: readonly AnyTool[],
    endPrevious: () => void,
  ): Observable<MonoTypeOperatorFunction<LineBatch>>
}

/** @param name returns the client's name at the time of the call */
export function clientToolRegistry(calls: ChannelCalls, name: () => string | undefined): ClientToolRegistry {
  const bySession = new Map<string, Offer>()
  const withdraw = (session: string, own: Offer): void => {
    own.withdraw()
    if (bySession.get(session) !== own) return // another attachment has replaced it
    bySession.delete(session)
    calls.endCalls(session)
  }
  const register$ = (
    session: Session,
    tools: readonly AnyTool[],
    endPrevious: () => void,
  ): Observable<MonoTypeOperatorFunction<LineBatch>> =>
    new Observable((subscriber) => {
      const own = session.offer(tools, bySession.get(session.id), () => {
        bySession.delete(session.id) // so that ending the previous attachment does not end the calls: they go on
        endPrevious()
      })
      let isInUse = false
      const isUnused = (): boolean => !isInUse
      bySession.set(session.id, own)
      subscriber.next((batches$) =>
        defer(() => {
          isInUse = true
          return batches$.pipe(finalize(() => withdraw(session.id, own)))
        }),
      )
      if (isUnused()) withdraw(session.id, own)
      subscriber.complete()
    })
  return {
    compile: ({ session, tools: offered = [] }) =>
      offered.length === 0
        ? of([])
        : // loads Ajv only if a client has tools
          defer(() => from(import('../../services/schemas/compile-foreign-schema.ts'))).pipe(
            map(({ compileForeignSchema: compile }) =>
              compileClientTools({ session, client: name(), offered, calls, compile }),
            ),
          ),
    register: (session, tools, endPrevious) =>
      tools.length === 0 ? of(identity).pipe(tap(endPrevious)) : register$(session, tools, endPrevious),
  }
}

export interface ClientToolsOptions {
  readonly session: string
  /** The name in the client's `hello`. */
  readonly client: string | undefined
  readonly offered: readonly OfferedTool[]
  readonly calls: Pick<ChannelCalls, 'call'>
  compile(schema: AnyTool['parameters']): ArgumentsValidator
}

/** UTF-16 units of one tool's schema, as JSON. */
const longestSchema = 65_536

/**
 * Makes session tools of a client's tools: the client's name is part of theirs, and each call needs an approval.
 * @throws Failure `bad_request` if the client has no valid name, or a schema cannot be used
 */
export function compileClientTools({ session, client, offered, calls, compile }: ClientToolsOptions): AnyTool[] {
  if (client === undefined || !new RegExp(clientName).test(client)) throw namelessFailure()
  return offered.map(({ name, description, parameters, timeoutMs }) => {
    const schema = parameters as AnyTool['parameters'] // `compileValidator` checks that it is an object's schema
    return {
      name: `channel_${client}_${name}`,
      description,
      parameters: schema,
      validate: compileValidator(name, schema, compile),
      alwaysAsk: true,
      origin: { server: client, tool: name },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      execute: (args: Readonly<Record<string, unknown>>, { toolCallId }: Pick<ToolContext, 'toolCallId'>) =>
        calls.call({ session, toolCallId, name, args }),
    }
  })
}

function compileValidator(
  name: string,
  schema: AnyTool['parameters'],
  compile: ClientToolsOptions['compile'],
): ArgumentsValidator {
  if ((schema.type as unknown) !== 'object') throw unusableSchema(name, 'its type is not "object"')
  if (JSON.stringify(schema).length > longestSchema) {
    throw unusableSchema(name, `it is longer than ${longestSchema} characters`)
  }
  const validate = compile(schema)
  try {
    validate({})
  } catch (error) {
    throw unusableSchema(name, describeThrown(error))
  }
  return validate
}

function unusableSchema(name: string, problem: string): Failure {
  return new Failure('bad_request', `The parameters of the tool "${name}" are not a usable JSON Schema: ${problem}`)
}

function namelessFailure(): Failure {
  const message =
    'Only a client with a name may offer tools: send hello {client} first, a name of 1 to 20 letters, digits and dashes'
  return new Failure('bad_request', message)
}
