// Tests opening a session on an existing log: it continues from the log's last line.
import { describe, expect, it } from 'vitest'
import { openSession } from '../../../lib/session/create/open-session.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { playSession } from '../../support/virtual-session.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { RunLimits } from '../../../lib/streams/config/settings.ts'

/** Plays a first session on a log, closes it, and opens the same log again. */
function reopened(first: Parameters<typeof playSession>[0] & object) {
  const store = memoryStore()
  const stored = faultyLog(store)
  const before = playSession({ ...(first as object), log: stored } as Parameters<typeof playSession>[0])
  before.session.close().subscribe()
  const log = stored.reopen()
  return { before, log: { ...stored, log } }
}

describe('openSession', () => {
  it('continues at the head: transcript, numbers and parents', () => {
    const { before, log } = reopened({ script: ['one'], prompt: 'Hi' })
    const again = playSession({ script: ['two'], log, prompt: 'again' })
    expect(again.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(again.records[0]?.seq).toBe(before.records.filter(({ seq }) => seq !== undefined).length + 1)
    const start = again.events.find((event) => event.type === 'message_start')
    expect(start).toMatchObject({ parentId: before.session.state$.value.headEntryId })
  })

  it('has the folded state of the log', () => {
    const { before, log } = reopened({
      script: [{ toolCalls: [{ name: 'a' }] }, 'done'],
      tools: [fakeTool('a', 'of a')],
      prompt: 'Hi',
    })
    const again = playSession({ script: [], log })
    expect({ ...again.session.state$.value }).toEqual({ ...before.session.state$.value })
  })

  it('keeps queued inputs, and starts no run by itself [LOG-queued]', () => {
    const { log } = reopened({
      script: [],
      at: {
        0: ({ send }) => send({ type: 'steer', text: 'mind this' }),
        1: ({ send }) => send({ type: 'follow_up', text: 'and then' }),
      },
    })
    const again = playSession({
      script: ['one', 'two'],
      log,
      at: { 5: ({ send }) => send({ type: 'prompt', text: 'Hi' }) },
    })
    expect(again.records[0]?.at).toBe(5)
    expect(again.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(['mind this', 'and then'])
  })

  it('assigns no id that the log contains', () => {
    const { before, log } = reopened({ script: ['one'], prompt: 'Hi' })
    const again = playSession({ script: ['two'], log, prompt: 'again' }) // its ids start from the beginning again
    const [old, all] = [before.session.state$.value.entries.size, again.session.state$.value.entries.size]
    expect([old, all]).toEqual([2, 4])
  })

  it.each<RunLimits>([{ idleMs: 2 ** 31 }, { wallClockMs: -1 }])('refuses invalid limits: %j', (limits) => {
    const open = () =>
      openSession({
        log: faultyLog().log,
        settings: () => ({ model: scriptedModel, provider: scripted([]), system: '', thinkingLevel: 'off', tools: [] }),
        tools: { cwd: '/', env: {} },
        options: { limits },
      })
    expect(open).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
  })

  it('survives settings that throw: the run ends as an error, the next one works', () => {
    let broken = true
    const stored = faultyLog()
    const session = openSession({
      log: stored.log,
      settings: () => {
        if (broken) throw new Error('no settings')
        return { model: scriptedModel, provider: scripted(['fine']), system: '', thinkingLevel: 'off', tools: [] }
      },
      tools: { cwd: '/', env: {} },
      options: {},
    })
    session.send({ type: 'prompt', text: 'Hi' }).subscribe()
    expect(session.state$.value.lastEnd).toMatchObject({
      terminationReason: 'error',
      error: { message: 'no settings' },
    })
    broken = false
    session.send({ type: 'prompt', text: 'again' }).subscribe()
    expect(session.state$.value.lastEnd).toMatchObject({ terminationReason: 'completed' })
  })

  it('names its log, header and model', () => {
    const { session, log } = playSession({ script: [] })
    expect([session.id, session.header, session.headerLine, session.model]).toEqual([
      'sessionaaaaa',
      log.header,
      log.headerLine,
      scriptedModel,
    ])
  })
})
