// Describes the request that a session would send next: its parts, and what it leaves out.
import type { RequestSettings } from '../../operators/ports/run-ports.ts'
import type { NextRequest, RequestPart } from '../../streams/commands/context-commands.ts'
import type { Message } from '../../streams/messages/message.ts'
import { modelName } from '../../streams/models/model.ts'
import type { PromptSections } from '../../streams/ports/prompt-sections.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { contextCharacters, tokenEstimate } from '../../streams/ports/token-estimate.ts'
import { countContextChanges } from '../../streams/state/received-messages.ts'
import type { Session } from '../contract/session.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCore } from './session-core.ts'

/** The members of an open session that describe its next request. */
export function requestReaders(
  { settings, conversation, parts: { sectionsFor } }: Pick<SessionCore, 'settings' | 'conversation' | 'parts'>,
  { state$ }: Pick<Pipeline, 'state$'>,
): Required<Pick<Session, 'nextRequest' | 'unlistedTools'>> {
  return {
    nextRequest: () => {
      const current = settings.current()
      return nextRequest({
        settings: current,
        sections: sectionsFor?.(current.tools),
        messages: conversation.modelMessages,
        changes: countContextChanges(state$.value),
        unlisted: settings.unlisted(),
      })
    },
    unlistedTools: () => settings.unlisted(),
  }
}

interface NextRequestOptions {
  readonly settings: Pick<RequestSettings, 'model' | 'system' | 'tools'>
  /** The sections of `settings.system`. Absent: it is one text. */
  readonly sections?: PromptSections | undefined
  /** As models receive them. */
  readonly messages: readonly Message[]
  /** Absent: none. */
  readonly changes?: NextRequest['changes'] | undefined
  /** Active tools that the request leaves out. Absent: none. */
  readonly unlisted?: readonly AnyTool[]
}

/** Tokens are estimated with the usage of the last answer, as compaction does. */
function nextRequest({ settings, sections, messages, changes, unlisted = [] }: NextRequestOptions): NextRequest {
  const { model, system, tools } = settings
  const estimate = tokenEstimate({ system, tools, messages, model })
  const tokensOf = (bytes: number): number =>
    estimate({ role: 'user', content: [{ type: 'text', text: '', bytes }], timestamp: 0 }) - estimate(emptyMessage)
  const tokensOfTool = (tool: AnyTool): number =>
    tokensOf(contextCharacters({ system: '', tools: [tool], messages: [] }))
  const texts = (sections ?? [{ name: 'system', text: system }]).filter(({ text }) => text !== '')
  const parts: RequestPart[] = [
    ...texts.map(({ name, text }) => ({ kind: 'section', name, tokens: tokensOf(text.length), text })),
    ...tools.map((tool) => {
      const { name, description, parameters } = tool
      return { kind: 'tool', name, tokens: tokensOfTool(tool), text: JSON.stringify({ name, description, parameters }) }
    }),
    ...messageParts(messages, estimate),
  ]
  return {
    model: modelName(model),
    ...(model.contextWindow === undefined ? {} : { contextWindow: model.contextWindow }),
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    parts,
    ...(changes === undefined ? {} : { changes }),
    ...(unlisted.length === 0
      ? {}
      : { unlisted: unlisted.map((tool) => ({ name: tool.name, tokens: tokensOfTool(tool) })) }),
  }
}

const emptyMessage: Message = { role: 'user', content: '', timestamp: 0 }

/** One part for each role, in the order of the first message. */
function messageParts(messages: readonly Message[], estimate: (message: Message) => number): RequestPart[] {
  const byRole = new Map<string, { tokens: number; count: number }>()
  for (const message of messages) {
    const { tokens, count } = byRole.get(message.role) ?? { tokens: 0, count: 0 }
    byRole.set(message.role, { tokens: tokens + estimate(message), count: count + 1 })
  }
  return [...byRole].map(([name, counts]) => ({ kind: 'messages', name, ...counts }))
}
