// Tests which of several runs starts when, what a refused one says, and what closing does to those that wait.
import {
  catchError,
  defer,
  endWith,
  filter,
  first,
  identity,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  takeUntil,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RunPromptOptions, Session } from '../../../lib/session/contract/session.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { valuesOf } from '../../support/values-of.ts'
import { playSession } from '../../support/virtual-session.ts'
import { endsOf, marked, slowSession, tidySession } from '../commands/run-prompt-scene.ts'

interface Start extends RunPromptOptions {
  readonly at: number
  /** Milliseconds after which it is unsubscribed. Default: never. */
  readonly leavesAfter?: number
}

/** The runs side by side; each ends with `.` if it completes, and with its code if it fails. */
function sideBySide(session: Session, starts: Readonly<Record<string, Start>>): Observable<string> {
  const runs = Object.entries(starts).map(([prompt, { at, leavesAfter, ...options }]) =>
    timer(at).pipe(
      mergeMap(() =>
        marked(
          session,
          options,
        )(prompt).pipe(
          endWith(`${prompt}.`),
          catchError((error: unknown) => of(`${prompt} ${error instanceof Failure ? error.code : String(error)}`)),
          leavesAfter === undefined ? identity : takeUntil(timer(leavesAfter)),
        ),
      ),
    ),
  )
  return merge(...runs).pipe(filter((mark) => mark !== ''))
}

const wait = { whileRunning: 'wait' } as const
const replace = { whileRunning: 'replace' } as const
const steer = { whileRunning: 'steer' } as const

describe('session.run beside another run', () => {
  it.each<[string, Readonly<Record<string, Start>>, string]>([
    ['is refused without whileRunning', { a: { at: 0 }, b: { at: 1 } }, '0:a 1:b busy 10:A,a.,|'],
    [
      'waits in order',
      { a: { at: 0 }, b: { at: 1, ...wait }, c: { at: 2, ...wait } },
      '0:a 10:A,a.,b 20:B,b.,c 30:C,c.,|',
    ],
    [
      'replaces before those that wait',
      { a: { at: 0 }, b: { at: 1, ...wait }, c: { at: 2, ...replace } },
      '0:a 2:A,a.,c 12:C,c.,b 22:B,b.,|',
    ],
    [
      'is not started once its subscriber has left',
      { a: { at: 0 }, b: { at: 1, ...wait, leavesAfter: 5 }, c: { at: 2, ...wait } },
      '0:a 10:A,a.,c 20:C,c.,|',
    ],
    ['steers the run that is on, and ends with it', { a: { at: 0 }, b: { at: 1, ...steer } }, '0:a 20:A,a.,B,b.,|'],
  ])('%s', (_, starts, shows) => {
    expect(timeline(() => sideBySide(slowSession(), starts))).toBe(shows)
  })

  it.each<[string, Readonly<Record<string, Start>>, string]>([
    [
      'drops an older replace that waits: it completes without an event',
      { a: { at: 0 }, b: { at: 1, ...replace }, c: { at: 2, ...replace } },
      '0:a 2:b. 21:A,a.,c,C,c.,|',
    ],
    [
      'starts a run of its own if that run is ending',
      { a: { at: 0, leavesAfter: 5 }, b: { at: 6, ...steer } },
      '0:a 25:b,B,b.,|',
    ],
    [
      'is refused if another one is next',
      { a: { at: 0, leavesAfter: 5 }, b: { at: 6 }, c: { at: 7 } },
      '0:a 7:c busy 25:b,B,b.,|',
    ],
  ])('%s', (_, starts, shows) => {
    expect(timeline(() => sideBySide(tidySession(), starts))).toBe(shows)
  })

  it.each<['wait' | 'replace', string[], string]>([
    ['wait', ['aborted', 'completed', 'completed'], '20:b 30:B|'],
    ['replace', ['aborted', 'aborted', 'completed'], '10:b 20:B|'],
  ])('%s: waits on if a command starts a run first', (whileRunning, reasons, shows) => {
    const session = slowSession()
    const ends = endsOf(session)
    // the run ends within this handler, so its events wait behind it
    const abort$ = defer(() => session.send({ type: 'abort' })).pipe(ignoreElements())
    const b$ = session.events$.pipe(
      first(({ type }) => type === 'message_update'),
      mergeMap(() => merge(marked(session, { whileRunning })('b'), abort$)),
    )
    const x$ = session.events$.pipe(
      first(({ type }) => type === 'agent_end'),
      mergeMap(() => session.send({ type: 'prompt', text: 'x' })),
      ignoreElements(),
    )
    expect(timeline(() => merge(b$, x$, session.run('a').pipe(ignoreElements())))).toBe(shows)
    expect(ends).toEqual(reasons)
  })

  it('takes a steer back when its subscriber leaves before it is delivered, and lets the run go on', () => {
    const session = slowSession()
    const ends = endsOf(session)
    expect(timeline(() => sideBySide(session, { a: { at: 0 }, b: { at: 1, ...steer, leavesAfter: 3 } }))).toBe(
      '0:a 10:A,a.,|',
    )
    expect(session.state$.value.queue).toEqual([])
    expect(ends).toEqual(['completed'])
  })

  it('has the events of the queued input and of the run it joined', () => {
    const session = slowSession()
    const type$ = timer(1).pipe(
      mergeMap(() => session.run('b', steer)),
      map(({ type }) => type),
    )
    const line = timeline(() => merge(session.run('a').pipe(ignoreElements()), type$))
    expect(line).toMatch(
      /^1:queue_update 10:message_start,.*,turn_end,turn_start,.*queue_update 20:.*agent_settled,\|$/,
    )
  })
})

