// Sends the calls of a client's tools to its connection and matches the results.
// Guarantees: a call is answered once, by its own connection, or ended.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { channelCallFrame, channelCancelFrame } from '../protocol/frame.ts'

export interface ChannelCall {
  readonly session: string
  /** The id of the call in the conversation. */
  readonly toolCallId?: string | undefined
  /** The tool's name in the client. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface ChannelCalls {
  /** Cold: sends the call, and emits the one result; unsubscribing before that sends `channel_cancel`. */
  call(call: ChannelCall): Observable<ToolResult>
  /**
   * @throws Failure `bad_request` if no such call is open on this connection, or an image is empty; the call then stays
   * open
   */
  answer(result: Omit<CommandNamed<'channel_result'>, 'type'>): void
  /** Ends the calls of a client that has left this session, or (default) all sessions, with an error result. */
  endCalls(session?: string): void
}

interface OpenCall {
  readonly session: string
  readonly subscriber: Subscriber<ToolResult>
}

export function channelCalls(send: (frame: string) => void): ChannelCalls {
  const ids = randomIds()
  const open = new Map<string, OpenCall>()
  const createId = (): string => {
    let id = ids.short()
    while (open.has(id)) id = ids.short()
    return id
  }
  const settle = (callId: string, { subscriber }: OpenCall, result: ToolResult): void => {
    open.delete(callId) // state first: the subscriber may start the next call
    subscriber.next(result)
    subscriber.complete()
  }
  return {
    call: (call) =>
      new Observable((subscriber) => {
        const callId = createId()
        open.set(callId, { session: call.session, subscriber })
        subscriber.add(() => {
          if (open.delete(callId)) send(channelCancelFrame(call.session, callId))
        })
        send(channelCallFrame(callId, call))
      }),
    answer: ({ callId, ...result }) => {
      const own = open.get(callId)
      if (own === undefined)
        throw new Failure(
          'bad_request',
          `No call ${callId} is open on this connection: it was answered or cancelled, or belongs to another client`,
        )
      checkImages(result.content)
      settle(callId, own, { type: 'result', ...result })
    },
    endCalls: (session) => {
      for (const [callId, own] of [...open]) {
        if (session === undefined || own.session === session) settle(callId, own, errorResult(goneMessage))
      }
    },
  }
}

/** An image has its data, or names a stored blob. @throws Failure `bad_request` */
function checkImages(content: ToolResult['content']): void {
  content.forEach((part, index) => {
    if (part.type === 'text' || part.data || part.blob !== undefined) return
    throw new Failure('bad_request', `channel_result: content/${index} has no data and names no blob; send its data`)
  })
}

const goneMessage = 'The client that offers this tool disconnected before it answered; the call may have taken effect.'
