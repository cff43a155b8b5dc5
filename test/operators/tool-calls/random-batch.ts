// Runs random tool batches in virtual time and records when the tool of each call ran.
import fc from 'fast-check'
import { EMPTY, NEVER, asyncScheduler, defer, finalize, map, merge, mergeMap, of, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { BeforeToolCallAnswer, Hooks } from '../../../lib/streams/ports/hooks.ts'
import type { ToolLocks } from '../../../lib/streams/ports/locks.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { RunControl } from '../../../lib/testing/run-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'

const preparations = ['unknown', 'invalid', 'blocked', 'hook throws', 'locks throw', 'changed'] as const
const endings = ['throws', 'fails', 'gives nothing', 'hangs'] as const

export interface RandomCall {
  /** `changed`: a hook changes the arguments, and so the locks: reads become writes and writes reads. */
  readonly preparation: 'ready' | (typeof preparations)[number]
  /** Milliseconds until the `beforeToolCall` hook answers; undefined: it answers synchronously. */
  readonly hookMs: number | undefined
  readonly locks: Required<ToolLocks>
  readonly mustSerial: boolean
  readonly sideEffectFree: boolean
  readonly ending: 'result' | (typeof endings)[number]
  /** Milliseconds until the ending; undefined: it comes within `execute`. */
  readonly workMs: number | undefined
  readonly progressMs: readonly number[]
  /** The tool reads the signal, so an abort grants it the grace time. */
  readonly takesSignal: boolean
  readonly afterHook: 'none' | 'slow' | 'throws'
}

/** At a virtual millisecond, within the run's event of that index, or while the call of that index runs. */
export interface Cut {
  readonly how: 'abort' | 'interrupt'
  readonly by: 'time' | 'event' | 'call'
  readonly at: number
}

export interface RandomBatch {
  readonly calls: readonly RandomCall[]
  readonly mode: 'parallel' | 'sequential'
  /** An abort, or a steer that interrupts: no further call starts after it. */
  readonly cut: Cut | undefined
}

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 })

export const randomCall: fc.Arbitrary<RandomCall> = fc.record({
  preparation: oftenUsual(preparations, 'ready'),
  hookMs: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat({ max: 3 }) }),
  locks: fc.record({ read: names, write: names }),
  mustSerial: fc.integer({ max: 5, min: 0 }).map((drawn) => drawn === 5),
  sideEffectFree: fc.boolean(),
  ending: oftenUsual(endings, 'result'),
  workMs: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
  progressMs: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
  takesSignal: fc.boolean(),
  afterHook: oftenUsual(['slow', 'throws'] as const, 'none'),
})

const how = fc.constantFrom('abort', 'abort', 'interrupt')
/** The index of the answer's first event: an input that is queued before it joins the prompt and interrupts nothing. */
const answerIndex = 4

export const randomBatch: fc.Arbitrary<RandomBatch> = fc.record({
  calls: fc.array(randomCall, { minLength: 1, maxLength: 8 }),
  mode: fc.constantFrom('parallel', 'parallel', 'sequential'),
  cut: fc.option(
    fc.oneof(
      fc.record({ how, by: fc.constant('time' as const), at: fc.nat({ max: 15 }) }),
      fc.record({ how, by: fc.constant('event' as const), at: fc.integer({ min: answerIndex, max: 70 }) }),
      fc.record({ how, by: fc.constant('call' as const), at: fc.nat({ max: 7 }) }),
    ),
    { nil: undefined },
  ),
})

/** `usual` in four of five cases. */
function oftenUsual<Rare extends string, Usual extends string>(
  rare: readonly Rare[],
  usual: Usual,
): fc.Arbitrary<Rare | Usual> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom<(Rare | Usual)[]>(...rare) },
  )
}

/** A point in time; `order` orders the moments of one millisecond. */
export interface Moment {
  readonly order: number
  readonly ms: number
}

/** The execution of one call, from `execute` on. */
export interface Work {
  readonly call: number
  readonly begun: Moment
  /** When the tool was unsubscribed, or ended. */
  left?: Moment
}

export interface PlayedBatch {
  readonly batch: RandomBatch
  readonly run: VirtualRun
  /** In order of their start. */
  readonly works: readonly Work[]
  /** The moment of each event, in the order of `run.events`. */
  readonly emitted: readonly Moment[]
  /** The moment of the cut. */
  readonly cutAt: Moment | undefined
}

/** The time limit of a call that hangs. */
export const limitMs = 20

