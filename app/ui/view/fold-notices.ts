// Folds session and connection events into notices, and the steps of an undo.
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { foldCompactionFailure, withoutCompaction, withoutProgress } from './fold-compaction.ts'
import { foldScenario } from './fold-scenario.ts'
import { foldExtensionStatus } from './fold-screen.ts'
import type { ViewInput } from './view-input.ts'
import { addNotice, isAway } from './view.ts'
import type { View } from './view.ts'
import type { ConnectionState } from '../../../lib/server/client/reconnect.ts'

/** Ignores all other events. */
export function foldNotice(view: View, event: AgentEvent): View {
  switch (event.type) {
    case 'model_fallback': {
      const text = `${event.from ?? 'the model'} failed (${event.kind}); continuing with ${event.to ?? 'another model'}`
      const { running } = view
      const { to: model = running?.model } = event
      const now = running === undefined || model === undefined ? view : { ...view, running: { ...running, model } }
      return addNotice(now, { level: 'warning', text })
    }
    case 'head_moved': {
      const isEmpty = event.entryId === null
      const text = isEmpty
        ? 'The conversation begins again'
        : 'The conversation continues from another entry, which ends like this:'
      const moved = isEmpty ? { ...withoutCompaction(view), contextTokens: 0 } : view
      return foldUndoneHead(addNotice(moved, { level: 'info', text }), isEmpty)
    }
    case 'scenario_change':
      return foldScenario(view, event)
    case 'files_restored':
      if (view.undoing !== undefined) return view // the notice of the command names the files
      return addNotice(view, { level: 'info', text: restoredText(event.paths) })
    case 'status':
      if (event.code === 'extension_status') return foldExtensionStatus(view, event)
      if (event.code === 'extension_ui') return view // it is read again
      if (event.code === 'extension_editor' || event.code === 'extension_open') return view // it is done
      if (event.code === 'compaction_ended') return foldCompactionFailure(view, event)
      return isLost(event) ? withLostLog(view, event.message) : addNotice(view, { level: 'info', text: event.message })
    case 'warning':
    case 'error':
      return addNotice(view, { level: levels[event.type], text: event.message })
    default:
      return view
  }
}

/** Names up to five files. */
function restoredText(paths: readonly string[]): string {
  if (paths.length === 0) return 'No file had to be restored'
  return paths.length > 5 ? `${paths.length} files were restored` : `Restored: ${paths.join(', ')}`
}

const levels = { warning: 'warning', error: 'error' } as const

/**
 * Whether the session takes nothing more: its log is lost, or another client deleted it. No event of a run's end
 * follows.
 */
function isLost({ code, recoverable }: EventNamed<'status'>): boolean {
  return (code === 'storage' || code === 'session_closed') && !recoverable
}

function withLostLog(view: View, text: string): View {
  const { running: _, retry: __, session, ...ended } = view
  const live = view.live.map((item) => (item.kind === 'tool' ? ({ ...item, state: 'done' } as const) : item))
  const noted = addNotice({ ...ended, live, endings: view.endings + 1 }, { level: 'error', text })
  return session === undefined ? noted : { ...noted, session: { ...session, readOnly: text } }
}

/** Its end may be missed while there is no connection. */
function withoutForeignCompaction(view: View): View {
  return view.compacting === undefined || view.compacting.isOwn === true ? view : withoutProgress(view)
}

/** From this attempt on, about half a second after the loss, it is known that the server neither was stopped nor starts. */
const noticedAttempt = 4

/** Folds the connection's state: one notice for its return, and one for a loss that lasts. */
export function foldConnection(view: View, state: ConnectionState): View {
  const next: View = { ...withoutForeignCompaction(view), connection: state.status }
  switch (state.status) {
    case 'connecting':
      return next
    case 'connected': {
      if (!isAway(view)) return next
      const text = state.restarted
        ? 'The server was restarted; the session continues from its log'
        : 'Connected again; nothing was missed'
      return addNotice(next, { level: 'success', text })
    }
    case 'reconnecting': {
      if (view.connection === 'stopped' || view.connection === 'lost') return { ...next, connection: 'lost' }
      if (state.attempt < noticedAttempt) return next // a server that was stopped has a notice of its own
      return addNotice(
        { ...next, connection: 'lost' },
        {
          level: 'warning',
          text: 'Lost the connection to the server; reconnecting',
          hint: 'Typed text stays in the editor',
        },
      )
    }
    case 'closed':
      return state.failure === undefined ? next : addNotice(next, { level: 'error', text: state.failure.message })
  }
}

/** The server was stopped; it starts again with the next request of this UI. */
export function foldStopped(view: View): View {
  const text = 'The server was stopped; your next input starts it again'
  return addNotice({ ...view, connection: 'stopped' }, { level: 'warning', text })
}

/** Folds a step of this client's undo: its beginning, its result, or its end, which a held notice outlasts. */
export function foldUndo(view: View, input: Extract<ViewInput, { type: 'undoing' | 'undone' }>): View {
  const { undoing, ...rest } = view
  if (input.type === 'undone')
    return withNotice({ ...view, undoing: { stage: undoing?.stage ?? 'quoted', text: input.text } })
  if (input.isUndoing) return { ...view, undoing: { stage: 'moving' } }
  return undoing?.text === undefined ? rest : view
}

/** The head has moved. @param isEmpty no entry is left, so nothing is quoted */
export function foldUndoneHead(view: View, isEmpty: boolean): View {
  if (view.undoing?.stage !== 'moving') return view
  return withNotice({ ...view, undoing: { ...view.undoing, stage: isEmpty ? 'quoted' : 'quoting' } })
}

/** The end of the conversation is shown. */
export function foldQuotedEnd(view: View): View {
  if (view.undoing?.stage !== 'quoting') return view
  return withNotice({ ...view, undoing: { ...view.undoing, stage: 'quoted' } })
}

function withNotice(view: View): View {
  const { undoing, ...rest } = view
  if (undoing?.stage !== 'quoted' || undoing.text === undefined) return view
  return addNotice(rest, { level: 'success', text: undoing.text })
}
