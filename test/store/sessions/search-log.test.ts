// Tests what the search of a log finds: texts of messages, and no other line.
import { appendFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'
import { searchLog } from '../../../lib/store/sessions/search-log.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { valuesOf } from '../../support/values-of.ts'
import { appendEvents, custom, messageEnd, sampleHeader } from './sample-records.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-search-'))
})
afterEach(() => rmSync(home, { recursive: true }))

async function logOf(events: readonly AgentEvent[]): Promise<string> {
  const store = fileStore({ home })
  const log = store.create(sampleHeader({ id: 'aaaaaaaaaaaa' }))
  appendEvents(log, events)
  await valuesOf(log.close())
  return store.fileOf('aaaaaaaaaaaa')
}

function search(file: string, text: string): string | undefined {
  const steps = searchLog({ file, text })
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

const message = (entryId: string, held: Message): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId: null,
  message: held,
})
const result = { role: 'toolResult', toolCallId: 'call', toolName: 'read', isError: false, timestamp: 0 } as const
const events: readonly AgentEvent[] = [
  custom('the needle of an extension'),
  message('aaaaaaaa', { role: 'user', content: 'Where is the "Flaky\ntest" of größe?', timestamp: 0 }),
  message('bbbbbbbb', { ...result, content: [{ type: 'text', text: 'a needle in a file' }] }),
  messageEnd('cccccccc', `${'before '.repeat(20)}It WAITS too short ${'after '.repeat(40)}`),
]

it.each([
  ['"flaky\nTEST"', 'Where is the "Flaky test" of größe?'],
  ['GRÖSSE', undefined],
  ['Größe', 'Where is the "Flaky test" of größe?'],
  ['\\n', undefined],
  ['needle', undefined],
  ['message_end', undefined],
])('of the text %j finds %j', async (text, found) => {
  expect(search(await logOf(events), text)).toBe(found)
})

it('cuts long messages around the text', async () => {
  const found = search(await logOf(events), 'waits too') ?? ''
  expect(found).toMatch(/^…(?:\w* )(?:before )+It WAITS too short after .*…$/)
  expect(found.length).toBeLessThan(160)
})

it('splits no character', async () => {
  const found = search(
    await logOf([messageEnd('aaaaaaaa', `${'😀'.repeat(50)}x needle ${'y😀'.repeat(80)}`)]),
    'needle',
  )
  expect(found?.isWellFormed()).toBe(true)
})

it('skips a line that is being written, and refuses a link', async () => {
  const file = await logOf(events)
  appendFileSync(file, '{"seq":5,"at":1,"event":{"type":"message_end","message":{"role":"user","content":"needle')
  expect(search(file, 'needle')).toBeUndefined()
  const link = path.join(home, 'link.jsonl')
  symlinkSync(file, link)
  expect(() => search(link, 'test')).toThrow(expect.objectContaining({ code: 'storage' }))
})

it('describes a disk that fails', async () => {
  const readSync = (): never => {
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
  }
  const steps = searchLog({ file: await logOf(events), text: 'x', files: { ...nodeFileSystem, readSync } })
  expect(() => steps.next()).toThrow(expect.objectContaining({ code: 'storage', data: { errno: 'EIO' } }))
})
