// Tests what a UI asks extensions to draw, where it stands in the conversation, and what a failure leaves.
import { NEVER, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it, vi } from 'vitest'
import { drawnInputs } from '../../../../app/ui/session/drawn-inputs.ts'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { itemLines } from '../../../../app/ui/transcript/item-lines.ts'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import type { History, ViewInput } from '../../../../app/ui/view/view-input.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import type { ReceivedEvent } from '../../../../lib/server/protocol/server-frame.ts'
import { noExtensionUi } from '../../../../lib/streams/commands/extension-ui-commands.ts'
import type { ExtensionUi } from '../../../../lib/streams/commands/extension-ui-commands.ts'
import type { RenderNode } from '../../../../lib/streams/commands/render-commands.ts'
import { custom } from '../../../../lib/streams/events/custom-event.ts'
import type { AgentEvent } from '../../../../lib/streams/events/event.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { answerEnds, answerOf, entryId, notices, piece, shortly, textStarts, viewOf } from '../view/view-scene.ts'

const nodes: readonly RenderNode[] = [{ type: 'text', text: 'drawn' }]
const kinds: ExtensionUi = { ...noExtensionUi, renders: ['cost'], rendersTools: ['sum'], rendersMessages: ['assistant'] } // prettier-ignore
const call = { type: 'toolCall', id: 'call1', name: 'sum', arguments: { of: 'a' } } as const
const content = [{ type: 'text', text: 'the sum' }] as const
const ended: AgentEvent = { type: 'tool_execution_end', toolCallId: 'call1', toolName: 'sum', isError: false, content, durationMs: 1 } // prettier-ignore
const result = { role: 'toolResult', toolCallId: 'call1', toolName: 'sum', content, isError: false, timestamp: 0 } as const // prettier-ignore
const answer: readonly RenderNode[] = nodes

/** A drawer whose server answers with `answer$`; `requested` are the numbers of its requests. */
function drawer(answer$: Observable<unknown> = of({ nodes: answer }), history: History['entries'] = []) {
  const requested: number[] = []
  const request = ((command: { seq: number }) => {
    requested.push(command.seq)
    return answer$
  }) as never
  return { requested, drawing: drawnInputs({ request }, 'abcdefghij23', history) }
}

function collect(input$: Observable<ViewInput>): ViewInput[] {
  const all: ViewInput[] = []
  input$.subscribe((input) => all.push(input))
  return all
}

const at = (event: AgentEvent, seq: number): ReceivedEvent => ({ ...notices(event), seq })

function cardOf({ finished, live }: View): string {
  const card = [...finished, ...live].find(({ kind }) => kind === 'tool')
  if (card === undefined) throw new Error('there is no card')
  const options = { columns: 60, theme: createTheme('dark', 'plain'), showsThinking: false, isExpanded: false }
  return itemLines(card, options).join('\n')
}

it('draws a result in the place of the card’s own lines, which does not change again', () => {
  const { requested, drawing } = drawer()
  drawing.follow(kinds).subscribe()
  const view = viewOf(answerEnds(call), ...collect(drawing.inputs(at(ended, 7))))
  expect(requested).toEqual([7])
  expect(shortly(view)).toBe('tool(sum done) |')
  expect(cardOf(view)).toContain('drawn')
  expect(cardOf(view)).not.toContain('the sum')
  expect(collect(drawing.inputs(at({ type: 'message_end', entryId: 'abcdefg4', parentId: entryId, message: result }, 8)))).toHaveLength(1) // prettier-ignore
})

it('holds the card back until the drawing is there, and nothing else', () => {
  const { drawing } = drawer(NEVER)
  drawing.follow(kinds).subscribe()
  const inputs: ViewInput[] = []
  const waiting = drawing.inputs(at(ended, 7)).subscribe((input) => inputs.push(input))
  waiting.unsubscribe()
  const held = viewOf(answerEnds(call), ...inputs, textStarts(), piece('Next', 0))
  expect(shortly(held)).toBe('| tool(sum done) text(Next)')
  const shown = foldView(held, { type: 'tool_drawn', toolCallId: 'call1', nodes })
  expect(shortly(shown)).toBe('tool(sum done) | text(Next)')
})

it.each<[string, Observable<unknown>]>([
  ['a failure', throwError(() => new Failure('unknown_session', 'gone'))],
  ['no nodes', of({})],
  ['no answer within 5 s', NEVER],
])('leaves the card as it is after %s', (_, answer$) => {
  vi.useFakeTimers()
  try {
    const { drawing } = drawer(answer$)
    drawing.follow(kinds).subscribe()
    const inputs = collect(drawing.inputs(at(ended, 7)))
    vi.advanceTimersByTime(5_001)
    const view = viewOf(answerEnds(call), ...inputs)
    expect(shortly(view)).toBe('tool(sum done) |')
    expect(cardOf(view)).toContain('the sum')
  } finally {
    vi.useRealTimers()
  }
})

it('draws below custom events and messages, and asks for nothing else', () => {
  const { requested, drawing } = drawer()
  drawing.follow(kinds).subscribe()
  const answered = answerEnds({ type: 'text', text: 'Hello' })
  const events = [
    { ...answered, seq: 4 },
    at(custom('cost', {}), 5),
    at(custom('other', {}), 6),
    at({ ...ended, toolName: 'bash' }, 7),
  ]
  const inputs = events.flatMap((event) => collect(drawing.inputs(event)))
  expect(requested).toEqual([4, 5])
  expect(shortly(viewOf(...inputs))).toBe('text(Hello) rendered(1) rendered(1) |')
})

it('draws the history that is shown once extensions are known, and writes the screen again', () => {
  const entries = [
    { seq: 3, entryId, parentId: null, message: answerOf([{ type: 'text', text: 'Hello' }, call]) },
    { seq: 4, entryId: 'abcdefg4', parentId: entryId, message: result },
  ] as unknown as History['entries']
  const { requested, drawing } = drawer(of({ nodes }), entries)
  const [input] = collect(drawing.follow(kinds))
  expect(requested).toEqual([3, 4])
  if (input === undefined) throw new Error('nothing was drawn')
  const before = viewOf(answerEnds({ type: 'text', text: 'Hello' }, call), notices(ended))
  const view = foldView(before, input)
  expect(shortly(view)).toBe('text(Hello) tool(sum done) rendered(1) |')
  expect([view.generation, view.finishedCount]).toEqual([before.generation + 1, 3])
  expect(cardOf(view)).toContain('drawn')
  expect(collect(drawing.follow(kinds))).toEqual([])
})
