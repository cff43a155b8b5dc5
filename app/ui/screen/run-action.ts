// Runs the key actions that affect the session or the screen, not the editor's text.
import { EMPTY, catchError, concat, defer, ignoreElements, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { QueuedInput } from '../../../lib/streams/state/fold-inputs.ts'
import { thinkingLevels } from '../../../lib/streams/models/model.ts'
import { queuedBeside } from '../contract/edit-queue.ts'
import { openPicker } from '../commands/ask-server.ts'
import { abortRun, leaveOrAsk } from '../commands/leave.ts'
import { togglePlan } from '../commands/scenario-commands.ts'
import type { Submission } from '../contract/submission.ts'
import { submissionOf } from '../contract/submission.ts'
import type { Ui } from '../contract/ui.ts'
import { keySheet } from '../pages/key-sheet.ts'
import { failureNotice } from '../view/failure-notice.ts'

/** Actions of the screen itself. */
export interface ScreenActions {
  /** Erases the screen and draws it again. */
  redraw(): void
  /** Stops this process until the shell continues it. */
  suspend(): void
}

export function runAction(ui: Ui, name: string, screen: ScreenActions): void {
  switch (name) {
    case 'abort':
      runRequest(ui, stopRun(ui))
      return
    case 'leave':
      leaveOrAsk(ui)
      return
    case 'queuedBefore':
    case 'queuedAfter':
      moveInQueue(ui, name === 'queuedBefore' ? -1 : 1)
      return
    case 'togglePlan':
      togglePlan(ui)
      return
    case 'cycleThinking':
      runRequest(ui, nextThinking(ui))
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
      openOverlay(ui, name)
  }
}

function openOverlay(ui: Ui, name: string): void {
  switch (name) {
    case 'tree':
      openPicker(ui, 'tree')
      return
    case 'showOutput':
    case 'showPlan':
      ui.input({ type: 'overlay', overlay: { name: name === 'showPlan' ? 'plan' : 'output' } })
      return
    case 'showJobs':
      openPicker(ui, 'jobs')
      return
    case 'pickModel':
      openPicker(ui, 'models')
      return
    case 'help':
      ui.input({ type: 'overlay', overlay: { name: 'help' } })
      return
    case 'showKeys':
      ui.input({
        type: 'overlay',
        overlay: { name: 'page', title: 'Keys; /help lists all', lines: keySheet(ui.keys.keymap$.value) },
      })
      return
    default:
  }
}

/** Subscribes; shows a failure as a notice. */
function runRequest(ui: Ui, act$: Observable<unknown>): void {
  const handled$ = act$.pipe(
    catchError((error: unknown) => {
      ui.input(failureNotice(error))
      return EMPTY
    }),
  )
  handled$.subscribe()
}

/** Ends the user's own shell command first, else the run, the compaction or an input before its run; returns the queued inputs to the editor. */
function stopRun(ui: Ui): Observable<unknown> {
  const { session, running, compacting, sending, queue, jobs } = ui.now()
  if (session === undefined) return EMPTY
  const own = jobs.findLast(({ by }) => by === 'client')
  if (own !== undefined) return ui.request({ type: 'kill_job', session: session.id, jobId: own.jobId })
  const returned$ = queue.length === 0 ? EMPTY : returnQueue(ui, session.id, queue)
  if ((running ?? compacting) !== undefined) return concat(returned$, abortRun(ui, session.id))
  return concat(returned$, sending === 0 ? EMPTY : ui.request({ type: 'abort', session: session.id }))
}

function returnQueue(ui: Ui, session: string, queue: readonly QueuedInput[]): Observable<never> {
  return ui.request({ type: 'clear_queue', session }).pipe(
    tap(({ cleared }) => {
      const left = stillQueued(queue, cleared)
      if (left.length > 0) ui.input({ type: 'draft', ...joinSubmissions(left.map(submissionOf)) })
    }),
    ignoreElements(),
  )
}

/**
 * The `count` inputs that a run would take last; all, if other clients have queued more than this client knows. A run takes
 * follow-ups only when no steering waits.
 */
function stillQueued(queue: readonly QueuedInput[], count: number): readonly QueuedInput[] {
  const [steering, followUps] = [queue.filter(isSteering), queue.filter((input) => !isSteering(input))]
  const delivered = new Set([...steering, ...followUps].slice(0, Math.max(0, queue.length - count)))
  return queue.filter((input) => !delivered.has(input))
}

function isSteering({ queue }: QueuedInput): boolean {
  return queue === 'steering'
}

function joinSubmissions(parts: readonly Submission[]): Submission {
  return { text: parts.map(({ text }) => text).join('\n\n'), images: parts.flatMap(({ images }) => images) }
}

/** Loads a queued input into the editor; after the last one, the text from before. */
function moveInQueue(ui: Ui, by: -1 | 1): void {
  const { queue, editing } = ui.now()
  const queueId = queuedBeside(queue, editing, by)
  ui.input({ type: 'editing', ...(queueId === undefined ? {} : { queueId }) })
}

function nextThinking(ui: Ui): Observable<unknown> {
  const { session, thinkingLevel } = ui.now()
  if (session === undefined) return EMPTY
  return defer(() => {
    const next = thinkingLevels[(thinkingLevels.indexOf(thinkingLevel) + 1) % thinkingLevels.length] ?? 'off'
    return ui.request({ type: 'set_thinking_level', session: session.id, thinkingLevel: next })
  })
}
