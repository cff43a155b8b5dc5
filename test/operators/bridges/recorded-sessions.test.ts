// Tests the bridges with recorded sessions: no event is refused, and no message is lost.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { gatewayNames } from '../../../lib/operators/bridges/gateway-names.ts'
import { toGatewayEvents } from '../../../lib/operators/bridges/to-gateway-events.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { importSession } from '../../../lib/store/import/import-session.ts'
import type { AssistantContent } from '../../../lib/streams/messages/message.ts'
import { memoryLog } from '../../../lib/streams/memory/memory-log.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import { valuesOf } from '../../support/values-of.ts'
import { verifiedAgUi } from './ag-ui-verified.ts'

const logs = path.resolve(import.meta.dirname, '../../compat/fixtures/logs')
const names = readdirSync(logs).filter((name) => name.endsWith('.jsonl'))
const fixtures = process.env['RXPI_FIXTURES']

/** Without the checkpoints of an open message, which a reader of a file leaves out. */
function recorded(name: string): AgentEvent[] {
  const [header = '', ...rest] = readFileSync(path.join(logs, name), 'utf8').trimEnd().split('\n')
  const lines = [header, ...rest.filter((line) => 'seq' in (JSON.parse(line) as object))]
  return [...memoryLog({ lines }).records()].map(({ event }) => event)
}

async function importedEvents(file: string): Promise<AgentEvent[]> {
  const store = memoryStore()
  const pieces = [readFileSync(file)]
  const [result] = await valuesOf(importSession({ name: file, pieces, cwd: '/', store, ids: randomIds(), now: 1 }))
  if (result === undefined) throw new Error('nothing was imported')
  return [...store.open(result.header.id).log.records()].map(({ event }) => event)
}

/** The texts of users and models, in order. */
function textsOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'message_end' || event.message.role === 'toolResult') return []
    const { role, content }: { readonly role: string; readonly content?: unknown } = event.message
    if (role === 'user') return [messageText(event.message)]
    return role === 'assistant' && Array.isArray(content) ? [(content as AssistantContent[]).map(textIn).join('')] : []
  })
}

function textIn(part: AssistantContent): string {
  return part.type === 'text' ? part.text : ''
}

function expectBridged(events: readonly AgentEvent[]): void {
  const translated = verifiedAgUi(events)
  const texts = new Map<string, string>()
  for (const event of translated)
    if (event.type === 'TEXT_MESSAGE_CONTENT')
      texts.set(event.messageId, (texts.get(event.messageId) ?? '') + event.delta)
  expect([...texts.values()]).toEqual(textsOf(events).filter((text) => text !== ''))
  const frames: string[] = []
  from(events)
    .pipe(toGatewayEvents())
    .subscribe(({ event }) => frames.push(event))
  expect(frames).toEqual(events.map(({ type }) => gatewayNames[type]))
}

describe('recorded sessions', () => {
  it.each(names)('%s becomes AG-UI and gateway frames', (name) => {
    expectBridged(recorded(name))
  })

  const imported = ['pi_large-session.jsonl', 'pi_before-compaction.jsonl']
  if (fixtures === undefined) it.skip('of pi are not here: RXPI_FIXTURES does not name their folder')
  else
    it.each(imported)('%s, imported, becomes AG-UI and gateway frames', async (name) => {
      expectBridged(await importedEvents(path.join(fixtures, 'sessions', name)))
    })
})
