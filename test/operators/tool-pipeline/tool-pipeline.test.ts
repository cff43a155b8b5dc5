// Tests the seven layers together: their order, what a change rebuilds, and each layer replaced.
import { NEVER, Subject, combineLatest, identity, map, of, throwError } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { mapTools } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import type { ToolDraft, ToolInputs, ToolLayer } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import { toolPipeline } from '../../../lib/operators/tool-pipeline/tool-pipeline.ts'
import type { BuiltTools, ToolLayers } from '../../../lib/operators/tool-pipeline/tool-pipeline.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { a, b, c, d, inputs, namesOf, sandbox } from './pipeline-samples.ts'

const full = inputs({ base: [a], sandbox, runtime: [b], channel: [c], schemas: () => identity })

function built(options: ToolInputs, layers: Partial<ToolLayers> = {}): BuiltTools {
  let tools: BuiltTools | undefined
  of(options)
    .pipe(toolPipeline(layers))
    .subscribe((next) => (tools = next))
  if (tools === undefined) throw new Error('nothing was built')
  return tools
}

const names = ['base', 'sandbox', 'runtime', 'channel', 'policy', 'schemas', 'cancellation'] as const

/** Records the tools that reach the layer. */
function recorded(layer: ToolLayer, record: (draft: ToolDraft) => void): ToolLayer {
  return (draft$) =>
    draft$.pipe(
      map((draft) => {
        record(draft)
        return draft
      }),
      layer,
    )
}

describe('toolPipeline', () => {
  it('builds once for each inputs, and ends with them [LOOP-37a]', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const inputs$ = hot('-x-y-z-|', {
        x: full,
        y: { ...full, policy: { names: ['c', 'a'] } },
        z: { ...full, channel: [], policy: { names: ['c', 'a'] } },
      })
      const text = ({ registered, active }: BuiltTools): string => `${namesOf(registered)}: ${namesOf(active)}`
      expectObservable(inputs$.pipe(toolPipeline(), map(text))).toBe('-x-y-z-|', {
        x: 'a b c: a b c',
        y: 'a b c: c a',
        z: 'a b: a',
      })
      expectSubscriptions(inputs$.subscriptions).toBe('^------!')
    })
  })

  it('passes the layers in the order base, sandbox, runtime, channel, policy, schemas, cancellation [LOOP-37a]', () => {
    const order: string[] = []
    const mark = (name: string): ToolLayer => recorded(identity, () => order.push(name))
    built(full, Object.fromEntries(names.map((name) => [name, mark(name)])))
    expect(order).toEqual(names)
  })

  it.each<readonly [string, Partial<ToolInputs>, number]>([
    ['a base tool', { base: [d] }, 3],
    ['the sandbox', { sandbox: { ...sandbox } }, 1],
    ['a channel tool', { channel: [d] }, 1],
    ['the policy', { policy: { names: ['b'] } }, 0],
    ['nothing', {}, 0],
  ])('a change of %s leaves the tools of other layers as they are [LOOP-37c]', (_, change, remade) => {
    const lists: (readonly unknown[])[] = []
    of(full, { ...full, ...change })
      .pipe(toolPipeline())
      .subscribe(({ registered }) => lists.push(registered))
    const [before = [], after = []] = lists
    expect(after.filter((tool) => !before.includes(tool))).toHaveLength(remade === 3 ? 1 : remade)
  })

  it('wraps a tool once, however often the other tools change [LOOP-37c]', () => {
    const wrap = vi.fn((tool: AnyTool) => tool)
    const inputs$ = new Subject<ToolInputs>()
    inputs$.pipe(toolPipeline({ cancellation: mapTools(wrap) })).subscribe()
    for (const channel of [[c], [d], [c, d], []]) inputs$.next(inputs({ base: [a], channel }))
    expect(wrap.mock.calls.map(([{ name }]) => name)).toEqual(['a', 'c', 'd'])
  })

  it('fails with bad_config for two active tools of one name', () => {
    const twice$: ToolLayer = map((draft) => ({ ...draft, tools: [...draft.tools, fakeTool('a', '')] }))
    let failure: unknown
    of(full)
      .pipe(toolPipeline({ channel: twice$ }))
      .subscribe({ error: (error: unknown) => (failure = error) })
    expect(failure).toMatchObject({ code: 'bad_config', message: expect.stringContaining('"a"') as string })
    expect(failure).toBeInstanceOf(Failure)
  })
})

describe('a layer in place of', () => {
  const adds = fakeTool('extra', '')

  it.each(names)('%s sees the tools of the layers before it, and its tools go on [LOOP-37d]', (name) => {
    const before: Record<(typeof names)[number], string> = {
      base: '',
      sandbox: 'a',
      runtime: 'a',
      channel: 'a b',
      policy: 'a b c',
      schemas: 'a b c',
      cancellation: 'a b c',
    }
    let reached = 'nothing'
    const layer$ = recorded(
      map((draft: ToolDraft) => ({ ...draft, tools: [...draft.tools, adds] })),
      ({ tools }) => (reached = namesOf(tools)),
    )
    const { active } = built(full, { [name]: layer$ })
    expect(reached).toBe(before[name])
    expect(active.map((tool) => tool.name)).toContain('extra')
  })

  it.each(names)('%s that passes drafts on switches that layer off [LOOP-37d]', (name) => {
    const without: Record<(typeof names)[number], string> = {
      base: 'b',
      sandbox: 'b a',
      runtime: 'a',
      channel: 'b a',
      policy: 'a b c',
      schemas: 'b a',
      cancellation: 'b a',
    }
    expect(namesOf(built({ ...full, policy: { names: ['b', 'a'] } }, { [name]: identity }).active)).toBe(without[name])
  })

  it('runtime that follows a stream of its own emits without a change of the inputs [LOOP-37d]', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const found$ = cold('a----b-', { a: [], b: [d] })
      const runtime$: ToolLayer = (draft$) =>
        combineLatest([draft$, found$]).pipe(map(([draft, found]) => ({ ...draft, tools: [...draft.tools, ...found] })))
      const active$ = hot('--x----', { x: full }).pipe(
        toolPipeline({ runtime: runtime$ }),
        map(({ active }) => namesOf(active)),
      )
      expectObservable(active$, '^------!').toBe('--x--y-', { x: 'a c', y: 'a d c' })
    })
  })

  it('any that fails or is silent fails or silences the pipeline', () => {
    marbles(({ hot, expectObservable }) => {
      const inputs$ = (): ReturnType<typeof hot<ToolInputs>> => hot('-x-|', { x: full })
      const failing$: ToolLayer = () => throwError(() => new Error('no'))
      expectObservable(inputs$().pipe(toolPipeline({ schemas: failing$ }))).toBe('#', undefined, new Error('no'))
      expectObservable(inputs$().pipe(toolPipeline({ base: () => NEVER }))).toBe('----')
    })
  })
})
