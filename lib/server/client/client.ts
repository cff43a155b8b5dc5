// Typed client over one connection: sends requests and emits the events of attached sessions.
// Guarantees: each request is answered or fails, once; a session's events come in order.
import { Observable, ReplaySubject, map } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { Command, CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { answerChannelCalls } from '../client-tools/answer-channel-calls.ts'
import type { ChannelAnswers, ChannelTool } from '../client-tools/answer-channel-calls.ts'
import { fileTools } from '../client-tools/file-tools.ts'
import type { OfferedFiles } from '../client-tools/file-tools.ts'
import { environmentOf } from '../client-tools/offered-environment.ts'
import { terminalTools } from '../client-tools/terminal-tools.ts'
import type { OfferedTerminals } from '../client-tools/terminal-tools.ts'
import type { ClientEvent, ServerFrame } from '../protocol/server-frame.ts'
import { clientRequests } from './client-requests.ts'
import type { ClientRequests, RequestOptions } from './client-requests.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import { awaitHello } from './await-hello.ts'
import { receiveFrames } from './receive-frames.ts'
import type { FrameReceiver } from './receive-frames.ts'
import { parseServerFrame } from '../protocol/server-frame.ts'
import type { IncomingLine, Transport } from '../protocol/transport.ts'

export interface AttachOptions {
  /** Sends the log after this `seq` first; 0: all of it. */
  readonly after?: number
  /** Sends this many of the log's last events first. */
  readonly tail?: number
  /** False leaves out the pieces of messages and of tool output. Default true. */
  readonly deltas?: boolean
  /** Milliseconds over which pieces are joined before they are sent. Default 0: none. */
  readonly joinMs?: number
  /** Tools of this client, active while it is attached; it must have sent `hello {client}`. Default: none. */
  readonly tools?: readonly ChannelTool[]
  /** Files of this client that the session's tools use in place of the disk, while it is attached. Default: none. */
  readonly files?: OfferedFiles
  /** Terminals of this client in which commands outside of the sandbox run, while it is attached. Default: none. */
  readonly terminals?: OfferedTerminals
}

/** A client of one connection: when that ends, everything fails with `disconnected`. */
export interface Client {
  /** The server's `hello`; replays. Fails with `unsupported_version`, or `disconnected` if none came in time. */
  readonly hello$: Observable<HelloFrame>
  /**
   * Cold: each subscription sends the command once. Emits the result and completes, or fails with the server's Failure
   * or, if the connection ends first, with `disconnected`. Unsubscribing before that cancels the request, not a run
   * that it started.
   */
  request<Sent extends Command>(command: Sent, options?: RequestOptions): Observable<ResultOf<Sent['type']>>
  /**
   * Cold: attaches on subscription, detaches on unsubscription; one subscriber a session at a time (`bad_request`
   * otherwise). Buffers nothing; skips events of unknown types. Completes after `close()`, fails with `disconnected` if
   * the connection ends by itself: attach again with `after` = the last `seq`.
   */
  events$(session: string, options?: AttachOptions): Observable<ClientEvent>
  /** Emits why the connection has ended, before requests and events fail, and completes; replays. */
  readonly ended$: Observable<Failure>
  /** Ends the connection and cancels the unanswered requests. */
  close(): void
}

interface Attachment {
  readonly receiver: FrameReceiver
  readonly subscriber: Subscriber<ClientEvent>
  readonly calls: ChannelAnswers
  /** From the response to `attach`; frames before it belong to an attachment that has ended. */
  channel: number | undefined
}

export interface ClientOptions {
  /** Milliseconds within which the server must send `hello`, or the connection ends. Default 10,000. */
  readonly greetsWithinMs?: number
}

/** Subscribes to the transport at once and closes it in the end. */
export function connect(transport: Transport, { greetsWithinMs = 10_000 }: ClientOptions = {}): Client {
  const ended$ = new ReplaySubject<Failure>(1)
  const attachments = new Map<string, Attachment>()
  const requests = clientRequests((line) => {
    transport.send(line)
  })
  let closed = false
  let ended = false

  const end = (failure: Failure): void => {
    if (ended) return
    ended = true
    const open = [...attachments.values()]
    attachments.clear()
    transport.close()
    ended$.next(failure)
    ended$.complete()
    for (const { subscriber } of open) endEvents(subscriber, closed ? undefined : failure)
    requests.end(failure)
    endHelloWait(failure)
  }
  const {
    hello$,
    accept: acceptHello,
    end: endHelloWait,
  } = awaitHello(greetsWithinMs, (failure) => {
    lines.unsubscribe()
    end(failure)
  })
  const state = { acceptHello, requests, attachments }
  const onLinesEnd = (error: unknown = disconnectedFailure()): void => {
    end(Failure.from(error, 'disconnected'))
  }
  const lines = transport.lines$
    .pipe(map((line) => dispatch(line, state)))
    .subscribe({ error: onLinesEnd, complete: onLinesEnd })
  return {
    hello$,
    ended$: ended$.asObservable(),
    request: <Sent extends Command>(command: Sent, options?: RequestOptions) =>
      requests.request(command, options) as Observable<ResultOf<Sent['type']>>, // the server checks its results against the command's type
    events$: (session, options = {}) => attachSession(session, options, { requests, attachments }),
    close: () => {
      if (closed) return
      closed = true
      lines.unsubscribe()
      requests.cancelAll()
      end(disconnectedFailure())
    },
  }
}

function endEvents(subscriber: Subscriber<ClientEvent>, failure: Failure | undefined): void {
  if (failure === undefined) subscriber.complete()
  else subscriber.error(failure)
}

interface ClientState {
  readonly requests: ClientRequests
  readonly attachments: Map<string, Attachment>
}

/** @throws Failure if the server breaks the protocol */
function dispatch(
  line: IncomingLine,
  state: ClientState & { readonly acceptHello: (hello: HelloFrame) => void },
): void {
  if ('problem' in line) throw unreadableLine(line.problem)
  const frame = parseServerFrame(line.text)
  if (frame === undefined) return
  switch (frame.type) {
    case 'hello':
      state.acceptHello(frame)
      return
    case 'response':
      state.requests.settle(frame)
      return
    default:
      deliverFrame(frame, line.text, state.attachments)
  }
}

function deliverFrame(
  frame: Exclude<ServerFrame, { type: 'hello' | 'response' }>,
  line: string,
  attachments: ClientState['attachments'],
): void {
  const attached = frame.type === 'delta' ? findByChannel(attachments, frame.channel) : attachments.get(frame.session)
  if (attached?.channel === undefined) return
  const { receiver, subscriber, calls } = attached
  switch (frame.type) {
    case 'delta':
    case 'event': {
      const event = frame.type === 'delta' ? receiver.delta(frame) : receiver.event(frame, line)
      if (event !== undefined) subscriber.next(event)
      return
    }
    case 'caught_up':
    case 'lagging':
      subscriber.next({ type: frame.type, seq: frame.seq })
      return
    case 'channel_call':
      calls.call(frame)
      return
    case 'channel_cancel':
      calls.cancel(frame.callId)
  }
}

/** A client has a handful of attachments. */
function findByChannel(attachments: ClientState['attachments'], channel: number): Attachment | undefined {
  for (const attached of attachments.values()) if (attached.channel === channel) return attached
  return undefined
}

function attachSession(
  session: string,
  { tools = [], files, terminals, ...options }: AttachOptions,
  { requests, attachments }: ClientState,
): Observable<ClientEvent> {
  return new Observable((subscriber) => {
    if (attachments.has(session)) {
      subscriber.error(new Failure('bad_request', `This client is attached to ${session} already; share those events`))
      return
    }
    const offeredTerminals = terminalTools(terminals)
    const calls = answerChannelCalls([...tools, ...fileTools(files), ...offeredTerminals.tools], (result) => {
      // the server refuses the result of a call that it has ended
      requests.request(result).subscribe({ error: () => undefined })
    })
    const own: Attachment = { receiver: receiveFrames(session), subscriber, calls, channel: undefined }
    attachments.set(session, own)
    const offered =
      tools.length === 0
        ? {}
        : { tools: tools.map(({ execute, parameters, ...tool }) => ({ ...tool, parameters: { ...parameters } })) }
    const environment = environmentOf(files, terminals)
    const command: CommandNamed<'attach'> = { type: 'attach', session, ...options, ...offered, ...environment }
    const attaching = requests.request(command).subscribe({
      next: (answer) => {
        const result = answer as ResultOf<'attach'> // the result of attach
        own.channel = result.channel
        subscriber.next({ type: 'attached', ...result })
      },
      error: (error: unknown) => {
        attachments.delete(session)
        subscriber.error(error)
      },
    })
    return () => {
      attaching.unsubscribe()
      calls.end()
      offeredTerminals.end()
      if (attachments.get(session) !== own) return // the attachment failed, or the connection has ended
      attachments.delete(session)
      // no subscriber is left for the response
      const detach: CommandNamed<'detach'> = { type: 'detach', session }
      requests.request(detach).subscribe({ error: () => undefined })
    }
  })
}

function unreadableLine(problem: 'too_large' | 'not_utf8'): Failure {
  if (problem === 'not_utf8') return new Failure('bad_json', 'The server sent a line that is not UTF-8')
  return new Failure(
    'message_too_large',
    'The server sent a line longer than 16 MiB; check the log with rxpi sessions verify',
  )
}

function disconnectedFailure(): Failure {
  return new Failure('disconnected', 'The connection to the server has ended')
}
