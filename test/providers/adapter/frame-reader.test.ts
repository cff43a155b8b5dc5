// Tests what a response's frames count as: those of the API, errors, foreign ones, and one that was cut.
import { describe, expect, it } from 'vitest'
import { createFrameReader, judgeForeign } from '../../../lib/providers/adapter/frame-reader.ts'
import type { EventDecoder } from '../../../lib/providers/adapter/frame-reader.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'

const key = 'k3y-of-maker'
const context = { provider: 'maker', secrets: [key] }
const hasEvent = (name: string): boolean => name === 'own'
const nothing = (): void => undefined
const decoder: EventDecoder = {
  lingerMs: undefined,
  isComplete: false,
  hasEvent,
  read: (_, name) => name === 'own',
  readUsage: nothing,
  end: nothing,
  emitUsage: nothing,
}

function reader() {
  const deltas: AssistantDelta[] = []
  const emit = (delta: AssistantDelta): void => void deltas.push(delta)
  const { read, end, reportForeign } = createFrameReader(decoder, context)
  return { read, deltas, end: () => end(emit), report: () => reportForeign(emit) }
}

describe('foreign frames', () => {
  it('are reported once, by the first of them [S28c]', () => {
    const { read, report, deltas } = reader()
    for (const event of ['ping', 'pong']) read({ data: '{}', event })
    report()
    report()
    expect(deltas).toMatchObject([{ message: /event: ping/, context: { frames: 2 } }])
  })

  it.each([`{"a":"${key}"}`, `{"a":"${'x'.repeat(70)}${key}"}`])('show no key: %s [S28c]', (data) => {
    const { read, end } = reader()
    read({ data, event: 'message' })
    expect(end).toThrow(/sent no event of the API .*check the base URL/)
    expect(end).not.toThrow(/k3y/)
  })
})

describe('an error', () => {
  it('is one in words that are not JSON, too [S28d]', () => {
    expect(() => reader().read({ data: 'out of credit', event: 'error' })).toThrow(/^maker: out of credit/)
  })

  it('needs no field of its own under the name `error` [S28d]', () => {
    expect(() => judgeForeign({ a: 1 }, 'error', { context, hasEvent })).toThrow(/^maker/)
    expect(judgeForeign({ a: 1 }, 'other', { context, hasEvent })).toBe(false)
  })
})

it('a frame that was cut is one of the API [S28d]', () => {
  const { read, end, deltas } = reader()
  read({ data: '{"a', event: 'message', unclosed: true })
  end()
  expect(deltas).toEqual([])
})
