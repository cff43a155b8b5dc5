// Tests the summary that is read from a session's log.
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { summariseLog } from '../../../lib/store/sessions/session-summary-from-log.ts'
import type { LogToList } from '../../../lib/store/sessions/session-summary-from-log.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { NewHeader } from '../../../lib/streams/ports/session-log.ts'
import type { SessionFacts } from '../../../lib/streams/state/session-summary.ts'
import { sampleEvents, user } from '../../streams/events/samples.ts'
import { valuesOf } from '../../support/values-of.ts'
import { appendEvents, assistantMessage, custom, messageEnd, sampleAt, sampleHeader } from './sample-records.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-facts-'))
})
afterEach(() => rmSync(home, { recursive: true }))

async function written(events: readonly AgentEvent[], header: Partial<NewHeader> = {}): Promise<string> {
  const store = fileStore({ home })
  const log = store.create(sampleHeader(header))
  appendEvents(log, events)
  await valuesOf(log.close())
  return store.fileOf(log.header.id)
}

function facts(file: string, more: Partial<LogToList> = {}): SessionFacts {
  return summariseLog({ file, sessionId: sampleHeader().id, createdAt: 1, ...more })
}

const prompt = (text: string): AgentEvent => ({
  type: 'message_end',
  entryId: 'aaaaaaaa',
  parentId: null,
  message: user(text),
})
const renamed = (title: string): AgentEvent => ({ type: 'session_info_change', to: { title } })
const empty = { type: 'message_end', entryId: 'cccccccc', parentId: null, message: assistantMessage('') } as const

describe('the summary of a log', () => {
  it('begins with what was typed, if the first prompt was a command', async () => {
    const message = {
      ...user('The text of a skill'),
      invocation: { kind: 'skill', name: 'skill:pdf', args: 'form.pdf' },
    }
    const file = await written([{ type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message }])
    expect(facts(file)).toMatchObject({ firstWords: '/skill:pdf form.pdf', lastWords: '/skill:pdf form.pdf' })
  })

  it('has its header, first prompt, last text, model and number of messages', async () => {
    const parent = { sessionId: 'bbbbbbbbbbbb', entryId: 'abcdefg2' }
    const events = [
      { ...sampleEvents.agent_start, model: 'p/one' },
      prompt('Fix\n  the build'),
      messageEnd('bbbbbbbb', 'Fixed.\nAll of it.'),
      { ...sampleEvents.model_change, to: 'p/two' },
      empty,
    ]
    const file = await written(events, { title: 'Build', parent })
    expect(facts(file)).toEqual({
      id: 'abcdefghij23',
      title: 'Build',
      cwd: '/tmp',
      createdAt: sampleAt,
      updatedAt: sampleAt + events.length,
      firstWords: 'Fix the build',
      lastWords: 'Fixed. All of it.',
      messages: 3,
      model: 'p/two',
      parent,
      size: statSync(file).size,
    })
  })

  it('has the last title', async () => {
    const file = await written([renamed('one'), prompt('Hi'), renamed('two'), { type: 'session_info_change', to: {} }])
    expect(facts(file).title).toBe('two')
  })

  it('has no title after its removal', async () => {
    const file = await written([renamed('')], { title: 'Build' })
    expect(facts(file)).not.toHaveProperty('title')
  })

  it('of a log with only a header is short', async () => {
    const file = await written([])
    const { size } = statSync(file)
    const header = { id: 'abcdefghij23', cwd: '/tmp', createdAt: sampleAt }
    expect(facts(file)).toEqual({ ...header, updatedAt: sampleAt, messages: 0, size })
  })

  it('skips a torn end, because opening repairs it', async () => {
    const file = await written([prompt('Hi')])
    const { messages } = facts(file)
    appendFileSync(file, '{"seq":2,"at":1')
    expect(facts(file)).toMatchObject({ messages, firstWords: 'Hi' })
    expect(facts(file)).not.toHaveProperty('damaged')
  })

  it.each<[string, (file: string) => void, string]>([
    ['a line that is none', (file) => appendFileSync(file, 'damaged\n'), 'line 3: its checksum is missing or wrong'],
    ['a line that is there twice', (file) => appendFileSync(file, lineOf(file, 1)), 'line 3: its number is 1 but 2'],
    ['a damaged header', (file) => flip(file, 20), 'line 1: its checksum is missing or wrong'],
    ['no header', (file) => truncateSync(file, 5), 'line 1: it is not complete'],
  ])('reports %s, and contains the facts before it', async (_, spoil, damaged) => {
    const file = await written([prompt('Hi')])
    spoil(file)
    expect(facts(file).damaged).toContain(damaged)
  })

  it('reports the header of another session', async () => {
    const file = await written([], { id: 'bbbbbbbbbbbb' })
    expect(facts(file)).toMatchObject({
      id: 'abcdefghij23',
      createdAt: 1,
      damaged: expect.stringContaining('bbbb') as string,
    })
  })

  it('is not read through a link, nor from a folder', async () => {
    const link = path.join(home, 'link')
    symlinkSync(await written([]), link)
    expect(() => facts(link)).toThrow(expect.objectContaining({ code: 'storage' }) as Error)
    expect(() => facts(home)).toThrow(expect.objectContaining({ code: 'storage' }) as Error)
  })
})

describe('a log that is too long to be read whole', () => {
  const wholeUpTo = 8_192
  const filling = (count: number) => Array.from({ length: count }, (_, index) => custom(`${index} ${'x'.repeat(500)}`))

  it('is read at its beginning and its end, and its messages are not counted', async () => {
    const events = [
      prompt('Hi'),
      ...filling(100),
      prompt('lost'),
      ...filling(100),
      renamed('Late'),
      messageEnd('bbbbbbbb', 'Bye'),
    ]
    const file = await written(events)
    const summary = facts(file, { wholeUpTo })
    expect(summary).toMatchObject({
      title: 'Late',
      firstWords: 'Hi',
      lastWords: 'Bye',
      updatedAt: sampleAt + events.length,
    })
    expect(summary).not.toHaveProperty('messages')
    expect(summary).not.toHaveProperty('damaged')
  })

  it('reads no more than that', async () => {
    const file = await written([prompt('Hi'), ...filling(400)])
    const { nodeFileSystem: files } = await import('../../../lib/store/disk/file-system-port.ts')
    let bytes = 0
    facts(file, {
      wholeUpTo,
      files: {
        ...files,
        readSync: (...args) => {
          const read = files.readSync(...args)
          bytes += read
          return read
        },
      },
    })
    expect(bytes).toBeLessThan(wholeUpTo)
    expect(bytes).toBeGreaterThan(wholeUpTo / 4)
  })

  it('is reported as damaged if its end is damaged', async () => {
    const file = await written([prompt('Hi'), ...filling(100)])
    appendFileSync(file, 'damaged\n')
    expect(facts(file, { wholeUpTo }).damaged).toBe('near its end, its checksum is missing or wrong')
  })
})

function lineOf(file: string, index: number): string {
  return `${readFileSync(file, 'utf8').split('\n')[index] ?? ''}\n`
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}
