// Tests the layer by which every tool is cancelled by unsubscribing its output.
import { Observable, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ToolDraft } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import { cancellable, wrapCancellation } from '../../../lib/operators/tool-pipeline/wrap-cancellation.ts'
import { createLazySignal } from '../../../lib/operators/tool-calls/lazy-signal.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool, ToolContext, ToolProgress } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { a, context, draft } from './pipeline-samples.ts'

const result = textResult('done')
const progress: ToolProgress = { type: 'progress', updateType: 'stdout', content: 'x' }

function wrapped(tool: AnyTool): ReturnType<typeof cancellable> {
  let made: AnyTool = tool
  marbles(({ cold }) => {
    cold<ToolDraft>('(x|)', { x: draft([tool]) })
      .pipe(wrapCancellation())
      .subscribe(({ tools: [first = tool] }) => (made = first))
  })
  return made as ReturnType<typeof cancellable>
}

describe('wrapCancellation', () => {
  it('passes the output of a tool, and unsubscribes it with its own subscriber [LOOP-37b]', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const slow$ = cold('-p-p-(r|)', { p: progress, r: result })
      const call$ = wrapped(fakeTool('slow', slow$)).execute({} as never, context())
      expectObservable(call$).toBe('-p-p-(r|)', { p: progress, r: result })
      expectObservable(call$, '^--!').toBe('-p', { p: progress })
      expectSubscriptions(slow$.subscriptions).toBe(['^----!', '^--!'])
    })
  })

  it('starts the tool with each subscription, not with the call', () => {
    const tool = fakeTool('a', 'done')
    const call$ = wrapped(tool).execute({} as never, context())
    expect(tool.calls).toHaveLength(0)
    call$.subscribe()
    expect(tool.calls).toHaveLength(1)
  })

  it('takes the signal on behalf of a promise, and of nothing else', async () => {
    const signals = [createLazySignal(), createLazySignal()] as const
    const contextOf = (signal: (typeof signals)[number]): ToolContext =>
      Object.defineProperty({ ...context(), signal: undefined }, 'signal', {
        get: () => signal.signal,
      }) as unknown as ToolContext
    wrapped(fakeTool('sync', of(result)))
      .execute({} as never, contextOf(signals[0]))
      .subscribe()
    const received = await new Promise((resolve) => {
      wrapped(fakeTool('promise', Promise.resolve(result)))
        .execute({} as never, contextOf(signals[1]))
        .subscribe(resolve)
    })
    expect([signals[0].taken, signals[1].taken, received]).toEqual([false, true, result])
  })

  it('turns a throw into an error of the output', () => {
    const thrown = new Error('no')
    const tool: AnyTool = { ...a, execute: () => { throw thrown } } // prettier-ignore
    marbles(({ expectObservable }) => {
      expectObservable(wrapped(tool).execute({} as never, context())).toBe('#', undefined, thrown)
    })
  })

  it('wraps a tool once', () => {
    const made = wrapped(a)
    expect(made).not.toBe(a)
    expect([wrapped(a), wrapped(made), cancellable(a)].every((tool) => tool === made)).toBe(true)
  })

  it('keeps the methods of a tool that is an instance of a class', () => {
    class Counter {
      readonly name = 'count'
      readonly description = 'Counts'
      readonly parameters = a.parameters
      #count = 0
      get capability(): 'read' {
        return 'read'
      }
      prepareArguments(args: Record<string, unknown>): Record<string, unknown> {
        return { ...args, count: this.#count }
      }
      locks(): { readonly write: readonly string[] } {
        return { write: [String(this.#count)] }
      }
      execute(): Observable<typeof result> {
        this.#count += 1
        return of(textResult(String(this.#count)))
      }
    }
    const made = wrapped(new Counter())
    const outputs: unknown[] = []
    const call = (): void => void made.execute({} as never, context()).subscribe((value) => outputs.push(value))
    call()
    call()
    expect(outputs).toEqual([textResult('1'), textResult('2')])
    expect(made).toMatchObject({ name: 'count', description: 'Counts', capability: 'read' })
    expect([made.prepareArguments?.({ x: 1 }), made.locks?.({} as never, { cwd: '/' })]).toEqual([
      { x: 1, count: 2 },
      { write: ['2'] },
    ])
  })
})
