// Tests the output of `response.completed`: items that were not streamed are taken, others are not repeated.
import { describe, expect, it } from 'vitest'
import { foldDeltas } from '../../offline/fold-deltas.ts'
import { deltasOf } from '../../adapter/decoded-frames.ts'
import { callItem, completed, created, event, response, textItem } from './responses-events.ts'

const answered = async (...frames: readonly string[]) => foldDeltas(await deltasOf('openai-responses', ...frames))

describe('items that only the complete response has [ANSWER-completed]', () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'read', arguments: '{"path":"a"}' }
  const message = { type: 'message', id: 'm_1', content: [{ type: 'output_text', text: 'a' }] }
  const taken = [{ type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a' } }]

  it('are taken', async () => {
    const { content, stopReason } = await answered(created, completed({ output: [message, call] }))
    expect({ content, stopReason }).toMatchObject({ content: [{ text: 'a' }, ...taken], stopReason: 'toolUse' })
  })

  it('are taken beside items that were streamed, which are not repeated', async () => {
    const { content } = await answered(created, ...textItem(0, 'a'), completed({ output: [message, call] }))
    expect(content).toMatchObject([{ text: 'a' }, ...taken])
  })

  it.each([
    ['under another index', [{ type: 'reasoning' }, { ...call, id: 'other' }]],
    ['under another id', [{ ...call, id: 'other' }]],
  ])('are the streamed ones %s', async (_, output) => {
    const { content } = await answered(created, ...callItem(0, 'c', 'read', '{"path":"a"}'), completed({ output }))
    expect(content).toMatchObject(taken)
  })

  it('have the arguments that a streamed call did not get', async () => {
    const added = event('response.output_item.added', { output_index: 0, item: { ...call, arguments: '' } })
    expect((await answered(created, added, completed({ output: [call] }))).content).toMatchObject(taken)
  })

  it('are two calls if their ids differ, also at one index', async () => {
    const output = [{ ...call, call_id: 'd', id: 'fc_2' }]
    const { content } = await answered(created, ...callItem(0, 'c', 'read', '{"path":"a"}'), completed({ output }))
    expect(content).toMatchObject([{ id: 'c' }, { id: 'd' }])
  })

  it('are taken from an incomplete response too, whose calls do not run', async () => {
    const incomplete = event('response.incomplete', { response: response('incomplete', { output: [call] }) })
    const { content, stopReason } = await answered(created, incomplete)
    expect({ content, stopReason }).toMatchObject({ content: taken, stopReason: 'length' })
  })
})