describe('session.run that is refused', () => {
  it.each<[string, object, string]>([
    ['another whileRunning', { whileRunning: 'later' }, 'whileRunning is "later": pass whileRunning'],
    ['a limit', { limits: { wallClockMs: -1 } }, 'wallClockMs'],
    ['an image', { images: [{ type: 'image', mimeType: 'image/png' }] }, 'images/0'],
    ['an outputSchema', { outputSchema: 'text' }, 'outputSchema'],
  ])('names %s', async (_, options, message) => {
    const session = slowSession()
    const failure = expect.objectContaining({
      code: 'bad_request',
      message: expect.stringContaining(message) as string,
    }) as Failure
    await expect(valuesOf(session.run('Hi', options))).rejects.toEqual(failure)
    expect(session.state$.value.entries.size).toBe(0)
  })

  it('refuses an outputSchema for a queued input', () => {
    expect(timeline(() => sideBySide(slowSession(), { a: { at: 0 }, b: { at: 1, ...steer, outputSchema: {} } }))).toBe(
      '0:a 1:b bad_request 10:A,a.,|',
    )
  })

  it('fails with the failure of a log that cannot be written', () => {
    const log = faultyLog()
    const codes: unknown[] = []
    playSession({
      script: [{ text: 'Hello', delayMs: 10 }],
      log,
      at: {
        0: ({ session }) =>
          session.run('Hi').subscribe({ error: (error: unknown) => codes.push((error as Failure).code) }),
        5: () => {
          log.disk.full = true
        },
      },
    })
    expect(codes).toEqual(['storage'])
  })
})

describe('closing the session', () => {
  it('ends a run by its events, and fails those that wait', () => {
    const session = slowSession()
    const ends = endsOf(session)
    const close$ = timer(5).pipe(mergeMap(() => session.close()))
    expect(timeline(() => merge(sideBySide(session, { a: { at: 0 }, b: { at: 1, ...wait } }), close$))).toBe(
      '0:a 5:b unknown_session,A,a.,|',
    )
    expect(ends).toEqual(['server_shutdown'])
  })
})
