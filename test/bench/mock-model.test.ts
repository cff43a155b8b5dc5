// Tests that both commands get the same answer, and that the size of the first request is known.
import { once } from 'node:events'
import path from 'node:path'
import { expect, it } from 'vitest'
import { mockAnswer } from '../../bench/mock-answer.ts'
import { startMockModel } from '../../bench/mock-model.ts'
import { withWorkspace } from '../../bench/workspace.ts'

const root = path.resolve(import.meta.dirname, '../..')

it('answers 50 deltas as a stream of events, returns the sizes of requests once, and ends on request', async () => {
  await withWorkspace(root, async (workspace) => {
    let exited: Promise<unknown[]> | undefined
    const model = await startMockModel({
      ...workspace,
      spawn: (...args) => {
        const child = workspace.spawn(...args)
        exited = once(child, 'exit')
        return child
      },
    })
    const response = await fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body: '{"é":1}' })
    const lines = (await response.text()).split('\n\n').filter((line) => line.includes('"delta ')) // of 20 characters each
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(lines.length).toBe(50)
    expect(mockAnswer.every((text) => text.length === 20)).toBe(true)
    expect(await model.requestSizes()).toEqual([8])
    expect(await model.requestSizes()).toEqual([])
    model.end()
    expect(await exited).toEqual([0, null])
  })
})
