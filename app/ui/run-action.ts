// What an action of the keymap does to the session or the screen, where it is not about the text in the editor.
import { EMPTY, catchError, concat, defer, ignoreElements, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../lib/streams/failure.ts'
import type { QueuedInput } from '../../lib/streams/fold-queue.ts'
import type { ImageContent } from '../../lib/streams/message.ts'
import { thinkingLevels } from '../../lib/streams/thinking-level.ts'
import type { Ui } from './ui.ts'

/** What only the one who draws can do. */
export interface ScreenActions {
  /** The screen is emptied and drawn again. */
  redraw(): void
  /** The shell gets the terminal until it wakes this process. */
  suspend(): void
}

export function runAction(ui: Ui, name: string, screen: ScreenActions): void {
  switch (name) {
    case 'abort':
      ask(ui, stop(ui))
      return
    case 'leave':
      ui.leave()
      return
    case 'lastQueued':
      ask(ui, takeLast(ui))
      return
    case 'cycleThinking':
      ask(ui, nextThinking(ui))
      return
    case 'tree':
      ui.input({ type: 'overlay', overlay: { name: 'picker', picker: 'tree' } })
      return
    case 'pickModel':
      ui.input({ type: 'overlay', overlay: { name: 'picker', picker: 'models' } })
      return
    case 'help':
      ui.input({ type: 'overlay', overlay: { name: 'help' } })
      return
    case 'toggleThinking':
    case 'expandTools':
      ui.input({ type: name === 'toggleThinking' ? 'toggle_thinking' : 'toggle_expanded' })
      screen.redraw()
      return
    case 'redraw':
      screen.redraw()
      return
    case 'suspend':
      screen.suspend()
      return
    default:
  }
}

/** A failure is a line for people. */
function ask(ui: Ui, act$: Observable<unknown>): void {
  const told$ = act$.pipe(
    catchError((error: unknown) => {
      ui.input({ type: 'notice', level: 'error', text: Failure.from(error).message })
      return EMPTY
    }),
  )
  told$.subscribe()
}

/** A command of the user's own ends first; else the run, and what waited for it comes back to the editor. */
function stop(ui: Ui): Observable<unknown> {
  const { session, running, queue, jobs } = ui.now()
  if (session === undefined) return EMPTY
  const own = jobs.findLast(({ by }) => by === 'client')
  if (own !== undefined) return ui.request({ type: 'kill_job', session: session.id, jobId: own.jobId })
  const returned$ = queue.length === 0 ? EMPTY : returned(ui, session.id, queue)
  const aborted$ = running === undefined ? EMPTY : ui.request({ type: 'abort', session: session.id })
  return concat(returned$, aborted$)
}

function returned(ui: Ui, session: string, queue: readonly QueuedInput[]): Observable<never> {
  return ui.request({ type: 'clear_queue', session }).pipe(
    tap(({ cleared }) => {
      // what was delivered meanwhile is not among them any more
      const left = queue.slice(queue.length - cleared)
      if (left.length > 0)
        ui.input({ type: 'draft', text: left.map(textOf).join('\n\n'), images: left.flatMap(imagesOf) })
    }),
    ignoreElements(),
  )
}

function takeLast(ui: Ui): Observable<unknown> {
  const { session, queue } = ui.now()
  const last = queue.at(-1)
  if (session === undefined || last === undefined) return EMPTY
  return ui.request({ type: 'remove_queued', session: session.id, queueId: last.queueId }).pipe(
    tap(() => {
      ui.input({ type: 'draft', text: textOf(last), images: imagesOf(last) })
    }),
  )
}

function textOf({ content }: QueuedInput): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function imagesOf({ content }: QueuedInput): readonly ImageContent[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'image')
}

function nextThinking(ui: Ui): Observable<unknown> {
  const { session, thinkingLevel } = ui.now()
  if (session === undefined) return EMPTY
  return defer(() => {
    const next = thinkingLevels[(thinkingLevels.indexOf(thinkingLevel) + 1) % thinkingLevels.length] ?? 'off'
    return ui.request({ type: 'set_thinking_level', session: session.id, thinkingLevel: next })
  })
}
