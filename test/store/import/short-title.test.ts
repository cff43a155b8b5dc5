// Tests how long titles are shortened at an import.
import { expect, it } from 'vitest'
import { shortTitle } from '../../../lib/store/import/import-session.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { appendEvents, sampleHeader } from '../sessions/sample-records.ts'
import { asText, imported, piEntry, piHeader, printed } from './pi-files.ts'

const long = 'a long title '.repeat(1_000)
const note = 'its title has 13000 characters; the first 200 were kept: no title may be longer'

it.each([
  ['', '', []],
  ['a'.repeat(200), 'a'.repeat(200), []],
  ['a'.repeat(201), 'a'.repeat(200), ['its title has 201 characters; the first 200 were kept: no title may be longer']],
  [
    `${'a'.repeat(199)}\u{1F600}`,
    'a'.repeat(199),
    ['its title has 201 characters; the first 200 were kept: no title may be longer'],
  ],
])('of %j is %j', (title, short, notes) => {
  const notices: string[] = []
  expect(shortTitle(title, (message) => notices.push(message))).toBe(short)
  expect(notices).toEqual(notes)
})

it('applies to the name of a session of pi, and reports its line', async () => {
  const name = piEntry('2', '1', { type: 'session_info', name: long })
  const { state, notices } = await imported(asText([piHeader(), piEntry('1', null, printed('first')), name]))
  expect([state.title, notices]).toEqual([long.slice(0, 200), [`3: ${note}`]])
})

it('applies to the titles of a log, in line 1 and later', async () => {
  const log = memoryStore().create({ ...sampleHeader(), title: long })
  const lines = appendEvents(log, [{ type: 'session_info_change', to: { title: long }, by: 'client' }])
  const { header, state, notices } = await imported([log.headerLine, ...lines, ''].join('\n'))
  expect([header.title, state.title]).toEqual([long.slice(0, 200), long.slice(0, 200)])
  expect(notices).toEqual([`1: ${note}`, `2: ${note}`])
})
