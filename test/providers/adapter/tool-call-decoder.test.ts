// Tests which pieces of tool calls belong together.
import { expect, it } from 'vitest'
import { createDeltaEmitter } from '../../../lib/providers/adapter/delta-emitter.ts'
import { createToolCallDecoder } from '../../../lib/providers/adapter/tool-call-decoder.ts'
import type { ToolCallPiece } from '../../../lib/providers/adapter/tool-call-decoder.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'

type Call = readonly [id: string, name: string, args: object]

function callsOf(chunks: readonly (readonly ToolCallPiece[])[]): readonly Call[] {
  const deltas: AssistantDelta[] = []
  const emitter = createDeltaEmitter((delta) => deltas.push(delta))
  const decoder = createToolCallDecoder(emitter, (count) => `own_${count}`)
  for (const pieces of chunks) decoder.read(pieces)
  emitter.closeAll()
  const ends = deltas.flatMap((delta) => (delta.type === 'toolcall_end' ? [delta] : []))
  return deltas.flatMap((delta): readonly Call[] => {
    if (delta.type !== 'toolcall_start') return []
    const end = ends.find(({ contentIndex }) => contentIndex === delta.contentIndex)
    return [[delta.id, delta.name, end?.arguments ?? {}]]
  })
}

const piece = (name: string, args: unknown, more: object = {}): ToolCallPiece => ({
  ...more,
  function: { name, arguments: args },
})
const two: readonly Call[] = [
  ['own_1', 'read', { path: 'a' }],
  ['own_2', 'grep', { q: 'x' }],
]
const one: readonly Call[] = [['own_1', 'read', { path: 'a' }]]

it.each<[string, (readonly ToolCallPiece[])[], readonly Call[]]>([
  ['two objects in one chunk', [[piece('read', { path: 'a' }), piece('grep', { q: 'x' })]], two],
  ['two texts in one chunk', [[piece('read', '{"path":"a"}'), piece('grep', '{"q":"x"}')]], two],
  ['two texts in two chunks', [[piece('read', '{"path":"a"}')], [piece('grep', '{"q":"x"}')]], two],
  ['two objects in two chunks', [[piece('read', { path: 'a' })], [piece('grep', { q: 'x' })]], two],
  [
    'two objects that are both numbered 0',
    [[piece('read', { path: 'a' }, { index: 0 })], [piece('grep', { q: 'x' }, { index: 0 })]],
    two,
  ],
  ['pieces that repeat the name', [[piece('read', '{"path"')], [piece('read', ':"a"}')], [piece('read', '')]], one],
  ['pieces without a name', [[piece('read', '{"path"')], [piece('', ':"a"}')]], one],
  ['pieces of one chunk without a name', [[piece('read', '{"path"'), piece('', ':"a"}')]], one],
])('without ids: %s', (_, chunks, calls) => {
  expect(callsOf(chunks)).toEqual(calls)
})
