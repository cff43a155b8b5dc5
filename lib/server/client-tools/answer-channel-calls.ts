// Runs the server's calls of this client's tools and sends their results.
import { Subscription, catchError, defaultIfEmpty, defer, from, map, of, take } from 'rxjs'
import type { ObservableInput } from 'rxjs'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import type { ChannelCallFrame } from '../protocol/server-frame.ts'

/** The result of a call. `details` are for people and programs; the model does not get them. */
export type ChannelResult = Omit<CommandNamed<'channel_result'>, 'type' | 'callId'>

/** A tool in an `attach` command. */
export type OfferedTool = NonNullable<CommandNamed<'attach'>['tools']>[number]

/** A tool that a client brings to a session: the session's model calls it, and it runs in the client. */
export interface ChannelTool extends Omit<OfferedTool, 'parameters'> {
  /** JSON Schema of an object, from TypeBox or by hand. */
  readonly parameters: object
  /**
   * Runs one call. The first value is the result; an error, or no value, becomes an error result. Unsubscribed if the
   * server cancels the call (`channel_cancel`), and when the attachment or the connection ends.
   */
  execute(args: Readonly<Record<string, unknown>>): ObservableInput<ChannelResult>
}

export interface ChannelAnswers {
  call(frame: ChannelCallFrame): void
  cancel(callId: string): void
  /** Ends every call without sending results. */
  end(): void
}

export function answerChannelCalls(
  tools: readonly ChannelTool[],
  send: (result: CommandNamed<'channel_result'>) => void,
): ChannelAnswers {
  const running = new Map<string, Subscription>()
  const result$ = (name: string, args: ChannelCallFrame['args']): ObservableInput<ChannelResult> => {
    const tool = tools.find((each) => each.name === name)
    return tool === undefined ? of(errorResult(`This client offers no tool "${name}"`)) : tool.execute(args)
  }
  return {
    call: ({ callId, name, args }) => {
      const call = new Subscription()
      running.set(callId, call)
      call.add(
        defer(() => from(result$(name, args)))
          .pipe(
            take(1),
            defaultIfEmpty(errorResult(`${name} ended without a result`)),
            catchError((error: unknown) => of(errorResult(describeThrown(error)))),
            map((result): CommandNamed<'channel_result'> => ({ type: 'channel_result', callId, ...result })),
          )
          .subscribe((result) => {
            running.delete(callId)
            send(result)
          }),
      )
    },
    cancel: (callId) => {
      running.get(callId)?.unsubscribe()
      running.delete(callId)
    },
    end: () => {
      for (const call of running.values()) call.unsubscribe()
      running.clear()
    },
  }
}

function errorResult(text: string): ChannelResult {
  return { content: [{ type: 'text', text }], isError: true }
}
