// Folds questions: opens a dialog for the first one; a notice says who resolved it elsewhere.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { foldRequests } from '../../../lib/streams/state/fold-inputs.ts'
import type { View } from './view.ts'
import { addNotice } from './view.ts'

type Request = EventNamed<'ui_request'>

export function foldQuestion(view: View, event: EventNamed<'ui_request' | 'ui_resolved'>): View {
  const requests = foldRequests(view.requests, event)
  if (event.type === 'ui_request') return withDialog(withNotify({ ...view, requests }, event))
  const resolved = view.requests.find(({ requestId }) => requestId === event.requestId)
  const { answered, ...rest } = view
  const isOwn = answered === event.requestId
  const next: View = isOwn ? { ...rest, requests } : { ...view, requests }
  return withDialog(resolved === undefined || isOwn ? next : withResolved(next, resolved, event))
}

/** Opens the dialog of the first open question, in place of a picker; closes it if there is none. */
export function withDialog(view: View): View {
  const { overlay, ...closed } = view
  const first = view.requests.find(({ kind }) => kind !== 'notify')
  if (first === undefined) return overlay?.name === 'dialog' ? closed : view
  if (overlay?.name === 'dialog' && view.requests.some(({ requestId }) => requestId === overlay.requestId)) return view
  return { ...view, overlay: { name: 'dialog', requestId: first.requestId } }
}

function withNotify(view: View, { kind, source, text }: Request): View {
  return kind === 'notify' ? addNotice(view, { level: 'info', text: `${source}: ${text}` }) : view
}

function withResolved(view: View, { kind, text }: Request, { outcome, by }: EventNamed<'ui_resolved'>): View {
  if (kind === 'notify') return view
  const [question] = text.split('\n', 1)
  return addNotice(view, { level: 'info', text: `${resolvers[by]}: ${question ?? ''} — ${answerText(outcome)}` })
}

const resolvers = {
  client: 'Answered elsewhere',
  timeout: 'Not answered in time',
  default: 'The question was closed',
  recovery: 'The server ended before this was answered',
} as const satisfies Record<EventNamed<'ui_resolved'>['by'], string>

function answerText(outcome: unknown): string {
  if (outcome === true) return 'yes'
  if (outcome === false) return 'no'
  return typeof outcome === 'string' ? outcome : 'no answer'
}
