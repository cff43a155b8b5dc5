// Tests `abort` at every point of a session, also within a handler (docs/loop.md#24).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { takeWhile } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { shortNotation } from '../../../lib/testing/short-name.ts'
import { createBashTool } from '../../../lib/tools/shell/bash.ts'
import { endAll, processesWith, uniqueSeconds, until } from '../../host/process/processes-with.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { newWatches, referenceScene, steerMs, wholeRun } from '../../support/reference-run.ts'
import type { Watches } from '../../support/reference-run.ts'
import { valuesOf } from '../../support/values-of.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, Sent, SessionControl } from '../../support/virtual-session.ts'

interface Aborted {
  readonly played: PlayedSession
  readonly watches: Watches
  /** The number of requests and of tools when the abort was sent. */
  readonly before: readonly [number, number] | undefined
  readonly abort: Sent | undefined
}

/** Plays the reference run in a session, aborted by a command within its `index`th record, or at a millisecond. */
function abortedAt(where: { readonly index?: number; readonly ms?: number }): Aborted {
  const watches = newWatches()
  let before: [number, number] | undefined
  let abort: Sent | undefined
  const send = (control: SessionControl): void => {
    before = [watches.requests.subscribed, watches.tools.subscribed]
    abort = control.send({ type: 'abort' })
  }
  let index = 0
  const played = playSession((helpers) => ({
    ...referenceScene(helpers, watches),
    options: { retry: { jitter: () => 0 } },
    prompt: 'Go',
    at: {
      [steerMs]: (control) => control.send({ type: 'steer', text: 'hurry' }),
      ...(where.ms === undefined ? {} : { [where.ms]: send }),
    },
    onRecord: (_, control) => {
      if (index++ === where.index) send(control)
    },
  }))
  return { played, watches, before, abort }
}

function faultsOf({ played, watches: { requests, tools }, before, abort }: Aborted): string[] {
  const settled = played.records.find(({ event }) => event.type === 'agent_settled')?.at ?? -1
  const reason = played.events.find((event) => event.type === 'agent_end')?.terminationReason
  const later = [requests.subscribed - (before?.[0] ?? 0), tools.subscribed - (before?.[1] ?? 0)]
  const live = requests.live + tools.live
  const done = Math.max(settled, steerMs, abort?.sentAt ?? 0)
  return [
    ...faultsOfRun(played.events),
    ...(reason === 'aborted' ? [] : [`it ends as ${String(reason)}`]),
    ...(later.every((count) => count === 0) ? [] : [`${later.join(' requests and ')} tools after the abort`]),
    ...(live === 0 ? [] : [`${live} subscriptions are left`]),
    ...(played.now() <= done ? [] : [`timers are left until ${played.now()} ms`]),
    ...(abort?.completed === true && abort.answeredAt === settled
      ? []
      : ['the abort is not answered at agent_settled']),
    ...(played.session.state$.value.running === undefined ? [] : ['the state says that it runs']),
    ...lostInputs(played),
  ]
}

/** Lists inputs that are neither in the transcript nor queued. */
function lostInputs({ session, sent }: PlayedSession): string[] {
  const { entries, queue } = session.state$.value
  const known = [...[...entries.values()].map(({ message }) => message), ...queue].map(({ content }) => content)
  return sent.flatMap(({ command }) =>
    'text' in command && known.filter((content) => content === command.text).length !== 1
      ? [`"${command.text}" is there more or less than once`]
      : [],
  )
}

const whole = abortedAt({})
const end = whole.played.records.at(-1)?.at ?? 0

