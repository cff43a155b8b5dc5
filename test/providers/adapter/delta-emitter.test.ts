// Tests the delta emitter, which opens and closes the blocks of a response in order.
import { expect, it } from 'vitest'
import { createDeltaEmitter } from '../../../lib/providers/adapter/delta-emitter.ts'
import type { DeltaEmitter } from '../../../lib/providers/adapter/delta-emitter.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'

function written(write: (writer: DeltaEmitter) => void): string[] {
  const deltas: AssistantDelta[] = []
  write(createDeltaEmitter((delta) => deltas.push(delta)))
  return deltas.map((delta) => {
    const block = 'contentIndex' in delta ? delta.contentIndex : ''
    const more = 'text' in delta ? `:${delta.text}` : 'signature' in delta ? `!${delta.signature}` : ''
    return `${delta.type}${block}${more}`
  })
}

it('opens a block with its first piece and closes it when a block of another kind begins', () => {
  expect(
    written((writer) => {
      writer.thinking('a', 'field')
      writer.thinking('b')
      writer.text('c')
      writer.closeAll()
    }),
  ).toEqual([
    'thinking_start0',
    'thinking_delta0:a',
    'thinking_delta0:b',
    'thinking_end0!field',
    'text_start1',
    'text_delta1:c',
    'text_end1',
  ])
})

it('emits nothing for empty pieces', () => {
  expect(
    written((writer) => {
      writer.text('')
      writer.thinking('')
      writer.closeBlock()
      writer.closeAll()
    }),
  ).toEqual([])
})

it('keeps several calls open and closes them in opening order', () => {
  expect(
    written((writer) => {
      const first = writer.call('a', 'one')
      const second = writer.call('b', 'two')
      second.arguments('{"n":2}')
      first.arguments('{"n"')
      first.arguments(':1}')
      writer.closeAll()
    }),
  ).toEqual([
    'toolcall_start0',
    'toolcall_start1',
    'toolcall_delta1:{"n":2}',
    'toolcall_delta0:{"n"',
    'toolcall_delta0::1}',
    'toolcall_end0',
    'toolcall_end1',
  ])
})

it('closes a call once and ignores later pieces', () => {
  expect(
    written((writer) => {
      const call = writer.call('a', 'one')
      call.close('mark')
      call.arguments('{}')
      call.close()
    }),
  ).toEqual(['toolcall_start0', 'toolcall_end0!mark'])
})

it('joins the halves of a surrogate pair, in text and in arguments [MESSAGE-surrogates]', () => {
  const [high = '', low = ''] = '😀'.split('')
  expect(
    written((writer) => {
      writer.text(`a${high}`)
      writer.text(high === '' ? '' : `${low}b`)
      const call = writer.call('a', 'one')
      call.arguments(high)
      call.arguments(low)
      writer.closeAll()
    }),
  ).toEqual([
    'text_start0',
    'text_delta0:a',
    'text_delta0:😀b',
    'text_end0',
    'toolcall_start1',
    'toolcall_delta1:😀',
    'toolcall_end1',
  ])
})

it('emits half a surrogate pair unchanged if its other half never comes', () => {
  expect(
    written((writer) => {
      writer.text('a\ud83d')
      writer.closeAll()
    }),
  ).toEqual(['text_start0', 'text_delta0:a', 'text_delta0:\ud83d', 'text_end0'])
})
