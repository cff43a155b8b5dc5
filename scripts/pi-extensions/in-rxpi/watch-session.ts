// Records what a session of rxpi shows and holds, and answers its questions as the situation says.
import type { AgentEvent, Session } from '../../../lib/index.ts'
import type { Shown } from '../contract/extension-record.ts'
import { plainText } from '../contract/plain-text.ts'
import type { Answers } from '../contract/situation.ts'
import { UserAnswers } from '../contract/user-answers.ts'
import { messageLine } from '../play/message-line.ts'
import { isWatched, watchSurfaces } from './watch-surfaces.ts'

export interface Watched {
  readonly shown: Shown[]
  readonly errors: string[]
  readonly transcript: string[]
  /** What the layer for pi reports as different. */
  readonly differences: string[]
  readonly customTypes: Set<string>
  readonly answers: UserAnswers
}

type RequestEvent = Extract<AgentEvent, { type: 'ui_request' }>

/** @param customTypes messages and entries of these types are in the transcript: their notices are not listed */
export function newWatch(situation: Answers | undefined, customTypes: Set<string>): Watched {
  return { shown: [], errors: [], transcript: [], differences: [], customTypes, answers: new UserAnswers(situation) }
}

export function watchSession(session: Session, watched: Watched): void {
  watchSurfaces(session, watched)
  session.answering$.subscribe()
  session.events().subscribe((event) => {
    if (event.type === 'ui_request') answerRequest(session, watched, watched.answers, event)
    else watchEvent(watched, event)
  })
  session.events$.subscribe((event) => {
    if (event.type !== 'status') return
    if (event.code === 'extension_status' && isWatched(session)) showStatus(watched.shown, event.context)
    const { text } = (event.context ?? {}) as { readonly text?: string }
    if (event.code === 'extension_editor') watched.shown.push({ kind: 'editor text', text: plainText(text ?? '') })
    if (event.code === 'extension_leave') watched.shown.push({ kind: 'shutdown', text: 'requested' })
  })
}

function answerRequest(session: Session, watched: Watched, answers: UserAnswers, request: RequestEvent): void {
  const { shown } = watched
  const { kind, requestId, text, options = [], timeoutMs } = request
  const limit = timeoutMs === undefined ? '' : `\n(within ${timeoutMs} ms)`
  if (kind === 'notify') {
    showNotice(watched, 'info', text)
    return
  }
  const list = options.map((option) => `\n- ${option}`).join('')
  const isEditor = kind === 'input' && isEditorText(text)
  shown.push({ kind: isEditor ? 'editor' : kind, text: plainText(`${text}${list}${limit}`) })
  const outcome =
    kind === 'select'
      ? (answers.option(options) ?? null)
      : kind === 'confirm'
        ? answers.next('confirm', true) === true
        : inputAnswer(answers, text)
  queueMicrotask(() => session.send({ type: 'ui_response', requestId, outcome }).subscribe({ error: () => undefined }))
}

/** An editor of pi is an input here; its text follows the title. */
function inputAnswer(answers: UserAnswers, text: string): string | null {
  const [, ...rest] = text.split('\n')
  return isEditorText(text) ? answers.next('editor', rest.join('\n')) : answers.next('input', 'an answer')
}

function isEditorText(text: string): boolean {
  return text.split('\n').length > 2 || /edit/i.test(text)
}

function showNotice({ shown, differences, customTypes }: Watched, level: string, text: string): void {
  const [first = ''] = text.split('\n')
  if (first.endsWith(':') && customTypes.has(first.slice(0, -1))) return
  if (/ of pi (?:differs|is not available) in rxpi/.test(text)) differences.push(plainText(text))
  else shown.push({ kind: 'notify', text: plainText(`${level}: ${text}`) })
}

function watchEvent(watched: Watched, event: AgentEvent): void {
  const { errors, transcript } = watched
  switch (event.type) {
    case 'warning':
    case 'error':
      if (event.code === 'extension') showNotice(watched, event.type, event.message)
      else errors.push(plainText(`${event.code}: ${event.message}`))
      break
    case 'message_end':
      transcript.push(messageLine(event.message))
      break
    case 'compaction':
      transcript.push(plainText(`compaction: ${event.summary}`))
      break
    case 'custom':
      watched.customTypes.add((event.data as { customType: string }).customType)
      transcript.push(entryLine(event.data as never))
      break
    default:
  }
}

function showStatus(shown: Shown[], context: unknown): void {
  const { key, text } = context as { key: string; text: string | null }
  const widget = /^widget (.*)$/.exec(key)?.[1]
  if (widget !== undefined) shown.push({ kind: `widget ${widget} aboveEditor`, text: plainText(text ?? '(none)') })
  else if (key === 'title') shown.push({ kind: 'title', text: plainText(text ?? '') })
  else shown.push({ kind: 'status', text: plainText(`${key}: ${text ?? '(none)'}`) })
}

function entryLine({ customType, message }: { customType: string; message?: object }): string {
  return message === undefined ? `entry ${customType}` : messageLine({ role: 'custom', customType, ...message })
}