describe('an abort of a session', () => {
  it('reaches every phase of a run', () => {
    const { played, watches } = whole
    expect(shortNotation(played.events.filter(({ type }) => type !== 'queue_update'))).toBe(
      wholeRun.replace(' queue_update', ''),
    )
    expect([watches.requests, watches.tools]).toEqual([
      { live: 0, subscribed: 2 },
      { live: 0, subscribed: 3 },
    ])
    expect([played.now(), lostInputs(played)]).toEqual([end, []])
  })

  it('within any of its records leaves nothing running [LOOP-24a, LOOP-24d, LOOP-24h]', () => {
    const faulty: unknown[] = []
    for (let index = 0; index < whole.played.records.length - 2; index++) {
      const faults = faultsOf(abortedAt({ index }))
      if (faults.length > 0) faulty.push([index, ...faults])
    }
    expect(faulty).toEqual([])
  })

  it('at any millisecond leaves nothing running [LOOP-24a, LOOP-24h, LOOP-34d]', () => {
    const faulty: unknown[] = []
    for (let ms = 0; ms < end; ms++) {
      if (ms === steerMs) continue // the scene has one action per millisecond
      const faults = faultsOf(abortedAt({ ms }))
      if (faults.length > 0) faulty.push([ms, ...faults])
    }
    expect([faulty, end]).toEqual([[], 49])
  })

  it('within the run’s own end changes nothing, and responds', () => {
    const count = whole.played.records.length
    for (const index of [count - 2, count - 1]) {
      const { played, abort } = abortedAt({ index })
      expect([played.events, abort?.completed]).toEqual([whole.played.events, true])
    }
  })

  it('followed by a close at any millisecond leaves nothing running', () => {
    for (let ms = 0; ms <= end; ms++) {
      const watches = newWatches()
      let closed = false
      const close = ({ session }: SessionControl): void => {
        session.close().subscribe({ complete: () => (closed = true) })
      }
      const played = playSession((helpers) => ({
        ...referenceScene(helpers, watches),
        prompt: 'Go',
        at: { [ms]: close },
      }))
      expect([ms, closed, watches.requests.live + watches.tools.live]).toEqual([ms, true, 0])
      expect(faultsOfRun(played.events)).toEqual([])
      expect(played.now()).toBe(Math.max(ms, played.records.at(-1)?.at ?? 0))
    }
  })
})

describe('an abort of a real command', () => {
  const seconds = uniqueSeconds()
  afterEach(() => endAll(seconds))

  it.each([
    ['that listens', 'sleep S & wait', 'command'],
    ['that does not', "trap '' TERM; (trap '' TERM; sleep S; sleep S) & wait", 'command'],
    ['that listens', 'sleep S & wait', 'signal'],
  ])('%s leaves no process: %s, by %s [LOOP-24g]', async (_, command, by) => {
    using home = folder()
    const controller = new AbortController()
    const { session, provider } = sessionWith(command.replaceAll('S', seconds), home.path, controller.signal)
    const settled = settledOf(session)
    session.send({ type: 'prompt', text: 'Go' }).subscribe()
    await until(() => processesWith(`sleep\0${seconds}`).length > 0)
    if (by === 'signal') controller.abort()
    else await valuesOf(session.send({ type: 'abort' }))
    const events = await settled
    await until(() => processesWith(seconds).length === 0)
    expect(events.find((event) => event.type === 'agent_end')).toMatchObject({ terminationReason: 'aborted' })
    expect([faultsOfRun(events), provider.requests.length]).toEqual([[], 1])
    await valuesOf(session.close())
  })
})

function folder(): Disposable & { readonly path: string } {
  const made = mkdtempSync(path.join(tmpdir(), 'rxpi-abort-'))
  return { path: made, [Symbol.dispose]: () => rmSync(made, { recursive: true }) }
}

function sessionWith(command: string, cwd: string, signal: AbortSignal) {
  const provider = scripted([{ toolCalls: [{ name: 'bash', arguments: { command } }] }, 'never asked'])
  const model = { model: scriptedModel, provider }
  const session = createSession({ model, cwd, tools: [createBashTool()], approve: 'auto', signal })
  return { session, provider }
}

/** Every event of the session, after it has settled. */
async function settledOf(session: Session): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  session.events$.subscribe((event) => events.push(event))
  await valuesOf(session.events$.pipe(takeWhile(({ type }) => type !== 'agent_settled')))
  return events
}
