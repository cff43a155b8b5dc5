// Answers calls about the terminals of this client, as tools that no list names.
// Guarantees: each terminal is released, also if the attachment or the connection ends first.
import { EMPTY, Observable, catchError, defaultIfEmpty, defer, from, map, of, take } from 'rxjs'
import type { ObservableInput } from 'rxjs'
import { clientOutputBytes } from '../../streams/environment/terminal-exchange.ts'
import type { TerminalCommand, TerminalExit, TerminalOutput } from '../../streams/environment/terminal-exchange.ts'
import { isRecord } from '../../streams/values/json.ts'
import { lastBytes } from '../../streams/values/truncate.ts'
import type { ChannelResult, ChannelTool } from './answer-channel-calls.ts'
import { terminalCalls } from './terminal-calls.ts'

/**
 * The terminals of this client, in which the session's `bash` runs commands outside of the sandbox. Of each answer the first
 * value counts; an error is one too.
 */
export interface OfferedTerminals {
  /**
   * Starts the command without a shell, and returns the id of the terminal. An error: nothing was started.
   * @param toolCallId the call that the command belongs to
   */
  create(command: TerminalCommand, toolCallId: string | undefined): ObservableInput<string>
  /** Returns the output so far, at most the last `outputBytes` of it. */
  output(terminalId: string): ObservableInput<TerminalOutput>
  /** Returns how the command ended, when it has ended. Unsubscribed if nobody waits any more. */
  exit(terminalId: string): ObservableInput<Partial<TerminalExit>>
  /** Ends the command; the terminal stays. */
  kill(terminalId: string): ObservableInput<unknown>
  /** Gives the terminal back, and ends its command if it runs. No call names it afterwards. */
  release(terminalId: string): ObservableInput<unknown>
}

/** `parameters` are never listed: the server sends these calls by itself. */
const noParameters = {}

export interface TerminalTools {
  readonly tools: readonly ChannelTool[]
  /** Releases every terminal: the attachment has ended. */
  end(): void
}

export function terminalTools(terminals: OfferedTerminals | undefined): TerminalTools {
  if (terminals === undefined) return { tools: [], end: () => undefined }
  const { create$, release$, isOpen, end } = openTerminals(terminals)
  const ofOpen =
    (work: (id: string) => Observable<ChannelResult>): ChannelTool['execute'] =>
    ({ terminalId }) => {
      const id = String(terminalId)
      return isOpen(id) ? work(id) : of(errorResult('There is no such terminal'))
    }
  const execute: Record<keyof typeof terminalCalls, ChannelTool['execute']> = {
    create: (args, { toolCallId }) =>
      create$(commandOf(args), toolCallId).pipe(map((terminalId) => ({ content: [], details: { terminalId } }))),
    output: ofOpen((id) => from(terminals.output(id)).pipe(map(outputResult))),
    exit: ofOpen((id) => from(terminals.exit(id)).pipe(map((exit) => ({ content: [], details: exit })))),
    kill: ofOpen((id) => emptyResult(terminals.kill(id))),
    release: ofOpen((id) => emptyResult(release$(id))),
  }
  const tool = (key: keyof typeof terminalCalls): ChannelTool => ({
    ...{ name: terminalCalls[key], description: '', parameters: noParameters, execute: execute[key] },
  })
  return { tools: [tool('create'), tool('output'), tool('exit'), tool('kill'), tool('release')], end }
}

/** The terminals that are open for the session. */
function openTerminals(terminals: OfferedTerminals) {
  const open = new Set<string>()
  let hasEnded = false
  const release$ = (id: string): Observable<unknown> =>
    defer(() => {
      open.delete(id)
      return terminals.release(id)
    })
  const releaseQuietly = (id: string): void => {
    release$(id)
      .pipe(catchError(() => EMPTY)) // nobody waits for it
      .subscribe()
  }
  return {
    isOpen: (id: string) => open.has(id),
    release$,
    /** Emits the id. Unsubscribing does not end the request: a terminal that opens too late is released. */
    create$: (command: TerminalCommand, toolCallId: string | undefined): Observable<string> =>
      new Observable((subscriber) => {
        const created$ = defer(() => inputOf(terminals.create(command, toolCallId))).pipe(take(1))
        created$.subscribe({
          next: (id) => {
            open.add(id)
            if (hasEnded || subscriber.closed) releaseQuietly(id)
            else subscriber.next(id)
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        })
      }),
    end: (): void => {
      hasEnded = true
      for (const id of [...open]) releaseQuietly(id)
    },
  }
}

function emptyResult(done$: ObservableInput<unknown>): Observable<ChannelResult> {
  return from(done$).pipe(
    take(1),
    defaultIfEmpty(undefined),
    map(() => ({ content: [] })),
  )
}

type Args = Readonly<Record<string, unknown>>

/** The server has made it: only its types are read again. */
function commandOf({ program, args, cwd, env, outputBytes }: Args): TerminalCommand {
  return {
    program: String(program),
    args: Array.isArray(args) ? args.map(String) : [],
    cwd: String(cwd),
    env: isRecord(env) ? Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])) : {},
    outputBytes: typeof outputBytes === 'number' ? outputBytes : clientOutputBytes,
  }
}

/** A string is an iterable of its characters, and meant as a whole. */
function inputOf(input: ObservableInput<string>): Observable<string> {
  return typeof input === 'string' ? of(input) : from(input)
}

/** A client may hold more than it was asked for; the server takes no longer line. */
function outputResult({ text, truncated }: TerminalOutput): ChannelResult {
  const end = lastBytes(text, clientOutputBytes)
  return { content: [{ type: 'text', text: end }], details: { truncated: truncated || end !== text } }
}

function errorResult(text: string): ChannelResult {
  return { content: [{ type: 'text', text }], isError: true }
}
