// Tests when a run takes file snapshots: before the first change, and at its end.
import { delay, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SnapshotSkipped, SnapshotTaken, Snapshots, TakeOptions } from '../../../lib/streams/ports/snapshots.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession } from '../../support/virtual-session.ts'

const look = fakeTool('look', 'seen', { sideEffectFree: true })
const act = fakeTool('act', 'done')
const calls = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name })) })

function fakeSnapshots(answer?: SnapshotSkipped, takesMs = 0): Snapshots & { readonly requests: TakeOptions[] } {
  const requests: TakeOptions[] = []
  const fail = (): never => {
    throw new Error('nobody asked for this')
  }
  return {
    requests,
    take: (options) => {
      requests.push(options)
      const taken: SnapshotTaken = { type: 'taken', snapshot: `s${requests.length}`, files: 2, notKept: 0, pruned: 0 }
      const answer$ = of(answer ?? taken)
      return takesMs === 0 ? answer$ : answer$.pipe(delay(takesMs))
    },
    changes: fail,
    restore: fail,
  }
}

const notices = ({ events }: PlayedSession): string[] =>
  events
    .filter(({ type }) => /^(?:snapshot|tool_execution_(?:start|end)|agent_end|warning)/.test(type))
    .map((event) => {
      if (event.type === 'snapshot_taken') return `${event.moment} ${event.snapshot}`
      if (event.type === 'warning') return event.code
      return event.type === 'agent_end' ? event.terminationReason : event.type.replace('tool_execution_', '')
    })

describe('the files of a run', () => {
  it('are saved before its first call that may change them, and at its end', () => {
    const snapshots = fakeSnapshots()
    const script = [calls('look'), calls('look', 'act'), calls('act'), 'done']
    const played = playSession({ script, tools: [look, act], prompt: 'Go', options: { snapshots } })
    expect(notices(played)).toEqual([
      ...['start', 'end', 'start', 'before s1', 'start', 'end', 'end'],
      ...['start', 'end', 'after s2', 'completed'],
    ])
    expect(snapshots.requests).toEqual([{ cwd: '/somewhere' }, { cwd: '/somewhere', before: 's1' }])
    const records = played.records.filter(({ event }) => event.type === 'snapshot_taken')
    expect(new Set(records.map(({ runId }) => runId)).size).toBe(1)
    expect(records.every(({ seq, runId }) => seq !== undefined && runId !== undefined)).toBe(true)
  })

  it('are not read if no call may change them', () => {
    const snapshots = fakeSnapshots()
    playSession({ script: [calls('look'), 'done'], tools: [look], prompt: 'Go', options: { snapshots } })
    expect(snapshots.requests).toEqual([])
  })

  it('are not read for a refused call', () => {
    const snapshots = fakeSnapshots()
    const options = { snapshots, approve: () => of({ decision: 'deny' as const }) }
    playSession({ script: [calls('act'), calls('nobody'), 'done'], tools: [act], prompt: 'Go', options })
    expect(snapshots.requests).toEqual([])
  })

  it('that cannot be saved cause one warning, and the run continues', () => {
    const snapshots = fakeSnapshots({ type: 'skipped', message: 'too many' })
    const script = [calls('act'), calls('act'), 'done']
    const played = playSession({ script, tools: [act], prompt: 'Go', options: { snapshots } })
    expect(notices(played)).toEqual(['snapshot_skipped', 'start', 'end', 'start', 'end', 'completed'])
  })

  it('are saved again in each run', () => {
    const snapshots = fakeSnapshots()
    const script = [calls('act'), 'done', calls('act'), 'done']
    playSession({
      script,
      tools: [act],
      prompt: 'Go',
      options: { snapshots },
      at: { 10: ({ send }) => void send({ type: 'prompt', text: 'again' }) },
    })
    expect(snapshots.requests.map(({ before }) => before)).toEqual([undefined, 's1', undefined, 's3'])
  })

  it.each([
    ['in parallel', 'parallel'],
    ['one by one', 'sequential'],
  ] as const)('delay a call until they are saved, %s', (_how, toolExecution) => {
    const played = playSession({
      script: [calls('act', 'act'), 'done'],
      tools: [act],
      prompt: 'Go',
      options: { snapshots: fakeSnapshots(undefined, 500), toolExecution },
    })
    expect(played.records.find(({ event }) => event.type === 'tool_execution_end')?.at).toBe(500)
    expect(notices(played)[0]).toBe('before s1')
  })

  it('do not delay a stop, and the call is not run', () => {
    const runs = act.calls.length
    const played = playSession({
      script: [calls('act'), 'done'],
      tools: [act],
      prompt: 'Go',
      options: { snapshots: fakeSnapshots(undefined, 500) },
      at: { 100: ({ send }) => void send({ type: 'abort' }) },
    })
    expect(notices(played)).toEqual(['start', 'end', 'aborted'])
    expect(played.records.at(-1)?.at).toBe(100)
    expect(act.calls.length).toBe(runs)
  })

  it('are saved at the end of an aborted run, too', () => {
    const played = playSession(({ cold }) => ({
      script: [calls('slow'), 'done'],
      tools: [fakeTool('slow', cold('-----------|'))],
      prompt: 'Go',
      options: { snapshots: fakeSnapshots() },
      at: { 5: ({ send }) => void send({ type: 'abort' }) },
    }))
    expect(notices(played)).toEqual(['before s1', 'start', 'end', 'after s2', 'aborted'])
  })

  it('are not saved in a session without snapshots', () => {
    const played = playSession({ script: [calls('act'), 'done'], tools: [act], prompt: 'Go' })
    expect(notices(played)).toEqual(['start', 'end', 'completed'])
  })
})
