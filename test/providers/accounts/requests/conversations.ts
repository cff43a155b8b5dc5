// Lists the conversations whose requests by pi and by rxpi are compared, in a form of neither.
import type { ThinkingLevel } from '../../../../lib/streams/models/model.ts'

/** A part of a conversation. */
export type Turn =
  | { readonly user: string; readonly image?: true }
  | { readonly thinking?: string; readonly text?: string; readonly call?: string }
  | { readonly result: string; readonly of: string; readonly image?: true; readonly isError?: true }

export interface Conversation {
  readonly name: string
  readonly system: string
  readonly withTools: boolean
  readonly level: ThinkingLevel
  readonly turns: readonly Turn[]
}

/** A PNG of one pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const sessionId = 'session-1'

/** What the opaque marks of thinking and calls contain. */
export const marks = { signature: 'c2lnbmF0dXJl', callId: 'call_1' } as const

export const tools = [
  {
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  {
    name: 'note',
    description: 'Notes a text.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
] as const

const system = 'You work on a project.'
const read: Turn = { thinking: 'I look first.', text: 'I read it.', call: 'read' }

export const conversations: readonly Conversation[] = [
  { name: 'first prompt', system, withTools: true, level: 'medium', turns: [{ user: 'Hello' }] },
  { name: 'plain', system: '', withTools: false, level: 'off', turns: [{ user: 'Hello' }] },
  {
    ...{ name: 'image', system, withTools: true, level: 'low' },
    turns: [{ user: 'What is this?', image: true }],
  },
  {
    ...{ name: 'tool result', system, withTools: true, level: 'high' },
    turns: [{ user: 'Read a.txt' }, read, { result: 'one line', of: 'read' }],
  },
  {
    ...{ name: 'failed result', system, withTools: true, level: 'high' },
    turns: [{ user: 'Read a.txt' }, read, { result: 'no such file', of: 'read', isError: true }],
  },
  {
    ...{ name: 'image in a result', system, withTools: true, level: 'high' },
    turns: [{ user: 'Read a.png' }, read, { result: 'a picture', of: 'read', image: true }],
  },
  {
    ...{ name: 'second prompt', system, withTools: true, level: 'xhigh' },
    turns: [{ user: 'Hello' }, { thinking: 'A greeting.', text: 'Hello.' }, { user: 'Go on' }],
  },
]

/** A wire behind an account: what pi calls its API and its model. */
export interface AccountWire {
  readonly name: string
  readonly provider: string
  readonly model: string
  readonly piApi: string
  /** The plan's address. */
  readonly origin: string
}

export const accountWires: readonly AccountWire[] = [
  {
    ...{ name: 'claude', provider: 'anthropic', model: 'claude-opus-4-8' },
    ...{ piApi: 'anthropic-messages', origin: 'https://api.anthropic.com' },
  },
  {
    ...{ name: 'codex', provider: 'openai-codex', model: 'gpt-6-luna' },
    ...{ piApi: 'openai-codex-responses', origin: 'https://chatgpt.com' },
  },
  {
    ...{ name: 'copilot responses', provider: 'github-copilot', model: 'gpt-5.6-sol' },
    ...{ piApi: 'openai-responses', origin: 'https://api.individual.githubcopilot.com' },
  },
  {
    ...{ name: 'copilot completions', provider: 'github-copilot', model: 'gemini-3.8-flash' },
    ...{ piApi: 'openai-completions', origin: 'https://api.individual.githubcopilot.com' },
  },
  {
    ...{ name: 'copilot messages', provider: 'github-copilot', model: 'claude-opus-4.8' },
    ...{ piApi: 'anthropic-messages', origin: 'https://api.individual.githubcopilot.com' },
  },
]

/** A request as both sides record it. */
export interface RecordedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** By wire and conversation. */
export type RequestRecord = Readonly<Record<string, Readonly<Record<string, RecordedRequest>>>>

/** A token as each vendor's looks; ChatGPT's names an account. */
export function tokenOf({ provider }: AccountWire): string {
  if (provider === 'anthropic') return 'sk-ant-oat01-test'
  if (provider !== 'openai-codex') return 'tid=test;exp=1'
  const claims = { 'https://api.openai.com/auth': { chatgpt_account_id: 'account-1' } }
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64')}.c2ln`
}

/** Headers that belong to the SDK, the machine or the transport, and the token. */
export function recordedHeaders(headers: Headers, token: string): Record<string, string> {
  const ignored = /^(x-stainless-.*|content-length|host|connection|accept-encoding|content-encoding)$/
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !ignored.test(name))
      .map(([name, value]) => [name, value.replace(token, '[token]').replace(/^pi \(.*\)$/, 'pi')]),
  )
}
