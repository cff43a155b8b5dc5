// Runs `rxpi sessions compact`, `pin`, `unpin`, `hide`, `unhide` and `replace`.
import { EMPTY, catchError, endWith, ignoreElements, map, merge, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import type { CompactInvocation, ContextChangeInvocation } from '../../cli/session-context-arguments.ts'
import { signalExitCodes } from '../../process/exit-code.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'
import { compactionText } from '../../text/compaction-text.ts'
import { requireWritable } from './open-session-choice.ts'

/** Time limit of an abort in milliseconds. */
const stopTimeoutMs = 5_000

/** Emits the exit code. A signal stops the compaction, also at the server that holds the session. */
export function compactSession(
  { session, focus, json }: CompactInvocation,
  { client, stdout, stderr, env, signals$ }: World,
): Observable<number> {
  const result$ = openWritable(session, { client, env }).pipe(
    mergeMap(() => {
      report(stderr, 'the model summarises earlier messages')
      return client.request({ type: 'compact', session, ...(focus === undefined ? {} : { focus }) })
    }),
    map((result) => {
      if (json) stdout.json(JSON.stringify({ session, ...result }))
      else stdout.text(`${compactedText(session, result)}\n`)
      return 0
    }),
  )
  // the process ends when the server has the abort, not before
  const stopped$ = signals$.pipe(
    take(1),
    mergeMap((signal) =>
      client.request({ type: 'abort', session }, { timeoutMs: stopTimeoutMs }).pipe(
        catchError(() => EMPTY), // the signal ends this process in any case
        ignoreElements(),
        endWith(signalExitCodes[signal]),
      ),
    ),
  )
  return merge(result$, stopped$).pipe(take(1))
}

function compactedText(session: string, { entryId, tokensBefore, tokensAfter, messages }: ResultOf<'compact'>): string {
  if (entryId === undefined)
    return `Session ${session}: older output is shortened for the model; a summary was not needed`
  const counts = { tokensBefore: tokensBefore ?? 0, tokensAfter: tokensAfter ?? 0 }
  const what = compactionText({ ...counts, ...(messages === undefined ? {} : { messages }) })
  return `Session ${session}: ${what}\nTo read the summary: rxpi sessions show ${session} --entry ${entryId}`
}

/** Emits the exit code. */
export function changeContext(invocation: ContextChangeInvocation, { client, stdout, env }: World): Observable<number> {
  const { session, json } = invocation
  return openWritable(session, { client, env }).pipe(
    mergeMap(() => client.request(commandOf(invocation))),
    map((result) => {
      if (json) stdout.json(JSON.stringify({ session, ...result }))
      else stdout.text(`${changedText(invocation)}\n`)
      return 0
    }),
  )
}

function commandOf(invocation: ContextChangeInvocation): CommandNamed<'context_edit' | 'context_pin'> {
  const { session, entryId, text } = invocation
  switch (invocation.action) {
    case 'pin':
    case 'unpin':
      return { type: 'context_pin', session, entryId, pinned: invocation.action === 'pin' }
    case 'hide':
      return { type: 'context_edit', session, entryId, hide: true }
    case 'unhide':
      return { type: 'context_edit', session, entryId }
    case 'replace':
      return { type: 'context_edit', session, entryId, ...(text === undefined ? {} : { text }) }
  }
}

function changedText({ action, entryId }: ContextChangeInvocation): string {
  switch (action) {
    case 'pin':
      return `Entry ${entryId} stays when the conversation is summarised`
    case 'unpin':
      return `Entry ${entryId} is no longer pinned`
    case 'hide':
      return `The model does not receive entry ${entryId} any more`
    case 'unhide':
      return `The model receives entry ${entryId} as it is in the log`
    case 'replace':
      return `The model receives your text in place of entry ${entryId}`
  }
}

function openWritable(session: string, { client, env }: Pick<World, 'client' | 'env'>) {
  return client.request({ type: 'open_session', session, cwd: '/', env: { ...env } }).pipe(map(requireWritable))
}
