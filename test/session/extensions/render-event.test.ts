// Tests renderers of extensions: what they draw, their limits, their faults, and that they end.
import { NEVER, of } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderedLines } from '../../../app/ui/transcript/rendered-lines.ts'
import { foldView } from '../../../app/ui/view/fold-view.ts'
import { emptyView } from '../../../app/ui/view/view.ts'
import type { EventRenderer, ExtensionApi } from '../../../lib/extensions/index.ts'
import { checkNodes, nodesAsText } from '../../../lib/streams/commands/render-commands.ts'
import type { RenderNode, RenderedEvent } from '../../../lib/streams/commands/render-commands.ts'
import { custom } from '../../../lib/streams/events/custom-event.ts'
import { extension, faults, open, closeOpened } from './extension-scene.ts'
import type { Opened } from './extension-scene.ts'

afterEach(closeOpened)

const nodes: readonly RenderNode[] = [
  { type: 'text', text: 'Cost', look: 'strong' },
  {
    type: 'box',
    title: 'Parts',
    nodes: [
      { type: 'list', items: ['in 1', 'out 2'] },
      { type: 'text', text: 'all' },
    ],
  },
  { type: 'diff', diff: '@@ -1 +1 @@\n-old\n+new' },
]

function drawing(render: EventRenderer['render']): { readonly state: Opened; readonly api: ExtensionApi } {
  let api: ExtensionApi | undefined
  const state = open([extension((own) => void (api = own).ui.renderer({ customType: 'cost', render }))], [])
  if (api === undefined) throw new Error('not set up')
  return { state, api }
}

function drawn({ session }: Opened, type = 'cost', data: unknown = { usd: 3 }): readonly RenderedEvent[] {
  const all: RenderedEvent[] = []
  session.renderEvent?.(custom(type, data)).subscribe((each) => all.push(each))
  return all
}

describe('a renderer', () => {
  it('draws the events of its type, from their data', () => {
    const { state } = drawing((data) => of({ nodes: [...nodes, { type: 'text', text: JSON.stringify(data) }] }))
    const last = { type: 'text', text: '{"usd":3}' }
    expect(drawn(state)).toEqual([{ extension: 'probe', nodes: [...nodes, last] }])
    expect(drawn(state, 'other')).toEqual([{}])
    expect(state.session.extensionUi?.().renders).toEqual(['cost'])
  })

  it('is gone with its extension, and one draws a type', () => {
    const { state, api } = drawing(() => undefined)
    expect(() => api.ui.renderer({ customType: 'cost', render: () => undefined })).toThrow(
      'draws events of the type cost',
    )
    state.session.close().subscribe()
    expect(drawn(state)).toEqual([{}])
    expect(() => api.ui.renderer({ customType: 'late', render: () => undefined })).toThrow('was unloaded')
  })

  it.each<[string, EventRenderer['render'], string]>([
    ['throws', () => { throw new Error('no colour') }, 'no colour'], // prettier-ignore
    ['answers without nodes', () => ({}) as never, 'answers with { nodes: […] }'],
    [
      'answers with an unknown node',
      () => ({ nodes: [{ type: 'html', text: '<b>' }] }) as never,
      'is no text, list, diff or box',
    ],
    ['answers with a hole', () => ({ nodes: [undefined] }) as never, 'a node of the type undefined is no'],
    ['answers with a box in a box', () => ({ nodes: [{ type: 'box', nodes: [{ type: 'box', nodes: [] }] }] }) as never, 'is no text, list, diff or box'], // prettier-ignore
    ['answers with too many nodes', () => ({ nodes: Array.from({ length: 201 }, () => ({ type: 'text' as const, text: '' })) }), 'more than 200 nodes'], // prettier-ignore
    [
      'answers with too long a text',
      () => ({ nodes: [{ type: 'text', text: 'x'.repeat(65_537) }] }),
      'more than 65536 characters',
    ],
  ])('that %s is a fault, and draws nothing', (_, render, words) => {
    const { state } = drawing(render)
    expect(drawn(state)).toEqual([{}])
    expect(faults(state)).toEqual([expect.stringContaining(words)])
  })

  it('that does not answer is a fault after 2 s', () => {
    vi.useFakeTimers()
    try {
      const { state } = drawing(() => NEVER)
      const answers = drawn(state)
      vi.advanceTimersByTime(2_001)
      expect(answers).toEqual([{}])
      expect(faults(state)).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('drawn nodes', () => {
  const text = (lines: ReturnType<typeof renderedLines>): string[] =>
    lines.map((line) => line.map((span) => span.text).join(''))

  it('are lines of the screen, without any escape sequence', () => {
    const hostile = { type: 'text', text: 'a\u001b[2Jb', look: 'danger' } as const
    expect(text(renderedLines([...nodes, hostile], 40))).toEqual([
      '  Cost',
      '  Parts',
      '  │ • in 1',
      '  │ • out 2',
      '  │ all',
      expect.stringContaining('old'),
      expect.stringContaining('new'),
      '  a␛[2Jb',
    ])
  })

  it('are plain text elsewhere', () => {
    expect(nodesAsText(nodes).split('\n').slice(0, 5)).toEqual(['Cost', 'Parts', '  - in 1', '  - out 2', '  all'])
  })

  it('have the known fields alone', () => {
    expect(checkNodes({ nodes: [{ type: 'text', text: 'a', onClick: 'b' }] })).toEqual([{ type: 'text', text: 'a' }])
  })

  it('stand in the conversation', () => {
    const view = foldView(emptyView(), { type: 'rendered', seq: 7, nodes })
    expect(view.finished).toEqual([{ kind: 'rendered', id: 'event-7', nodes }])
  })
})
