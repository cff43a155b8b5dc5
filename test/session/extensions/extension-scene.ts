// Opens sessions with extensions, a scripted model and a record of what it gets.
import { Type } from '@sinclair/typebox'
import type { ExtensionApi, ExtensionDefinition } from '../../../lib/extensions/index.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { AgentEvent, EventType } from '../../../lib/streams/events/event.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { defineTool } from '../../../lib/streams/tool-definition/define-tool.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'

type Script = Parameters<typeof scripted>[0]

export const count = defineTool({
  name: 'count',
  description: 'Counts',
  parameters: Type.Object({ to: Type.Optional(Type.Integer()) }),
  capability: 'read',
  execute: ({ to = 0 }) => textResult(`counted to ${to}`),
})
export const callCount = { toolCalls: [{ name: 'count', arguments: { to: 3 } }] }

export function extension(
  setup: (api: ExtensionApi) => void,
  manifest: Partial<Omit<ExtensionDefinition, 'setup'>> = {},
): ExtensionDefinition {
  return { name: 'probe', version: '1.0.0', capabilities: ['read', 'session'], ...manifest, setup }
}

export interface Opened {
  readonly session: Session
  readonly events: AgentEvent[]
  readonly requests: ProviderRequest[]
}

const opened: Session[] = []
/** Each test file calls it after each test: files share this module, so that a hook of its own would be that of one file. */
export function closeOpened(): void {
  for (const session of opened.splice(0)) session.close().subscribe()
}

export function open(
  extensions: readonly ExtensionDefinition[],
  script: Script,
  more: CreateSessionOptions = {},
): Opened {
  const requests: ProviderRequest[] = []
  const play$ = scripted(script)
  const model = {
    model: scriptedModel,
    provider: (request: ProviderRequest) => {
      requests.push({ ...request, messages: [...request.messages] })
      return play$(request)
    },
  }
  const session = createSession({
    model,
    cwd: '/somewhere',
    env: {},
    approve: 'auto',
    extensions,
    settings: { tools: [] },
    ...more,
  })
  opened.push(session)
  const events: AgentEvent[] = []
  session.events$.subscribe((event) => events.push(event))
  return { session, events, requests }
}

export function run({ session }: Opened, text = 'Hi'): void {
  session.send({ type: 'prompt', text }).subscribe()
}

export function named<Name extends EventType>({ events }: Opened, type: Name): Extract<AgentEvent, { type: Name }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Name }> => event.type === type)
}

export function statesOf({ session }: Opened): string[] {
  return [...session.logged()].flatMap(({ event }) => (event.type === 'extension_state' ? [event.state] : []))
}

export function faults(state: Opened): string[] {
  return named(state, 'warning').flatMap(({ code, message }) => (code === 'extension_failed' ? [message] : []))
}
