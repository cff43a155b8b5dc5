// What a client offers becomes tools of the session, under names that say whose they are; each call of theirs is asked for.
import { clientName } from '../../streams/values/limits.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'
import type { ChannelCalls } from './channel-calls.ts'
import { describeThrown } from '../../streams/values/failure.ts'

/** A tool as `attach` brings it. */
export type OfferedTool = NonNullable<CommandNamed<'attach'>['tools']>[number]

export interface ChannelToolsOptions {
  readonly session: string
  /** What `hello` named. */
  readonly client: string | undefined
  readonly offered: readonly OfferedTool[]
  readonly calls: Pick<ChannelCalls, 'call'>
  /** Ajv's, which is not loaded where nobody offers anything. */
  compile(schema: AnyTool['parameters']): ArgumentsValidator
}

/** UTF-16 units of one tool's schema, as JSON. */
const longestSchema = 65_536

/** @throws Failure `bad_request` where the client has no fit name, or a schema cannot be used */
export function channelTools({ session, client, offered, calls, compile }: ChannelToolsOptions): AnyTool[] {
  if (client === undefined || !new RegExp(clientName).test(client)) throw nameless()
  return offered.map(({ name, description, parameters, timeoutMs }) => {
    const schema = parameters as AnyTool['parameters'] // an object's schema: checked with the first validation below
    return {
      name: `channel_${client}_${name}`,
      description,
      parameters: schema,
      validate: checked(name, schema, compile),
      alwaysAsk: true,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      execute: (args: Readonly<Record<string, unknown>>) => calls.call({ session, name, args }),
    }
  })
}

function checked(
  name: string,
  schema: AnyTool['parameters'],
  compile: ChannelToolsOptions['compile'],
): ArgumentsValidator {
  if ((schema.type as unknown) !== 'object') throw unfit(name, 'its type is not "object"')
  if (JSON.stringify(schema).length > longestSchema) throw unfit(name, `it is longer than ${longestSchema} characters`)
  const validate = compile(schema)
  try {
    validate({})
  } catch (error) {
    throw unfit(name, describeThrown(error))
  }
  return validate
}

function unfit(name: string, problem: string): Failure {
  return new Failure(
    'bad_request',
    `The parameters of the tool "${name}" are no JSON Schema that can be used: ${problem}`,
  )
}

function nameless(): Failure {
  const message = 'Tools need a client with a name: say hello {client} first, 1 to 20 letters, digits and dashes'
  return new Failure('bad_request', message)
}
