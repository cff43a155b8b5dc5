// Runs the server's calls of this client's tools and sends their results.
import { Subscription, catchError, defaultIfEmpty, defer, from, map, of, take } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import type { ChannelCallFrame } from '../protocol/server-frame.ts'

type SentResult = CommandNamed<'channel_result'>

/**
 * The result of a call; one of `textResult` is one too. `details` are for people and programs; the model does not get
 * them.
 */
export interface ChannelResult extends Omit<SentResult, 'type' | 'callId' | 'content'> {
  readonly content: readonly SentResult['content'][number][]
}

/** A tool in an `attach` command. */
export type OfferedTool = NonNullable<CommandNamed<'attach'>['tools']>[number]

/** The call that a tool of a client runs for. */
export interface ChannelToolCall {
  /** Its id in the events of the session. Absent: the server is of version 0.1. */
  readonly toolCallId?: string
}

/** A tool that a client brings to a session: the session's model calls it, and it runs in the client. */
export interface ChannelTool extends Omit<OfferedTool, 'parameters'> {
  /** JSON Schema of an object, from TypeBox or by hand. */
  readonly parameters: object
  /**
   * Runs one call. Returns the result, or a promise or an Observable of it, whose first value counts; an error, or no value,
   * becomes an error result. Unsubscribed if the server cancels the call (`channel_cancel`), and when the attachment or the
   * connection ends.
   */
  execute(
    args: Readonly<Record<string, unknown>>,
    call: ChannelToolCall,
  ): ChannelResult | ObservableInput<ChannelResult>
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
  const result$ = ({ name, args, toolCallId }: ChannelCallFrame): Observable<ChannelResult> => {
    const tool = tools.find((each) => each.name === name)
    if (tool === undefined) return of(errorResult(`This client offers no tool "${name}"`))
    const answer$ = tool.execute(args, toolCallId === undefined ? {} : { toolCallId })
    return 'content' in answer$ ? of(answer$) : from(answer$)
  }
  return {
    call: (frame) => {
      const { callId, name } = frame
      const call = new Subscription()
      running.set(callId, call)
      call.add(
        defer(() => result$(frame))
          .pipe(
            take(1),
            defaultIfEmpty(errorResult(`${name} ended without a result`)),
            catchError((error: unknown) => of(errorResult(describeThrown(error)))),
            map((result) => sentResult(callId, result)),
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

/** Leaves out what a result may have beside its own fields, such as the `type` of a tool's result. */
function sentResult(callId: string, { content, isError, details }: ChannelResult): SentResult {
  return {
    ...{ type: 'channel_result', callId, content: [...content] },
    ...(isError === undefined ? {} : { isError }),
    ...(details === undefined ? {} : { details }),
  }
}
