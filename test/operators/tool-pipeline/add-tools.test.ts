// Tests the layers that add tools: base, runtime and channel.
import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { baseTools, channelTools, runtimeTools } from '../../../lib/operators/tool-pipeline/add-tools.ts'
import type { ToolDraft, ToolInputs, ToolLayer } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { a, b, c, draft, namesOf } from './pipeline-samples.ts'

const layers: readonly (readonly ['base' | 'runtime' | 'channel', () => ToolLayer])[] = [
  ['base', baseTools],
  ['runtime', runtimeTools],
  ['channel', channelTools],
]

describe.each(layers)('the layer of %s tools', (part, layer) => {
  const added = (tools: ToolInputs['base']): Partial<ToolInputs> => ({ [part]: tools })

  it('adds its tools behind those of the layers before it [LOOP-37b]', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const drafts = { x: draft([a], added([b, c])), y: draft([a], added([])), z: draft([], added([c])) }
      const draft$ = hot('-x-y-z-|', drafts)
      expectObservable(
        draft$.pipe(
          layer(),
          map(({ tools }) => namesOf(tools)),
        ),
      ).toBe('-x-y-z-|', {
        x: 'a b c',
        y: 'a',
        z: 'c',
      })
      expectSubscriptions(draft$.subscriptions).toBe('^------!')
    })
  })

  it('fails with its source, and unsubscribes it', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const x = draft([], added([a]))
      expectObservable(
        cold<ToolDraft>('-x-#', { x }).pipe(
          layer(),
          map(({ tools }) => tools),
        ),
      ).toBe('-x-#', { x: [a] })
      const draft$ = hot('-x-x-', { x })
      expectObservable(draft$.pipe(layer()), '^--!').toBe('-x', { x: { ...x, tools: [a] } })
      expectSubscriptions(draft$.subscriptions).toBe('^--!')
    })
  })

  it('replaces no tool of an earlier layer, and takes the first of two with one name', () => {
    const [other, first, second] = [fakeTool('a', ''), fakeTool('x', '1'), fakeTool('x', '2')]
    let tools: ToolDraft['tools'] = []
    marbles(({ cold }) => {
      cold<ToolDraft>('(x|)', { x: draft([a], added([other, first, second])) })
        .pipe(layer())
        .subscribe((built) => (tools = built.tools))
    })
    expect(tools.map((tool) => [a, other, first, second].indexOf(tool as typeof first))).toEqual([0, 2])
  })

  it('keeps its list while neither its own part nor the tools before it change', () => {
    const [before, own] = [[a], [b]]
    const lists = new Set<ToolDraft['tools']>()
    marbles(({ cold }) => {
      const drafts = {
        x: draft(before, added(own)),
        y: { ...draft(before, added(own)), inputs: { ...draft([], added(own)).inputs, policy: { names: ['a'] } } },
        z: draft(before, added([b])),
      }
      cold<ToolDraft>('xyz|', drafts)
        .pipe(layer())
        .subscribe(({ tools }) => lists.add(tools))
    })
    expect(lists.size).toBe(2)
  })
})
