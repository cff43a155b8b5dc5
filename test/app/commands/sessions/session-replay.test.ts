// Tests `rxpi sessions replay`.
import { Subject, firstValueFrom, of } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { printReplay } from '../../../../app/commands/sessions/session-replay.ts'
import type { ReplayInvocation } from '../../../../app/cli/invocation.ts'
import { replaySession } from '../../../../lib/services/replay/replay-session.ts'
import { readOnlySession } from '../../../../lib/services/replay/read-only-session.ts'
import { memoryStore } from '../../../../lib/store/sessions/memory-store.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { emptySession } from '../../../../lib/streams/state/fold-session.ts'
import { lineBody } from '../../../../lib/streams/log/line-event.ts'
import { fakeTool } from '../../../../lib/testing/fake-tool.ts'
import { sampleHeader } from '../../../store/sessions/sample-records.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import type { FakeWorld, FakeWorldOptions } from '../../../support/fake-world.ts'
import { valuesOf } from '../../../support/values-of.ts'
import { playSession } from '../../../support/virtual-session.ts'

const store = memoryStore()
const log = store.create(sampleHeader())
const lines = playSession({
  script: [{ thinking: 'hm', text: 'I look.', toolCalls: [{ name: 'a', arguments: { path: 'x' } }] }, 'It is\nblue.'],
  tools: [fakeTool('a', 'of a')],
  prompt: 'Which colour?',
}).records.flatMap(({ seq, at, event }) => (seq === undefined ? [] : log.append(lineBody({ seq, at, event }))))
const text = '── you\nWhich colour?\n\n── scripted/scripted\nI look.\n\n── scripted/scripted\nIt is\nblue.\n\n'

const worlds: FakeWorld[] = []
afterEach(async () => {
  for (const { world } of worlds.splice(0)) await valuesOf(world.client.request({ type: 'shutdown' }))
})

function world(more: FakeWorldOptions = {}): FakeWorld {
  const commands: FakeWorldOptions['commands'] = { replaySession: (command) => replaySession(command, [store, store]) }
  const own = fakeWorld({ commands, ...more })
  worlds.push(own)
  return own
}
function replayed(own: FakeWorld, more: Partial<ReplayInvocation> = {}): Promise<number> {
  const session = log.header.id
  const invocation = {
    mode: 'sessions',
    action: 'replay',
    target: { session },
    speed: 0,
    json: false,
    ...more,
  } as const
  return firstValueFrom(printReplay(invocation, own.world), { defaultValue: -1 })
}

describe('rxpi sessions replay', () => {
  it('prints prompts and answers, and the end of the replay on stderr', async () => {
    const own = world()
    expect(await replayed(own)).toBe(0)
    expect(own.stdout.written).toBe(text)
    expect(own.stderr.written).toBe(`rxpi: The replay of session ${log.header.id} has ended\n`)
  })

  it('prints tool calls if stderr is a terminal', async () => {
    const own = world({ terminals: ['stderr'] })
    await replayed(own)
    expect(own.stderr.written).toContain('· a {"path":"x"}\n')
  })

  it('prints the header and the lines with --json', async () => {
    const own = world()
    expect(await replayed(own, { json: true })).toBe(0)
    const [header = '', ...more] = own.stdout.written.split('\n')
    expect(JSON.parse(header)).toMatchObject({ type: 'session', title: `Replay of session ${log.header.id}` })
    expect(more).toEqual([...lines, ''])
  })

  it('sends speed and maximum pause', async () => {
    const requests: object[] = []
    const own = world({
      commands: {
        replaySession: (command) => {
          requests.push(command)
          return replaySession({ session: log.header.id, speed: 0 }, [store, store])
        },
      },
    })
    await replayed(own, { target: { file: '/x' }, speed: 2.5, maxPauseMs: 100 })
    expect(requests).toEqual([{ file: '/x', speed: 2.5, maxPauseMs: 100 }])
  })

  it('waits for a slow reader and loses no line', async () => {
    const own = world()
    own.stdout.hold()
    own.stdout.write('x'.repeat(1_100_000))
    const done = replayed(own)
    const early = await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))])
    expect(early).toBe('waits')
    own.stdout.release()
    expect(await done).toBe(0)
    expect(own.stdout.written.replace(/^x+/, '')).toBe(text)
  })

  it('ends when the reader is gone', async () => {
    const own = world()
    own.stdout.breakWith('EPIPE')
    expect(await replayed(own, { speed: 0.01 })).toBe(0)
  })

  it.each([
    ['storage', 5],
    ['read_only', 1],
  ] as const)('returns the exit code of the failure: %s', async (code, exitCode) => {
    const coming$ = new Subject<never>()
    const refusal = (): Failure => new Failure('read_only', 'no')
    const { session } = readOnlySession({ log, initial: emptySession(), source$: coming$, refusal })
    const own = world({ commands: { replaySession: () => of({ session, notices: [{ code, message: 'look' }] }) } })
    const done = replayed(own)
    coming$.error(new Failure(code, 'gone'))
    expect(await done).toBe(exitCode)
    expect(own.stderr.written).toBe('rxpi: look\nrxpi: gone\n')
  })

  it('fails if the session does not exist', async () => {
    await expect(replayed(world(), { target: { session: 'zzzzzzzzzzzz' } })).rejects.toMatchObject({
      code: 'unknown_session',
    })
  })
})
