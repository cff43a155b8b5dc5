// Tests renderers of extensions: what they draw, their limits, their faults, and that they end.
import { NEVER, of } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderedLines } from '../../../app/ui/transcript/rendered-lines.ts'
import { foldView } from '../../../app/ui/view/fold-view.ts'
import { emptyView } from '../../../app/ui/view/view.ts'
import type { EventRenderer, ExtensionApi, ToolRenderer } from '../../../lib/extensions/index.ts'
import { checkNodes, nodesAsText } from '../../../lib/streams/commands/render-commands.ts'
import type { RenderNode, RenderedEvent } from '../../../lib/streams/commands/render-commands.ts'
import { custom } from '../../../lib/streams/events/custom-event.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { extension, faults, named, open, run, closeOpened } from './extension-scene.ts'
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

describe('a renderer of results and messages', () => {
  const result = { toolCallId: 'call1', content: [{ type: 'text', text: '3' }], isError: false } as const
  const ended = { type: 'tool_execution_end', toolName: 'sum', durationMs: 1, details: { of: 'a' }, ...result } as const
  const ofEvent = ({ session }: Opened, event: AgentEvent): readonly RenderedEvent[] => {
    const all: RenderedEvent[] = []
    session.renderEvent?.(event).subscribe((each) => all.push(each))
    return all
  }
  const shown = (value: unknown) => ({ nodes: [{ type: 'text' as const, text: JSON.stringify(value) }] })

  it('gets the result of its tool, live and from the log, and none of another', () => {
    const state = open([extension(({ ui }) => void ui.renderer({ tool: 'sum', render: shown }))], [])
    const details = { of: 'a' }
    const { toolCallId, content, isError } = result
    const drawn = { extension: 'probe', ...shown({ toolCallId, content, isError, details }) }
    expect(ofEvent(state, ended)).toEqual([drawn])
    const message = { role: 'toolResult', toolName: 'sum', details, timestamp: 0, ...result } as const
    const logged: AgentEvent = { type: 'message_end', entryId: 'abcdefg2', parentId: null, message }
    expect(ofEvent(state, logged)).toEqual([drawn])
    expect(ofEvent(state, { ...ended, toolName: 'other' })).toEqual([{}])
    expect(state.session.extensionUi?.()).toMatchObject({ rendersTools: ['sum'] })
  })

  it('gets the messages of its role, and changes none', () => {
    const state = open(
      [
        extension(({ ui }) => {
          ui.renderer({
            message: 'assistant',
            render: (message) => {
              const text = JSON.stringify(message.content)
              Object.assign(message, { content: [] })
              return { nodes: [{ type: 'text', text }] }
            },
          })
        }),
      ],
      ['Hello'],
    )
    run(state)
    const ends = named(state, 'message_end')
    const [user, answer] = [ends[0], ends.at(-1)]
    if (user === undefined || answer === undefined) throw new Error('no messages')
    const before = structuredClone(answer)
    expect(ofEvent(state, answer)[0]?.nodes).toEqual([{ type: 'text', text: JSON.stringify(answer.message.content) }])
    expect(answer).toEqual(before)
    expect(ofEvent(state, user)).toEqual([{}])
    expect(state.session.extensionUi?.()).toMatchObject({ rendersMessages: ['assistant'] })
  })

  it('that throws is a fault of its extension, and draws nothing', () => {
    const render = (): never => {
      throw new Error('no colour')
    }
    const state = open([extension(({ ui }) => void ui.renderer({ tool: 'sum', render }))], [])
    expect(ofEvent(state, ended)).toEqual([{}])
    expect(faults(state)).toEqual([expect.stringContaining('the renderer of sum')])
  })

  it.each<[string, object, string]>([
    ['a second one of a tool', { tool: 'sum', render: () => undefined }, 'draws results of the tool sum already'],
    ['an unknown role', { message: 'toolResult', render: () => undefined }, 'a message that is "user" or "assistant"'],
    ['one without render', { tool: 'other' }, 'A renderer has the function render'],
  ])('refuses %s', (_, renderer, words) => {
    let message = ''
    const trying = extension(({ ui }) => {
      ui.renderer({ tool: 'sum', render: () => undefined })
      try {
        ui.renderer(renderer as ToolRenderer)
      } catch (error) {
        message = String(error)
      }
    })
    open([trying], [])
    expect(message).toContain(words)
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