/** Runs one turn with the calls and one with the answer to their results; a steer adds another turn. */
export function playBatch(batch: RandomBatch): PlayedBatch {
  const works: Work[] = []
  const emitted: Moment[] = []
  let cutAt: Moment | undefined
  let order = 0
  const run = virtualRun(() => {
    const moment = (): Moment => ({ order: order++, ms: asyncScheduler.now() })
    let control: RunControl | undefined
    const { cut } = batch
    const act = (): void => {
      cutAt ??= moment()
      if (cut?.how === 'interrupt') control?.steer('wait')
      else control?.stop()
    }
    const begin = (call: number): Work => {
      const work: Work = { call, begun: moment() }
      works.push(work)
      if (cut?.by === 'call' && cut.at === call) act()
      return work
    }
    return {
      script: (_, number) => (number === 1 ? { toolCalls: batch.calls.map(callOf) } : 'done'),
      tools: batch.calls.flatMap((call, index) =>
        call.preparation === 'unknown' ? [] : [toolOf(call, index, { begin, moment })],
      ),
      ports: {
        toolExecution: batch.mode,
        graceMs: 3,
        hooks: hooksOf(batch.calls),
        ...(cut?.how === 'interrupt' ? { steering: 'interrupt' } : {}),
      },
      at: cut?.by === 'time' ? { [cut.at]: act } : {},
      onEvent: (_: AgentEvent, input: RunControl) => {
        control = input
        const index = emitted.push(moment()) - 1
        if (cut?.by === 'event' && cut.at === index) act()
      },
    }
  })
  return { batch, run, works, emitted, cutAt }
}

export function nameOf(index: number): string {
  return `call${index}`
}

function callOf(_: RandomCall, index: number) {
  return { id: nameOf(index), name: nameOf(index), arguments: { changed: false } }
}

interface Watch {
  begin(call: number): Work
  moment(): Moment
}

function toolOf(call: RandomCall, index: number, { begin, moment }: Watch): AnyTool {
  return fakeTool(
    nameOf(index),
    ({ context }) => {
      const work = begin(index)
      if (call.takesSignal) context.signal.throwIfAborted()
      if (call.ending === 'throws' && call.workMs === undefined) {
        work.left = moment()
        throw new Error('thrown')
      }
      return outputOf(call).pipe(finalize(() => (work.left = moment())))
    },
    {
      mustSerial: call.mustSerial,
      sideEffectFree: call.sideEffectFree,
      timeoutMs: limitMs,
      validate: () => (call.preparation === 'invalid' ? [{ path: '/changed', reason: 'is no good' }] : []),
      locks: (args: { readonly changed?: boolean }) => {
        if (call.preparation === 'locks throw') throw new Error('no locks')
        return locksOf(call, args.changed === true)
      },
    },
  )
}

/** The locks of a call; changed arguments swap reads and writes. */
export function locksOf({ locks, preparation }: RandomCall, changed = preparation === 'changed'): Required<ToolLocks> {
  return changed ? { read: locks.write, write: locks.read } : locks
}

function outputOf({ workMs, progressMs, ending }: RandomCall): Observable<ToolProgress | ToolResult> {
  const piece: ToolProgress = { type: 'progress', updateType: 'stdout', content: 'x' }
  if (workMs === undefined) return merge(of(...progressMs.map(() => piece)), endingOf(ending))
  const progress = progressMs.map((ms) => timer(ms).pipe(map(() => piece)))
  return merge(...progress, timer(workMs).pipe(mergeMap(() => endingOf(ending))))
}

function endingOf(ending: RandomCall['ending']): Observable<ToolResult> {
  switch (ending) {
    case 'result':
      return of(textResult('worked'))
    case 'throws':
      return defer((): Observable<never> => {
        throw new Error('thrown')
      })
    case 'fails':
      return throwError(() => new Error('failed'))
    case 'gives nothing':
      return EMPTY
    case 'hangs':
      return NEVER
  }
}

function hooksOf(calls: readonly RandomCall[]): Hooks {
  const called = (name: string): RandomCall | undefined => calls.find((_, index) => nameOf(index) === name)
  return {
    beforeToolCall: ({ call }) => {
      const { hookMs, preparation } = called(call.name) ?? {}
      const answer$ = defer(() => of(answerOf(preparation)))
      return hookMs === undefined ? answer$ : timer(hookMs).pipe(mergeMap(() => answer$))
    },
    afterToolCall: ({ call }) => {
      const { afterHook } = called(call.name) ?? {}
      if (afterHook === 'throws') throw new Error('after')
      return afterHook === 'slow' ? timer(2).pipe(map(() => undefined)) : of(undefined)
    },
  }
}

function answerOf(preparation: RandomCall['preparation'] | undefined): BeforeToolCallAnswer | undefined {
  if (preparation === 'hook throws') throw new Error('no hook')
  if (preparation === 'blocked') return { block: { reason: 'blocked' } }
  return preparation === 'changed' ? { args: { changed: true } } : undefined
}
