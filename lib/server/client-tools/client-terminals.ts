// Runs commands in the terminals of a client by calls over its connection.
// Guarantees: each call but the wait for the end is answered in time; a terminal is released once.
import { EMPTY, catchError, concat, map, tap } from 'rxjs'
import type {
  ClientTerminal,
  ClientTerminals,
  TerminalExit,
  TerminalOutput,
} from '../../streams/environment/terminal-exchange.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { lastBytes } from '../../streams/values/truncate.ts'
import { answerText, callClient, checkAnswer, confirmed } from './call-client.ts'
import type { ClientCalls } from './call-client.ts'
import { terminalCalls } from './terminal-calls.ts'

/** Milliseconds: an editor may ask a person before it opens a terminal. */
const createMs = 30_000
const answerMs = 10_000

export function clientTerminals(options: ClientCalls): ClientTerminals {
  return {
    create: ({ outputBytes, ...command }, toolCallId) =>
      callClient(
        { name: terminalCalls.create, args: { ...command, outputBytes }, toolCallId, limitMs: createMs },
        options,
      ).pipe(map((answer) => terminalOf(readId(answer), outputBytes, options))),
  }
}

function terminalOf(terminalId: string, outputBytes: number, options: ClientCalls): ClientTerminal {
  const args = { terminalId }
  let hasEnded = false
  let isReleased = false
  const kill$ = confirmed(callClient({ name: terminalCalls.kill, args, limitMs: answerMs }, options))
  const release$ = confirmed(callClient({ name: terminalCalls.release, args, limitMs: answerMs }, options))
  return {
    output: () =>
      callClient({ name: terminalCalls.output, args, limitMs: answerMs }, options).pipe(
        map((answer) => readOutput(answer, outputBytes)),
      ),
    exit: () =>
      callClient({ name: terminalCalls.exit, args }, options).pipe(
        map(readExit),
        tap(() => (hasEnded = true)),
      ),
    kill: () => kill$,
    release: () => {
      if (isReleased) return
      isReleased = true
      // the client has left, or does not answer: there is nobody to report it to
      const killed$ = hasEnded ? EMPTY : kill$.pipe(catchError(() => EMPTY))
      concat(killed$, release$.pipe(catchError(() => EMPTY))).subscribe()
    },
  }
}

/** @throws Failure */
function readId(answer: ToolResult): string {
  checkAnswer(answer)
  const id = isRecord(answer.details) ? answer.details['terminalId'] : undefined
  if (typeof id === 'string' && id !== '' && id.length <= 1_000) return id
  throw new Failure('bad_request', 'the client answered without details.terminalId')
}

/** @throws Failure */
function readOutput(answer: ToolResult, outputBytes: number): TerminalOutput {
  checkAnswer(answer)
  const { details } = answer
  const whole = answerText(answer)
  const text = lastBytes(whole, outputBytes)
  return { text, truncated: text !== whole || (isRecord(details) && details['truncated'] === true) }
}

/** @throws Failure */
function readExit(answer: ToolResult): TerminalExit {
  checkAnswer(answer)
  const { exitCode, signal }: Record<string, unknown> = isRecord(answer.details) ? answer.details : {}
  return {
    exitCode: Number.isInteger(exitCode) ? (exitCode as number) : null,
    signal: typeof signal === 'string' ? signal.slice(0, 100) : null,
  }
}
