// Tests that a state that differs from the log is found, and that states during a run are ignored.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { trackClientStates } from '../../../bench/soak/client-states.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import { scriptedRun } from '../../support/scripted-run.ts'

const events = scriptedRun(['a word', 'another'])
let seq = 0
const records = events.map((event) => (isDurable(event) ? { event, seq: (seq += 1) } : { event }))
const foldedTo = (count: number): SessionState => records.slice(0, count).reduce(foldSession, emptySession())

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-seen-'))
  file = path.join(folder, 'log.jsonl')
  const lines = [{ type: 'session', v: 1 }, ...records.filter((record) => 'seq' in record)]
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('finds the state of a client with every event equal to the log’s', async () => {
  const states = trackClientStates()
  states.note('s', foldedTo(records.length))
  states.note('s', foldedTo(records.length))
  expect(await states.compare('s', file)).toBe(1)
  expect(states.faults).toEqual([])
})

it('compares nothing during a run', async () => {
  const states = trackClientStates()
  for (let count = 1; count < records.length; count += 1) states.note('s', foldedTo(count))
  expect(await states.compare('s', file)).toBe(0)
})

it('finds two clients that differ, and the one that differs from the log', async () => {
  const states = trackClientStates()
  const whole = foldedTo(records.length)
  states.note('s', { ...whole, headEntryId: 'anotherx' })
  states.note('s', whole)
  expect(states.faults).toEqual([`s: two clients hold different states at seq ${whole.seq}`])
  await states.compare('s', file)
  expect(states.faults.at(-1)).toBe(`s: a client's state at seq ${whole.seq} is not the log's`)
})

it('finds a state that is not in the log', async () => {
  const states = trackClientStates()
  states.note('s', { ...foldedTo(records.length), seq: 999 })
  await states.compare('s', file)
  expect(states.faults).toEqual(['s: a client saw seq 999, which its log does not have'])
})
