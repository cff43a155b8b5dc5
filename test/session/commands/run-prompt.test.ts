// Tests a run as a cold stream under the operators of RxJS, with their marbles.
import {
  catchError,
  concat,
  concatMap,
  exhaustMap,
  map,
  merge,
  mergeMap,
  of,
  retry,
  switchMap,
  take,
  takeUntil,
  timeout,
  timer,
} from 'rxjs'
import type { Observable, OperatorFunction } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RunPromptOptions } from '../../../lib/session/contract/session.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { codeOf, endsOf, marked, slowSession, tidySession } from './run-prompt-scene.ts'

type Run = (prompt: string) => Observable<string>
interface Picture {
  readonly prompts: string
  readonly operator: (run: Run) => OperatorFunction<string, string>
  readonly shows: string
  readonly error?: string
  readonly ends: readonly string[]
  readonly options?: RunPromptOptions
}

const pictures: Readonly<Record<string, Picture>> = {
  concatMap: {
    prompts: 'a-b-----------------|',
    operator: (run) => concatMap(run),
    shows: '  a---------(Ab)------(B|)',
    ends: ['completed', 'completed'],
  },
  switchMap: {
    prompts: 'a----b--------------|',
    operator: (run) => switchMap(run),
    shows: '  a----b---------B----|',
    ends: ['aborted', 'completed'],
  },
  exhaustMap: {
    prompts: 'a----b------c-------|',
    operator: (run) => exhaustMap(run),
    shows: '  a---------A-c---------(C|)',
    ends: ['completed', 'completed'],
  },
  'mergeMap, refused': {
    prompts: 'a----b--------------|',
    operator: (run) => mergeMap(run),
    shows: '  a----(x|)',
    error: 'busy',
    ends: ['aborted'],
  },
  'mergeMap with wait': {
    prompts: 'a-b-c---------------|',
    operator: (run) => mergeMap(run),
    shows: '  a---------(Ab)------(Bc)------(C|)',
    ends: ['completed', 'completed', 'completed'],
    options: { whileRunning: 'wait' },
  },
  'mergeMap with replace': {
    prompts: 'a----b--------------|',
    operator: (run) => mergeMap(run),
    shows: '  a----(Ab)------B----|',
    ends: ['aborted', 'completed'],
    options: { whileRunning: 'replace' },
  },
  'mergeMap with steer': {
    prompts: 'a----b--------------|',
    operator: (run) => mergeMap(run),
    shows: '  a-------------------(AB|)',
    ends: ['completed'],
    options: { whileRunning: 'steer' },
  },
  takeUntil: {
    prompts: 'a-------------------|',
    operator: (run) => concatMap((prompt) => run(prompt).pipe(takeUntil(timer(6)))),
    shows: '  a-------------------|',
    ends: ['aborted'],
  },
  timeout: {
    prompts: 'a-------------------|',
    operator: (run) => concatMap((prompt) => run(prompt).pipe(timeout({ each: 6, with: () => of('t') }))),
    shows: '  a-----t-------------|',
    ends: ['aborted'],
  },
  'timeout and retry': {
    prompts: 'a-------------------|',
    operator: (run) => concatMap((prompt) => run(prompt).pipe(timeout({ each: 6 }), retry(1))),
    shows: '  a-----a-----(x|)',
    error: 'TimeoutError',
    ends: ['aborted', 'aborted'],
  },
}

describe('session.run under an operator of RxJS', () => {
  it.each(Object.entries(pictures))('%s', (_, { prompts, operator, shows, error, ends, options }) => {
    const codes: string[] = []
    const reasons = marbles(({ cold, expectObservable }) => {
      const session = slowSession()
      const mark$ = cold(prompts).pipe(
        operator(marked(session, options)),
        catchError((thrown: unknown) => {
          codes.push(codeOf(thrown))
          return of('x')
        }),
      )
      expectObservable(mark$).toBe(shows)
      return endsOf(session)
    })
    expect(reasons).toEqual(ends)
    expect(codes).toEqual(error === undefined ? [] : [error])
  })

  it('starts no run without a subscription, and one for each', () => {
    const session = slowSession()
    const run$ = marked(session)('a')
    expect(session.state$.value.entries.size).toBe(0)
    expect(timeline(() => concat(run$, run$))).toBe('0:a 10:Aa 20:A|')
  })

  it('waits for a tool in its grace time before it starts the next run', () => {
    expect(timeline(() => merge(of('a'), timer(5).pipe(map(() => 'b'))).pipe(switchMap(marked(tidySession()))))).toBe(
      '0:a 25:bB|',
    )
  })

  it('aborts the run at any of its events', () => {
    const session = slowSession()
    const ends = endsOf(session)
    const counts = [1, 2, 3, 4].map((count) =>
      timeline(() =>
        session.run('a').pipe(
          take(count),
          map(() => '.'),
        ),
      ),
    )
    expect(counts).toEqual(['0:.|', '0:..|', '0:...|', '0:....|'])
    expect(ends).toEqual(['aborted', 'aborted', 'aborted', 'aborted'])
    expect(session.state$.value.running).toBeUndefined()
  })
})
