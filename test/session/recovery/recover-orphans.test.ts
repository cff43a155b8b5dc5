// Tests that recovery ends the processes which a killed process left, and reports them.
import { expect, it } from 'vitest'
import { recoverLog } from '../../../lib/session/recovery/recover-log.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { countedIds } from '../../../lib/testing/counted-ids.ts'
import { logOf } from '../../support/cut-log.ts'
import { linesOf, named } from './close-unfinished-run-scene.ts'

const lines = linesOf(() => ({ script: ['Hello'], prompt: 'Hi' }))

const killedWriter = { pid: 7, startTime: '1', bootId: 'boot' }

function warningsAfter(count: number, names: readonly string[], more: readonly AgentEvent[] = []): string[] {
  const log = Object.assign(logOf(lines.slice(0, count)), { killedWriter })
  for (const event of more) log.append(lineBody({ seq: log.head + 1, at: 100, event }))
  recoverLog({
    log,
    state: replayLog(log),
    warnings: [],
    ids: countedIds(),
    endOrphans: (owner) => (owner === killedWriter ? names : []),
  })
  return named(
    [...log.records()].map(({ event }) => event),
    'warning',
  ).map(({ message }) => message)
}

it.each([
  [['sleep'], '1 process running, which recovery ended: sleep'],
  [['sleep', 'sh', 'sleep'], '3 processes running, which recovery ended: sleep, sh'],
])('the end of an unfinished run reports %j [S29c]', (names, message) => {
  expect(warningsAfter(4, names)).toEqual([`The killed rxpi had left ${message}`])
})

it('the end of a job without a run reports them, too [S29c]', () => {
  const job: AgentEvent = { type: 'job_start', jobId: 'aaaaaaaa', command: 'serve', by: 'client' }
  const [warning] = warningsAfter(lines.length, ['serve'], [job])
  expect(warning).toBe('The killed rxpi had left 1 process running, which recovery ended: serve')
})

it('none is looked for if no run was on, and none reported if none is left', () => {
  expect(warningsAfter(lines.length, ['sleep'])).toEqual([])
  expect(warningsAfter(4, [])).toEqual([])
})

it('those of other sessions are ended, and not reported', () => {
  const log = logOf(lines.slice(0, 4))
  const owners: unknown[] = []
  const endOrphans = (owner: unknown): string[] => {
    owners.push(owner)
    return ['sleep']
  }
  recoverLog({ log, state: replayLog(log), warnings: [], ids: countedIds(), endOrphans })
  expect(owners).toEqual([undefined])
  expect(JSON.stringify([...log.records()])).not.toContain('orphans_ended')
})
