// Sends messages of a module of pi into the conversation, and shows them to models where they belong.
import { randomUUID } from 'node:crypto'
import { EMPTY, catchError, lastValueFrom, toArray } from 'rxjs'
import { custom } from '../../../streams/events/custom-event.ts'
import type { EventNamed } from '../../../streams/events/event.ts'
import type { AgentContext } from '../../../streams/ports/agent-context.ts'
import { customInput } from '../../../streams/messages/context-message.ts'
import type { ImageContent, Message, UserContent } from '../../../streams/messages/message.ts'
import { branch } from '../../../streams/state/fold-session.ts'
import type { Entry } from '../../../streams/state/fold-session.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { PiOwnEntry, PiRuntime } from '../contract/pi-runtime.ts'
import { contentText } from '../contract/pi-shapes.ts'
import type { PiContent, PiMessage, PiPart } from '../contract/pi-shapes.ts'
import { renderOwnEntry } from './render-entry.ts'

export type Publish = (event: EventNamed<'custom'>) => void

type DeliverAs = 'steer' | 'followUp' | 'nextTurn' | undefined

/** At most this many entries of a module are kept in memory; the log has all of them. */
const mostEntries = 10_000

/** The `custom` event of an entry: the log keeps it. */
export const piEntryType = 'pi_entry'

/** Appends an entry behind the head. Models receive it if it has a message. */
export function appendOwnEntry(
  runtime: PiRuntime,
  publish: Publish,
  entry: Pick<PiOwnEntry, 'customType' | 'message' | 'data'>,
  after = runtime.api.session.state()?.headEntryId ?? null,
): void {
  const own: PiOwnEntry = { ...entry, id: randomUUID().slice(0, 8), after, time: Date.now() }
  if (runtime.entries.length >= mostEntries)
    throw new Failure('overloaded', `A module of pi may write ${mostEntries} entries in a session`)
  runtime.entries.push(own)
  publish(custom(piEntryType, { ...own, module: runtime.path }))
  renderOwnEntry(runtime, own)
}

/** The entries that the module wrote before, of this session's log: those of other modules are not its own. */
export async function restoreEntries({ api, entries, path }: PiRuntime): Promise<void> {
  const known = new Set(entries.map(({ id }) => id))
  const recorded = await lastValueFrom(api.session.recorded(piEntryType).pipe(toArray()), { defaultValue: [] })
  const own = recorded
    .map(({ data }) => data as PiOwnEntry & { readonly module?: string }) // appendOwnEntry wrote it
    .filter(({ id, module = path }) => module === path && !known.has(id))
  entries.unshift(...own.slice(-mostEntries))
}

/** pi's `sendMessage`. */
export function sendCustomMessage(
  runtime: PiRuntime,
  publish: Publish,
  message: PiMessage & { readonly customType: string },
  { triggerTurn, deliverAs }: { readonly triggerTurn?: boolean; readonly deliverAs?: DeliverAs } = {},
): void {
  const isRunning = runtime.api.session.state()?.running !== undefined
  if (deliverAs === 'nextTurn') runtime.afterPrompt.push(message)
  else if (isRunning ? triggerTurn !== false : triggerTurn === true) {
    const text = contentText(message.content)
    runtime.sent.push({ message, text })
    renderOwnEntry(runtime, { customType: message.customType, message })
    sendText(runtime, message.content ?? '', deliverAs)
  } else if (isRunning) runtime.afterTurn.push(message)
  else appendOwnEntry(runtime, publish, { customType: message.customType, message })
}

/** pi's `sendUserMessage`: a prompt, or an input of the run that is on. */
export function sendText(
  runtime: PiRuntime,
  content: PiContent,
  deliverAs: DeliverAs,
  { expand = false }: { readonly expand?: boolean } = {},
): void {
  const { session, ui } = runtime.api
  const text = contentText(content)
  const images = typeof content === 'string' ? [] : content.filter(isImage)
  const input = { text, expand, ...(images.length > 0 && { images }) }
  const isRunning = session.state()?.running !== undefined
  const type = !isRunning ? 'prompt' : deliverAs === 'followUp' ? 'follow_up' : 'steer'
  runtime.ownInputs.add(text)
  session
    .send({ type, ...input })
    .pipe(
      catchError((error: unknown) => {
        runtime.ownInputs.delete(text)
        ui.notify(`A message of ${runtime.path} was refused: ${Failure.from(error).message}`, 'error')
        return EMPTY
      }),
    )
    .subscribe(() => {
      runtime.ownInputs.delete(text)
    })
}

function isImage(part: PiPart): part is PiPart & ImageContent {
  return part.type === 'image' && part.data !== undefined && part.mimeType !== undefined
}

/** The messages of a request with those of the module behind the entries that they follow. */
export function withOwnMessages(
  runtime: PiRuntime,
  messages: AgentContext['messages'],
): readonly (Message | PiMessage)[] {
  const own = runtime.entries.filter(({ message }) => message !== undefined)
  if (own.length === 0) return messages
  const state = runtime.api.session.state()
  const here = new Set(state === undefined ? [] : branch(state).map(({ entryId }) => entryId))
  const following = new Map<string, PiMessage[]>()
  for (const { after, customType, message, time } of own) {
    if (after !== null && state?.entries.has(after) === true && !here.has(after)) continue // of another branch
    const before = receivedAt(state?.entries, after)
    const key = before === undefined ? '' : messageKey(before)
    following.set(key, [...(following.get(key) ?? []), { role: 'custom', customType, timestamp: time, ...message }])
  }
  const take = (key: string): readonly PiMessage[] => {
    const taken = following.get(key) ?? []
    following.delete(key) // two inputs may be of the same millisecond
    return taken
  }
  return [...take(''), ...messages.flatMap((message) => [message, ...take(messageKey(message))])]
}

/** The message as models receive it, or the nearest before it that they do. Undefined: there is none. */
function receivedAt(entries: ReadonlyMap<string, Entry> | undefined, after: string | null): Message | undefined {
  for (let entry = entries?.get(after ?? ''); entry !== undefined; entry = entries?.get(entry.parentId ?? '')) {
    const { message } = entry
    const received = modelRoles.has(message.role) ? message : customInput(message)
    if (received !== undefined) return received
  }
  return undefined
}

const modelRoles: ReadonlySet<string> = new Set(['user', 'assistant', 'toolResult'])

/** The results of one batch are of the same millisecond. */
function messageKey(message: Message): string {
  const { role, timestamp } = message
  return role === 'toolResult' ? `${role} ${timestamp} ${message.toolCallId}` : `${role} ${timestamp}`
}

/** Messages that models receive: one of a module is input of the user. */
export function asModelMessages(messages: readonly (Message | PiMessage)[]): Message[] {
  return messages.map((message) => (message.role === 'custom' ? userMessage(message) : (message as Message)))
}

function userMessage({ content = '', timestamp = 0 }: PiMessage): Message {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return { role: 'user', content: parts as UserContent[], timestamp } // pi's parts are of the same form
}
