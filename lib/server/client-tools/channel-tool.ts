// A tool that a client brings to a session: the model calls it there, and it runs here.
import type { ObservableInput } from 'rxjs'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { OfferedTool } from './channel-tools.ts'

/** What a call comes to; `details` are for people and programs, never for the model. */
export type ChannelResult = Omit<CommandNamed<'channel_result'>, 'type' | 'callId'>

export interface ChannelTool extends Omit<OfferedTool, 'parameters'> {
  /** JSON Schema of an object, from TypeBox or by hand. */
  readonly parameters: object
  /**
   * One call: the first value counts; an error, or no value, is an error result. It is unsubscribed where the server ends the
   * call (`channel_cancel`), and where the attachment or the connection ends.
   */
  execute(args: Readonly<Record<string, unknown>>): ObservableInput<ChannelResult>
}
