// Tests the export of a session to pi's format.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportPi } from '../../../lib/store/export/export-pi.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { branch, emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { answered, asText, imported, piEntry, piHeader, piUsage, printed } from '../import/pi-files.ts'
import { assistant, sampleUsage, user } from '../../streams/events/samples.ts'
import { arbitraryEvents, logOf } from './arbitrary-session.ts'

const exported = (log: Parameters<typeof exportPi>[0]): string => [...exportPi(log)].join('')
const lines = (log: Parameters<typeof exportPi>[0]): unknown[] =>
  exported(log)
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
const folded = (log: SessionLog): SessionState =>
  [...log.records()].reduce<SessionState>((state, record) => foldSession(state, record), emptySession())

const end = (entryId: string, parentId: string | null, message: Message = user('said')): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId,
  message,
})

describe('exporting a session to pi', () => {
  it('writes a header and one entry a message, with their ids', () => {
    expect(lines(logOf([end('aaaaaaaa', null), end('bbbbbbbb', 'aaaaaaaa', assistant())], 'Mine'))).toEqual([
      { type: 'session', version: 3, id: 'abcdefghij23', timestamp: '2023-11-14T22:13:20.000Z', cwd: '/tmp' },
      { type: 'session_info', id: '00000001', parentId: null, timestamp: '2023-11-14T22:13:20.000Z', name: 'Mine' },
      {
        type: 'message',
        id: 'aaaaaaaa',
        parentId: '00000001',
        timestamp: '2023-11-14T22:13:20.001Z',
        message: user('said'),
      },
      {
        type: 'message',
        id: 'bbbbbbbb',
        parentId: 'aaaaaaaa',
        timestamp: '2023-11-14T22:13:20.002Z',
        message: assistant(),
      },
    ])
  })

  it('writes the model and the thinking level of a run if they changed', () => {
    const start: AgentEvent = { type: 'agent_start', model: 'openrouter/meta/llama', tools: [], thinkingLevel: 'high' }
    expect(lines(logOf([start, end('aaaaaaaa', null), start])).slice(1)).toMatchObject([
      { type: 'model_change', provider: 'openrouter', modelId: 'meta/llama' },
      { type: 'thinking_level_change', thinkingLevel: 'high', parentId: '00000001' },
      { type: 'message', parentId: '00000002' },
    ])
  })

  it('ends at the head, because pi continues at the last entry', () => {
    const events = [
      end('aaaaaaaa', null),
      end('bbbbbbbb', 'aaaaaaaa'),
      { type: 'head_moved', entryId: 'aaaaaaaa' } as const,
    ]
    expect(lines(logOf(events)).at(-1)).toMatchObject({ type: 'custom', customType: 'rxpi.head', parentId: 'aaaaaaaa' })
  })

  it('writes numbers for unknown costs, and an import reads them as unknown', async () => {
    const unknown = assistant([], { usage: { ...sampleUsage, cost: 'unknown' } })
    const log = logOf([end('aaaaaaaa', null, unknown)])
    expect(lines(log)[1]).toMatchObject({ message: { usage: { cost: { total: 0, unknown: true } } } })
    expect(transcript((await imported(exported(log))).state)).toEqual([unknown])
  })

  it('names an image that is not part of the file', () => {
    const image = { type: 'image' as const, mimeType: 'image/png', blob: 'a'.repeat(64), bytes: 70_000 }
    expect(lines(logOf([end('aaaaaaaa', null, user([image]))]))[1]).toMatchObject({
      message: { content: [{ type: 'text', text: '[image/png, 70000 bytes, is not part of this file]' }] },
    })
  })

  it('restores what an import of pi stored as data', async () => {
    const theirs = [
      piHeader(),
      piEntry('1', null, printed('first')),
      piEntry('2', '1', { ...answered([{ type: 'text', text: 'x' }]), future: 'field' }),
      piEntry('3', '2', { type: 'usage', kind: 'cache_warm', provider: 'p', model: 'm', usage: piUsage }),
      piEntry('4', '3', { type: 'later', what: 'ever' }),
      piEntry('5', '4', { type: 'compaction', summary: 's', firstKeptEntryId: '5', tokensBefore: 9, fromHook: true }),
    ]
    const { store, header } = await imported(asText(theirs))
    const { log } = store.open(header.id)
    expect(lines(log).slice(2)).toMatchObject(
      theirs.slice(1).map(({ id, parentId, firstKeptEntryId: firstStoredEntryId, ...entry }) => entry),
    )
  })

  it('is imported again as the same tree of messages, with the same head', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEvents, async (events) => {
        const log = logOf(events)
        const before = folded(log)
        const { state, notices, events: after } = await imported(exported(log))
        expect(notices).toEqual([])
        expect(transcript(state).map(comparable)).toEqual(transcript(before).map(comparable))
        expect([...state.entries.values()].map(({ message }) => comparable(message))).toEqual(
          [...before.entries.values()].map(({ message }) => comparable(message)),
        )
        expect(depths(state)).toEqual(depths(before))
        const kinds = [
          'label',
          'compaction',
          'branch_summary',
          'session_info_change',
          'model_change',
          'thinking_level_change',
        ]
        const counted = (all: readonly AgentEvent[]): number[] =>
          kinds.map((kind) => all.filter(({ type }) => type === kind).length)
        expect(counted(after)).toEqual(counted(events))
      }),
      { numRuns: 150 },
    )
  })
})

/** The number of messages on the path to each, in order: the shape of a tree without its ids. */
function depths(state: SessionState): number[] {
  return [...state.entries.keys()].map((entryId) => branch(state, entryId).length)
}

/** A custom message of pi has the time of its entry. */
function comparable(message: Message): object {
  return (message.role as string) === 'custom' ? { ...message, timestamp: 0 } : message
}
