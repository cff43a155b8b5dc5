// Converts a text block into items: one a final piece, and the open one.
import { lastPieces, emptyText, splitText } from './split-text.ts'
import type { OpenText, TextPiece } from './split-text.ts'
import type { TextItem } from './view-item.ts'

/** A block without text. */
export function openTextItem(block: string): TextItem {
  return {
    kind: 'text',
    id: `${block}.0`,
    source: '',
    isFirst: true,
    hasGap: true,
    open: { ...emptyText, hasGap: true },
  }
}

/** Appends text: returns its final pieces, then the open item. */
export function appendToItem(item: TextItem, text: string): readonly TextItem[] {
  const { open, pieces } = splitText(item.open ?? emptyText, text)
  const whole = pieces.map((piece, index) => pieceItem(item, piece, index))
  return [...whole, openItem(item, open, pieces.length)]
}

/** The items at the end of the text; none if it is blank. */
export function closeItem(item: TextItem): readonly TextItem[] {
  return item.open === undefined ? [] : lastPieces(item.open).map((piece, index) => pieceItem(item, piece, index))
}

function pieceItem(item: TextItem, piece: TextPiece, index: number): TextItem {
  return { kind: 'text', id: idOf(item, index), isFirst: item.isFirst && index === 0, ...piece }
}

function openItem(item: TextItem, open: OpenText, index: number): TextItem {
  const { block, line, isBlank, hasGap, codeOf } = open
  return {
    kind: 'text',
    id: idOf(item, index),
    source: isBlank && line !== '' ? `${block}\n${line}` : block + line,
    isFirst: item.isFirst && index === 0,
    hasGap,
    ...(codeOf === undefined ? {} : { codeOf }),
    open,
  }
}

/** `entry/block.piece`: the number of its first piece. */
function idOf({ id }: TextItem, index: number): string {
  const dot = id.lastIndexOf('.')
  return `${id.slice(0, dot)}.${Number(id.slice(dot + 1)) + index}`
}
