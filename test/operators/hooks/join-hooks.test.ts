// Tests `joinHooks`: the order of several sets of hooks, and what one gets from another.
import { NEVER, catchError, map, of, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { joinHooks } from '../../../lib/operators/hooks/join-hooks.ts'
import type { BeforeToolCallAnswer, Hooks, ToolCallHookInput } from '../../../lib/streams/ports/hooks.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

const call: ToolCallHookInput = {
  call: { type: 'toolCall', id: 'c1', name: 'a', arguments: { n: 0 } },
  tool: fakeTool('a', 'of a'),
  args: { n: 0 },
}
const answerAt = (ms: number, answer: BeforeToolCallAnswer): Hooks => ({
  beforeToolCall: () => timer(ms).pipe(map(() => answer)),
})
const beforeCall$ = (sets: readonly Hooks[]) => joinHooks(sets).beforeToolCall?.(call) as Observable<unknown>
const failureName$ = catchError((failure: unknown) => of(failure instanceof Failure ? failure.code : 'other'))
const addOne: Hooks = { beforeToolCall: ({ args }) => ({ args: { n: Number(args['n']) + 1 } }) }

it('asks one after the other, and gives each the arguments of the one before', () => {
  marbles(({ expectObservable }) => {
    expectObservable(beforeCall$([addOne, answerAt(5, {}), addOne])).toBe('5ms (a|)', { a: { args: { n: 2 } } })
  })
})

it('asks no other when one blocks, and keeps the first question', () => {
  marbles(({ expectObservable }) => {
    const block = answerAt(2, { block: { reason: 'no' } })
    const question = answerAt(3, { ask: { reason: 'first' } })
    const later = answerAt(3, { ask: { reason: 'second' } })
    expectObservable(beforeCall$([block, { beforeToolCall: () => NEVER }])).toBe('2ms (a|)', {
      a: { block: { reason: 'no' } },
    })
    expectObservable(beforeCall$([question, later])).toBe('6ms (a|)', { a: { ask: { reason: 'first' } } })
    expectObservable(beforeCall$([question, block])).toBe('5ms (a|)', {
      a: { ask: { reason: 'first' }, block: { reason: 'no' } },
    })
  })
})

it('gives each hook its own time, and fails with the first that fails', () => {
  marbles(({ expectObservable }) => {
    const slow = { ...answerAt(50, { args: { n: 9 } }), limitMs: 60 }
    const late = { ...answerAt(50, {}), limitMs: 10 }
    const fault = new Error('no')
    expectObservable(beforeCall$([slow, addOne])).toBe('50ms (a|)', { a: { args: { n: 10 } } })
    expectObservable(beforeCall$([slow, late]).pipe(failureName$)).toBe('60ms (a|)', { a: 'timeout' })
    expectObservable(beforeCall$([{ beforeToolCall: () => throwError(() => fault) }, addOne])).toBe('#', {}, fault)
  })
  expect(joinHooks([{ limitMs: 60, ...addOne }, addOne]).limitMs).toBe(30_060)
  expect(joinHooks([{ limitMs: 2 ** 31 - 1 }, addOne]).limitMs).toBe(2 ** 31 - 1)
})

it('passes the result of one to the next', () => {
  const addText = (text: string): Hooks => ({
    afterToolCall: ({ result: { content } }) =>
      of({ ...textResult(''), content: [...content, { type: 'text', text }] }),
  })
  const joined = joinHooks([addText('b'), {}, addText('c')])
  marbles(({ expectObservable }) => {
    const result$ = joined.afterToolCall?.({ ...call, result: textResult('a') }) as Observable<unknown>
    const content = ['a', 'b', 'c'].map((text) => ({ type: 'text', text }))
    expectObservable(result$).toBe('(a|)', { a: { ...textResult(''), content } })
  })
})

it('takes the first refusal of an input and the first continuation of a run, and no hook that no set has', () => {
  const joined = joinHooks([
    { input: () => undefined, runEnd: () => ({}) },
    { input: ({ text }) => of({ block: { reason: text } }), runEnd: () => ({ continueWith: 'go on' }) },
    { input: () => NEVER, runEnd: () => NEVER },
  ])
  marbles(({ expectObservable }) => {
    const input$ = joined.input?.({ source: 'prompt', text: 'hi' }) as Observable<unknown>
    const end$ = joined.runEnd?.({ continued: 0 }) as Observable<unknown>
    expectObservable(input$).toBe('(a|)', { a: { block: { reason: 'hi' } } })
    expectObservable(end$).toBe('(a|)', { a: { continueWith: 'go on' } })
  })
  expect(Object.keys(joined)).toEqual(['limitMs', 'input', 'runEnd'])
  expect(joinHooks([addOne])).toBe(addOne)
  expect(joinHooks([])).toEqual({})
})

it('waits for all hooks of a turn', () => {
  const joined = joinHooks([{ beforeTurn: () => timer(3) }, { beforeTurn: () => timer(4), afterTurn: () => timer(1) }])
  marbles(({ expectObservable }) => {
    expectObservable(joined.beforeTurn?.({ turnIndex: 0, messages: [] }) as Observable<unknown>).toBe('7ms |')
    expectObservable(joined.afterTurn?.({ turnIndex: 0, results: [] }) as Observable<unknown>).toBe('1ms |')
  })
})

it('puts the stream of one around that of the next, the first outermost', () => {
  const wrap = (name: string): Hooks => ({
    aroundTool: (output$) => output$.pipe(map((value) => (value.type === 'result' ? textResult(name) : value))),
  })
  marbles(({ cold, expectObservable }) => {
    const tool$ = cold('-r|', { r: textResult('tool') })
    const joined = joinHooks([wrap('outer'), {}, wrap('inner')])
    expectObservable(joined.aroundTool?.(tool$, call) ?? tool$).toBe('-r|', { r: textResult('outer') })
  })
})

it('gives each hook the command of the one before, and asks no other when one blocks', () => {
  const extend = (text: string): Hooks => ({ userCommand: ({ command }) => of({ command: `${command} ${text}` }) })
  const run$ = () => NEVER
  const replace: Hooks = { userCommand: () => of({ run: run$ }) }
  const block: Hooks = { userCommand: () => of({ block: { reason: 'no' } }) }
  const input = { command: 'ls', exclude: false }
  const answer$ = (sets: readonly Hooks[]) => joinHooks(sets).userCommand?.(input) as Observable<unknown>
  marbles(({ expectObservable }) => {
    const both = { command: 'ls -l -a', run: run$ }
    expectObservable(answer$([extend('-l'), replace, {}, extend('-a')])).toBe('(a|)', { a: both })
    expectObservable(answer$([extend('-l'), block, { userCommand: () => NEVER }])).toBe('(a|)', {
      a: { command: 'ls -l', block: { reason: 'no' } },
    })
    expectObservable(answer$([{}, replace])).toBe('(a|)', { a: { run: run$ } })
  })
})

it('takes the first refusal to leave, and goes on over hooks without one', () => {
  const cancel = (reason: string): Hooks => ({ beforeLeave: () => of({ cancel: { reason } }) })
  const agree: Hooks = { beforeLeave: () => of({}) }
  const answer$ = (sets: readonly Hooks[]) =>
    joinHooks(sets).beforeLeave?.({ type: 'switch', to: 'new' }) as Observable<unknown>
  marbles(({ expectObservable }) => {
    expectObservable(answer$([agree, {}, cancel('first'), cancel('second')])).toBe('(a|)', {
      a: { cancel: { reason: 'first' } },
    })
    expectObservable(answer$([agree, agree])).toBe('(a|)', { a: undefined })
  })
  expect(joinHooks([agree, {}]).userCommand).toBeUndefined()
  expect(joinHooks([{ userCommand: () => of({}) }, {}]).beforeLeave).toBeUndefined()
})
