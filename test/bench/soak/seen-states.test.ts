// Tests that a state that differs from the log is found, and that states during a run are ignored.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seenStates } from '../../../bench/soak/seen-states.ts'
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
  const seen = seenStates()
  seen.note('s', foldedTo(records.length))
  seen.note('s', foldedTo(records.length))
  expect(await seen.compare('s', file)).toBe(1)
  expect(seen.faults).toEqual([])
})

it('compares nothing during a run', async () => {
  const seen = seenStates()
  for (let count = 1; count < records.length; count += 1) seen.note('s', foldedTo(count))
  expect(await seen.compare('s', file)).toBe(0)
})

it('finds two clients that differ, and the one that differs from the log', async () => {
  const seen = seenStates()
  const whole = foldedTo(records.length)
  seen.note('s', { ...whole, headEntryId: 'anotherx' })
  seen.note('s', whole)
  expect(seen.faults).toEqual([`s: two clients hold different states at seq ${whole.seq}`])
  await seen.compare('s', file)
  expect(seen.faults.at(-1)).toBe(`s: a client's state at seq ${whole.seq} is not the log's`)
})

it('finds a state that is not in the log', async () => {
  const seen = seenStates()
  seen.note('s', { ...foldedTo(records.length), seq: 999 })
  await seen.compare('s', file)
  expect(seen.faults).toEqual(['s: a client saw seq 999, which its log does not have'])
})
