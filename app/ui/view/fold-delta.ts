// Folds a delta into its item; skips known text, and leaves a gap to the message's end.
import type { MessageDelta, PieceDelta } from '../../../lib/streams/messages/delta.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { boundedTail, newToolItem } from './view-item.ts'
import { closeItem, appendToItem, openTextItem } from './text-items.ts'
import type { ViewItem } from './view-item.ts'
import type { View } from './view.ts'

/** UTF-16 units of arguments that are stored while they arrive. */
const argumentsLimit = 1_024

export function foldDelta(view: View, { entryId, delta }: EventNamed<'message_update'>): View {
  const block = `${entryId}/${delta.contentIndex}`
  switch (delta.type) {
    case 'text_start':
    case 'thinking_start':
    case 'toolcall_start':
      return startBlock(view, entryId, delta)
    case 'text_delta':
    case 'thinking_delta':
    case 'toolcall_delta':
      return foldPiece(view, entryId, delta)
    case 'text_end':
    case 'thinking_end':
      return { ...view, live: closeBlock(view.live, block) }
    case 'toolcall_end':
      return {
        ...view,
        live: view.live.map((item) =>
          item.kind === 'tool' && item.block === block ? { ...item, args: delta.arguments, state: 'waiting' } : item,
        ),
      }
  }
}

type Start = Extract<MessageDelta, { type: 'text_start' | 'thinking_start' | 'toolcall_start' }>

function startBlock(view: View, entryId: string, delta: Start): View {
  const { contentIndex } = delta
  const known = view.writing?.entryId === entryId ? view.writing.received : {}
  if (known[contentIndex] !== undefined) return view
  const writing = { entryId, received: { ...known, [contentIndex]: 0 } }
  return { ...view, writing, live: [...view.live, newItem(`${entryId}/${contentIndex}`, delta)] }
}

function newItem(block: string, delta: Start): ViewItem {
  switch (delta.type) {
    case 'text_start':
      return openTextItem(block)
    case 'thinking_start':
      return { kind: 'thinking', id: block, text: '', tail: '', isOpen: true, redacted: delta.redacted === true }
    case 'toolcall_start':
      return newToolItem({ id: delta.id, name: delta.name, block, state: 'writing' })
  }
}

function foldPiece(before: View, entryId: string, delta: PieceDelta): View {
  const view = delta.offset === 0 ? startBlockByPiece(before, entryId, delta) : before
  const { writing } = view
  const known = writing?.entryId === entryId ? writing.received[delta.contentIndex] : undefined
  if (writing === undefined || known === undefined || delta.offset > known) return view
  const text = delta.text.slice(known - delta.offset)
  if (text === '') return view
  return {
    ...view,
    writing: { entryId, received: { ...writing.received, [delta.contentIndex]: known + text.length } },
    live: appendText(view.live, `${entryId}/${delta.contentIndex}`, text),
  }
}

/** Creates a block whose start was not received, after joining mid-message. */
function startBlockByPiece(view: View, entryId: string, { contentIndex, ...delta }: PieceDelta): View {
  if (delta.type === 'text_delta') return startBlock(view, entryId, { type: 'text_start', contentIndex })
  if (delta.type === 'thinking_delta') return startBlock(view, entryId, { type: 'thinking_start', contentIndex })
  const { id, name } = delta
  if (id === undefined || name === undefined) return view
  return startBlock(view, entryId, { type: 'toolcall_start', contentIndex, id, name })
}

/** Appends text to the block's item. */
export function appendText(live: readonly ViewItem[], block: string, text: string): readonly ViewItem[] {
  return live.flatMap((item): ViewItem | readonly ViewItem[] => {
    if (!isOpenItemOf(item, block)) return item
    switch (item.kind) {
      case 'text':
        return appendToItem(item, text)
      case 'thinking':
        return { ...item, text: item.text + text, tail: boundedTail(item.tail + text, 2_048) }
      case 'tool': {
        const { argumentsText, argumentsLength } = item
        const start = argumentsText + text.slice(0, argumentsLimit - argumentsText.length)
        return { ...item, argumentsText: start, argumentsLength: argumentsLength + text.length }
      }
      default:
        return item
    }
  })
}

/** Closes the block's item. */
export function closeBlock(live: readonly ViewItem[], block: string): readonly ViewItem[] {
  return live.flatMap((item): ViewItem | readonly ViewItem[] => {
    if (!isOpenItemOf(item, block)) return item
    if (item.kind === 'text') return closeItem(item)
    return item.kind === 'thinking' ? { ...item, isOpen: false } : item
  })
}

/** True for the open item of this block. */
function isOpenItemOf(item: ViewItem, block: string): boolean {
  switch (item.kind) {
    case 'text':
      return item.open !== undefined && item.id.startsWith(`${block}.`)
    case 'thinking':
      return item.isOpen && item.id === block
    case 'tool':
      return item.block === block
    default:
      return false
  }
}
