// Tests the commands that read sessions: `get_tree`, `get_entries`, `get_context`, `get_stats`.
// Over 250 lines: one set of recorded sessions for four commands.
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, concat, defer } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSessions } from '../../../lib/services/stored/read-sessions.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { NewHeader, SessionStore } from '../../../lib/streams/ports/session-log.ts'
import { answered, asText, piHeader, printed as outputInPi } from '../../store/import/pi-files.ts'
import { appendEvents, sampleHeader } from '../../store/sessions/sample-records.ts'
import { sampleEvents, toolResult, user } from '../../streams/events/samples.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
let files: FileStore
let memory: SessionStore
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-read-'))
  files = fileStore({ home })
  memory = memoryStore()
})
afterEach(() => rmSync(home, { recursive: true }))

const session = sampleHeader().id
const reading = () => readSessions({ memory, files })
const output = (entryId: string, parentId: string | null, message = user(entryId) as never): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId,
  message,
})
const [a, b, c, d] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'] as const
const events: readonly AgentEvent[] = [
  output(a, null),
  { ...sampleEvents.tool_execution_start, toolCallId: 'call_1' },
  {
    ...sampleEvents.tool_execution_end,
    toolCallId: 'call_1',
    toolName: 'read',
    content: [{ type: 'text', text: 'out' }],
  },
  output(b, a, toolResult() as never),
  output(c, a),
  { type: 'label', targetEntryId: c, label: 'here' },
  { type: 'session_info_change', to: { title: 'Named' } },
]

async function made(header: Partial<NewHeader> = {}, own: readonly AgentEvent[] = events): Promise<void> {
  const log = files.create(sampleHeader(header))
  appendEvents(log, own)
  await valuesOf(log.close())
}
async function one<Result>(results: Promise<Result[]>): Promise<Result> {
  const [result, ...more] = await results
  if (result === undefined || more.length > 0) throw new Error('not one answer')
  return result
}

it('closes the log on unsubscribe', async () => {
  const long = Array.from({ length: 20_000 }, () => sampleEvents.turn_start)
  await made({}, long)
  const { open } = files
  const closed = new Promise<void>((resolve) => {
    const watched: FileStore = {
      ...files,
      open: (...requests) => {
        const opened = open(...requests)
        const close$ = opened.log.close.bind(opened.log)
        opened.log.close = () =>
          concat(
            close$(),
            defer(() => (resolve(), EMPTY)),
          )
        return opened
      },
    }
    readSessions({ memory, files: watched }).getTree({ session }).subscribe().unsubscribe()
  })
  await closed
})

describe('get_tree', () => {
  it('returns the nodes, the title, and the sessions that branch off from it [COMMAND-get_tree]', async () => {
    await made({ title: 'First' })
    await made({ id: 'bbbbbbbbbbbb', parent: { sessionId: session, entryId: a }, title: 'Child' }, [])
    const tree = await one(valuesOf(reading().getTree({ session })))
    expect(tree).toMatchObject({ title: 'Named', headEntryId: c, header: { id: session } })
    expect(
      tree.entries.map(({ entryId, firstWords, label, isOnBranch }) => [entryId, firstWords, label, isOnBranch]),
    ).toEqual([
      [a, a, undefined, true],
      [b, 'out', undefined, false],
      [c, c, 'here', true],
    ])
    expect(tree.children).toMatchObject([{ session: 'bbbbbbbbbbbb', entryId: a, title: 'Child' }])
    expect(await one(valuesOf(reading().getTree({ session: 'bbbbbbbbbbbb' })))).toMatchObject({
      title: 'Child',
      entries: [],
    })
  })
})

