// Tests the log in memory: its lines are those of a file, and a session goes on from stored ones.
import { lastValueFrom, takeWhile } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { openSession } from '../../../lib/session/create/open-session.ts'
import { parseHeader } from '../../../lib/store/lines/parse-header.ts'
import { parseLine } from '../../../lib/store/lines/parse-line.ts'
import { memoryLog } from '../../../lib/streams/memory/memory-log.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'

/** Runs one prompt on the log; resolves to the texts of the conversation. */
async function run(log: SessionLog, text: string, answer: string): Promise<string[]> {
  const settings = {
    model: scriptedModel,
    provider: scripted([answer]),
    tools: [],
    thinkingLevel: 'off',
    system: '',
  } as const
  const session = openSession({ log, settings: () => settings, tools: { cwd: '/', env: {} }, options: {} })
  const settled = lastValueFrom(session.events$.pipe(takeWhile(({ type }) => type !== 'agent_settled', true)), {
    defaultValue: undefined,
  })
  void session.send({ type: 'prompt', text })
  await settled
  const texts = transcript(session.state$.value).map(messageText)
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return texts
}

describe('a log in memory', () => {
  it('has the lines of a file', async () => {
    const lines: string[] = []
    const log = memoryLog({ id: 'abcdefghijkl', createdAt: 5, cwd: '/pâge', onLine: (line) => lines.push(line) })
    expect(await run(log, 'Hi “you”', 'Hello')).toEqual(['Hi “you”', 'Hello'])
    const [header = '', ...rest] = lines.map((line) => Buffer.from(line))
    expect(parseHeader(Buffer.from(header))).toMatchObject({ ok: true, header: { id: 'abcdefghijkl', cwd: '/pâge' } })
    expect(rest.length).toBeGreaterThan(5)
    expect(rest.map(parseLine).filter(({ ok }) => !ok)).toEqual([])
    expect(log.head).toBe(rest.length)
    const again = memoryLog({ lines }) // the session has closed the first one
    const records = [...again.records(2)]
    expect(records).toEqual(
      rest
        .slice(2)
        .map((line) => parseLine(line))
        .map((line) => line.ok && line.record),
    )
    expect([...again.records(0, new Set(['agent_end']))].map(({ event }) => event.type)).toEqual(['agent_end'])
  })

  it('goes on from stored lines', async () => {
    const lines: string[] = []
    await run(memoryLog({ onLine: (line) => lines.push(line) }), 'One', 'Two')
    const log = memoryLog({ lines, onLine: (line) => lines.push(line) })
    expect(await run(log, 'Three', 'Four')).toEqual(['One', 'Two', 'Three', 'Four'])
    expect(log.head).toBe(lines.length - 1)
  })

  it.each<[string, (lines: readonly string[]) => string[]]>([
    ['a changed letter', (lines) => lines.map((line) => line.replace('One', 'Ore'))],
    ['a lost line', (lines) => lines.filter((_, index) => index !== 2)],
    ['no header', (lines) => lines.slice(1)],
    ['another version', ([header = '', ...rest]) => [header.replace('"v":1', '"v":2'), ...rest]],
    ['no JSON', () => ['nothing']],
  ])('refuses stored lines with %s', async (_, change) => {
    const lines: string[] = []
    await run(memoryLog({ onLine: (line) => lines.push(line) }), 'One', 'Two')
    expect(() => memoryLog({ lines: change(lines) })).toThrow(
      expect.objectContaining({ code: 'bad_request', message: expect.stringContaining('start a new log') as string }),
    )
  })
})
