// Folds questions: opens a dialog for the first one; a notice names the client that answered.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { QuestionOutcome } from '../../../lib/streams/events/feature-event-fields.ts'
import { foldFeature } from '../../../lib/streams/state/fold-features.ts'
import { foldRequests } from '../../../lib/streams/state/fold-inputs.ts'
import type { View } from './view.ts'
import { addNotice } from './view.ts'

type QuestionEvent = EventNamed<'ui_request' | 'ui_resolved' | 'question' | 'question_resolved'>
type Resolved = Extract<QuestionEvent, { readonly outcome: unknown }>

/** A question of either event. */
export type OpenQuestion = View['requests'][number] | View['questions'][number]

/** The questions that a dialog asks, in the order of the dialogs. */
export function openQuestions({ requests, questions }: Pick<View, 'requests' | 'questions'>): readonly OpenQuestion[] {
  return [...requests.filter(({ kind }) => kind !== 'notify'), ...questions]
}

export function foldQuestion(view: View, event: QuestionEvent): View {
  switch (event.type) {
    case 'ui_request':
      return withDialog(withNotify({ ...view, requests: foldRequests(view.requests, event) }, event))
    case 'question':
      return withDialog(foldFeature(view, event))
    case 'ui_resolved':
      return closeQuestion(view, { ...view, requests: foldRequests(view.requests, event) }, event)
    case 'question_resolved':
      return closeQuestion(view, foldFeature(view, event), event)
  }
}

function closeQuestion(before: View, after: View, event: Resolved): View {
  const isOwn = before.answered.includes(event.requestId)
  const resolved = [...before.requests, ...before.questions].find(({ requestId }) => requestId === event.requestId)
  if (isOwn) return withDialog({ ...after, answered: after.answered.filter((id) => id !== event.requestId) })
  return withDialog(resolved === undefined ? after : withResolved(after, resolved, event))
}

/** Opens the dialog of the first open question, in place of a picker; closes it if there is none. */
export function withDialog(view: View): View {
  const { overlay, ...closed } = view
  const open = openQuestions(view)
  const [first] = open
  if (first === undefined) return overlay?.name === 'dialog' ? closed : view
  if (overlay?.name === 'dialog' && open.some(({ requestId }) => requestId === overlay.requestId)) return view
  return { ...view, overlay: { name: 'dialog', requestId: first.requestId } }
}

function withNotify(view: View, { kind, source, text }: View['requests'][number]): View {
  return kind === 'notify' ? addNotice(view, { level: 'info', text: `${source}: ${text}` }) : view
}

function withResolved(view: View, { kind, text }: OpenQuestion, event: Resolved): View {
  if (kind === 'notify') return view
  const [question = ''] = text.split('\n', 1)
  if (event.by === 'recovery') return addNotice(view, { level: 'info', text: `${unanswered(kind)}: ${question}` })
  const by = resolvers[event.by] ?? 'Answered'
  const answer = event.type === 'ui_resolved' ? answerText(event.outcome) : choiceText(event.outcome)
  return addNotice(view, { level: 'info', text: `${by}: ${question} — ${answer}` })
}

/** Recovery gives no answer: it ends the question. */
function unanswered(kind: string): string {
  const ended = 'The server ended before this was answered'
  return kind === 'plan' ? `${ended}, and proposes the plan again` : ended
}

const resolvers: Readonly<Record<string, string>> = {
  client: 'Answered elsewhere',
  timeout: 'Not answered in time',
  default: 'The question was closed',
}

function answerText(outcome: unknown): string {
  if (outcome === true) return 'yes'
  if (outcome === false) return 'no'
  return typeof outcome === 'string' ? outcome : 'no answer'
}

function choiceText({ choice, pattern }: QuestionOutcome): string {
  return pattern === undefined ? choice : `${choice} ${pattern}`
}