describe('get_entries', () => {
  const ids = async (wanted: object) => {
    const { entries, more } = await one(valuesOf(reading().getEntries({ session, ...wanted })))
    return [entries.map(({ entryId }) => entryId), more]
  }

  it.each<[object, string[], boolean]>([
    [{}, [a, b, c], false],
    [{ limit: 2 }, [a, b], true],
    [{ after: 1, limit: 1 }, [b], true],
    [{ after: 4 }, [c], false],
    [{ after: 99 }, [], false],
    [{ before: 5 }, [a, b], false],
    [{ before: 5, limit: 1 }, [b], true],
    [{ branch: 'head' }, [a, c], false],
    [{ branch: b }, [a, b], false],
    [{ branch: 'head', after: 1 }, [c], false],
  ])('returns for %j %j [COMMAND-get_entries]', async (wanted, entries, more) => {
    await made()
    expect(await ids(wanted)).toEqual([entries, more])
  })

  it('returns a whole result, and the end of the log', async () => {
    await made()
    const { entries, head, headEntryId } = await one(valuesOf(reading().getEntries({ session, after: 3, limit: 1 })))
    expect(entries).toMatchObject([{ entryId: b, parentId: a, seq: 4, message: { content: [{ text: 'out' }] } }])
    expect([head, headEntryId]).toEqual([events.length, c])
  })

  it('returns at most 1 Mi characters at once, but at least one entry, and all page by page in both directions [COMMAND-get_entries]', async () => {
    const sizes = [600_000, 600_000, 3_000_000, 10, 10, 600_000]
    const ids = sizes.map((_, index) => 'abcdef'.charAt(index).repeat(8))
    await made(
      {},
      sizes.map((size, index) =>
        output(ids[index] ?? '', ids[index - 1] ?? null, {
          role: 'user',
          content: 'x'.repeat(size),
          timestamp: 1,
        } as never),
      ),
    )
    const page = (wanted: object) => one(valuesOf(reading().getEntries({ session, ...wanted })))
    const forth: string[][] = []
    for (let after = 0, more = true; more;) {
      const answer = await page({ after })
      forth.push(answer.entries.map(({ entryId }) => entryId))
      after = answer.entries.at(-1)?.seq ?? 0
      more = answer.more
    }
    const back: string[][] = []
    for (let before = 99, more = true; more;) {
      const answer = await page({ before })
      back.unshift(answer.entries.map(({ entryId }) => entryId))
      before = answer.entries[0]?.seq ?? 0
      more = answer.more
    }
    const [first, second, third, fourth, fifth, sixth] = ids
    expect(forth).toEqual([[first], [second], [third], [fourth, fifth, sixth]])
    expect(back).toEqual([[first], [second], [third], [fourth, fifth, sixth]])
  })

  it.each([[{ after: 1, before: 2 }], [{ branch: d }]])('refuses %j', async (wanted) => {
    await made()
    await expect(ids(wanted)).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('the summaries of get_entries', () => {
  const summary = (entryId: string, parentId: string, firstStoredEntryId: string): AgentEvent => ({
    ...sampleEvents.compaction,
    ...{ entryId, parentId, firstKeptEntryId: firstStoredEntryId },
  })
  const [s, t, e] = ['ssssssss', 'tttttttt', 'eeeeeeee'] as const
  const talk = [
    output(a, null),
    output(b, a),
    summary(s, b, b),
    output(c, s),
    output(d, c),
    summary(t, d, d),
    output(e, t),
  ]

  it.each<[object, string[], string | undefined]>([
    [{}, [s, t], undefined],
    [{ branch: 'head' }, [s, t], t],
    [{ branch: c }, [s], s],
    [{ branch: b }, [], undefined],
    [{ branch: 'head', before: 99, limit: 1 }, [], t],
    [{ branch: 'head', before: 99, limit: 2 }, [t], t],
    [{ branch: 'head', limit: 3 }, [s], t],
    [{ branch: 'head', after: 4 }, [t], t],
  ])('%j', async (wanted, ids, compaction) => {
    await made({}, talk)
    const found = await one(valuesOf(reading().getEntries({ session, ...wanted })))
    expect((found.summaries ?? []).map(({ event }) => event.entryId)).toEqual(ids)
    expect(found.compaction?.event.entryId).toBe(compaction)
  })
})

describe('get_context', () => {
  it('returns the messages that a model gets at the head or at an entry, with their tokens [COMMAND-get_context]', async () => {
    const note = { role: 'note', timestamp: 1, content: 'not for models' } as never
    await made({}, [
      ...events,
      { ...sampleEvents.compaction, entryId: d, parentId: c, firstKeptEntryId: c },
      output('eeeeeeee', d, note),
    ])
    const head = await one(valuesOf(reading().getContext({ session })))
    expect(head.messages).toMatchObject([{ content: expect.stringContaining('short') as string }, { content: c }])
    expect(head).toMatchObject({ entryId: 'eeeeeeee' })
    expect(head.tokens).toBeGreaterThan(20)
    const { messages } = await one(valuesOf(reading().getContext({ session, entryId: b })))
    expect(messages.map(({ role }) => role)).toEqual(['user', 'toolResult'])
  })

  it('refuses an unknown entry', async () => {
    await made()
    await expect(valuesOf(reading().getContext({ session, entryId: d }))).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('get_stats', () => {
  it('counts messages, calls and usage [COMMAND-get_stats]', async () => {
    await made()
    expect(await valuesOf(reading().getStats({ session }))).toMatchObject([
      { runs: 0, messages: { user: 2, toolResult: 1 }, tools: { read: { calls: 1 } } },
    ])
  })
})

describe('reading a session', () => {
  it('works while another process holds it, and leaves nothing open', async () => {
    const log = files.create(sampleHeader())
    appendEvents(log, events)
    expect(await one(valuesOf(reading().getTree({ session })))).toMatchObject({ headEntryId: c })
    appendEvents(log, [{ type: 'head_moved', entryId: a }])
    expect(await one(valuesOf(reading().getTree({ session })))).toMatchObject({ headEntryId: a })
    await valuesOf(log.close())
  })

  it('reads up to the damage', async () => {
    await made()
    appendFileSync(files.fileOf(session), 'damaged\n')
    expect(await one(valuesOf(reading().getTree({ session })))).toMatchObject({ title: 'Named', headEntryId: c })
  })

  it('finds a session in memory', async () => {
    const log = memory.create(sampleHeader())
    appendEvents(log, events)
    expect(await one(valuesOf(reading().getTree({ session })))).toMatchObject({ headEntryId: c })
  })

  it('reads a session file like a session: the same ids each time, and no session is created', async () => {
    const file = path.join(home, 'talk.jsonl')
    const old = piHeader({ version: undefined }) // entries of the oldest pi files have no ids
    writeFileSync(file, asText([old, outputInPi('Hi'), answered([{ type: 'text', text: 'Ho' }])]))
    const tree = await one(valuesOf(reading().getTree({ file })))
    expect(tree).toMatchObject({ entries: [{ firstWords: 'Hi' }, { firstWords: 'Ho' }], children: [] })
    expect(await one(valuesOf(reading().getTree({ file })))).toEqual(tree)
    const [first] = tree.entries
    const { entries } = await one(valuesOf(reading().getEntries({ file, branch: first?.entryId ?? '' })))
    expect(entries).toMatchObject([{ entryId: first?.entryId, message: { content: 'Hi' } }])
    expect(await one(valuesOf(reading().getStats({ file })))).toBeDefined()
    expect(existsSync(path.join(home, 'sessions'))).toBe(false)
  })

  it.each([{}, { session, file: '/a' }, { file: 'a' }, { file: '/nowhere' }])('of %j is refused', async (target) => {
    await expect(valuesOf(reading().getTree(target))).rejects.toMatchObject({ code: 'bad_request' })
  })

  it.each(['zzzzzzzzzzzz', '../../../etc'])('of %j fails', async (unknown) => {
    await expect(valuesOf(reading().getTree({ session: unknown }))).rejects.toMatchObject({ code: 'unknown_session' })
  })
})
