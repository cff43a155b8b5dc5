// Puts a server's question to a person: a form, or a page to open.
// Guarantees: no form asks for a secret, and the values of an accepted form fit the form.
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ElicitAnswer, McpClientPorts } from '../contract/mcp-requests.ts'
import { describingText } from '../content/foreign-text.ts'
import { readForm } from './read-form.ts'
import type { Form } from './read-form.ts'

const maxMessageBytes = 4_096
const maxUrlLength = 8_192

export interface Questioner {
  readonly server: string
  readonly ports: McpClientPorts
  readonly toolCallId: string
}

/** Emits one answer: `decline` and a notice for a question that no person is shown. Unsubscribing withdraws the question. */
export function answerElicitation(params: ElicitRequest['params'], questioner: Questioner): Observable<ElicitResult> {
  return params.mode === 'url' ? openPage(params, questioner) : askForm(params, questioner)
}

type UrlParams = Extract<ElicitRequest['params'], { mode: 'url' }>
type FormParams = Exclude<ElicitRequest['params'], { mode: 'url' }>

function openPage({ url, message, elicitationId }: UrlParams, questioner: Questioner): Observable<ElicitResult> {
  const page = URL.parse(url)
  const problem = pageProblem(url, page)
  if (page === null || problem !== undefined) return declined(questioner, `a page that is not opened: ${problem}`)
  const { server, ports, toolCallId } = questioner
  return ports
    .elicit({
      kind: 'url',
      server,
      message: `${describingText(message, maxMessageBytes)}\n\nThe page is at ${page.host}.`,
      url: page.href,
      elicitationId,
      toolCallId,
    })
    .pipe(map(({ action }) => ({ action })))
}

function pageProblem(url: string, page: URL | null): string | undefined {
  if (page === null || url.length > maxUrlLength) return 'its address is not a URL, or too long'
  const isLocal = page.hostname === 'localhost' || page.hostname === '[::1]' || page.hostname.startsWith('127.')
  if (page.protocol !== 'https:' && !(page.protocol === 'http:' && isLocal)) return 'its address is not https'
  return page.username === '' && page.password === '' ? undefined : 'its address has a user name'
}

function askForm({ message, requestedSchema }: FormParams, questioner: Questioner): Observable<ElicitResult> {
  const form = readForm(requestedSchema)
  if ('problem' in form) return declined(questioner, `a form that is not shown: ${form.problem}`)
  const { server, ports, toolCallId } = questioner
  return ports
    .elicit({
      kind: 'form',
      server,
      message: describingText(message, maxMessageBytes),
      schema: form.schema,
      toolCallId,
    })
    .pipe(map((answer) => formResult(answer, form, questioner)))
}

function formResult({ action, values = {} }: ElicitAnswer, form: Form, { server, ports }: Questioner): ElicitResult {
  if (action !== 'accept') return { action }
  const filled = { ...form.defaults, ...values }
  const [problem] = form.validate(filled)
  if (problem === undefined) return { action, content: filled as NonNullable<ElicitResult['content']> } // just checked
  const field = problem.path === '' ? 'The form' : problem.path.slice(1)
  ports.onNotice({ server, message: `The answer was not sent: ${field} ${problem.reason}.` })
  return { action: 'cancel' }
}

function declined({ server, ports }: Questioner, reason: string): Observable<ElicitResult> {
  ports.onNotice({ server, message: `The server was refused ${reason}.` })
  return of({ action: 'decline' })
}
