// Calls of the tools that this client offers: each runs here, and its result is sent, unless the server has ended it before.
import { Subscription, catchError, defaultIfEmpty, defer, from, map, of, take } from 'rxjs'
import type { ObservableInput } from 'rxjs'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { ChannelResult, ChannelTool } from './channel-tool.ts'
import type { ChannelCallFrame } from '../protocol/server-frame.ts'
import { describeThrown } from '../../streams/values/failure.ts'

export interface ChannelAnswers {
  call(frame: ChannelCallFrame): void
  cancel(callId: string): void
  /** Ends every call; nothing more is sent. */
  end(): void
}

export function channelAnswers(
  tools: readonly ChannelTool[],
  send: (result: CommandNamed<'channel_result'>) => void,
): ChannelAnswers {
  const running = new Map<string, Subscription>()
  const result$ = (name: string, args: ChannelCallFrame['args']): ObservableInput<ChannelResult> => {
    const tool = tools.find((each) => each.name === name)
    return tool === undefined ? of(failed(`This client offers no tool "${name}"`)) : tool.execute(args)
  }
  return {
    call: ({ callId, name, args }) => {
      const call = new Subscription()
      running.set(callId, call)
      call.add(
        defer(() => from(result$(name, args)))
          .pipe(
            take(1),
            defaultIfEmpty(failed(`${name} ended without a result`)),
            catchError((error: unknown) => of(failed(describeThrown(error)))),
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

function failed(text: string): ChannelResult {
  return { content: [{ type: 'text', text }], isError: true }
}
