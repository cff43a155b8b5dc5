// Splits streaming Markdown into final pieces in linear time; later text never changes a piece.

/** The incomplete piece. */
export interface OpenText {
  /** Its complete lines with line feeds. */
  readonly block: string
  /** The incomplete line. */
  readonly line: string
  /** The open fence. */
  readonly fence?: { readonly mark: string; readonly language: string; readonly isOwn: boolean }
  /** Continues the code of the previous piece in this language. */
  readonly codeOf?: string
  readonly hasGap: boolean
  /** Blank lines follow `block`, a list item that may continue. */
  readonly isBlank: boolean
}

export interface TextPiece {
  readonly source: string
  readonly hasGap: boolean
  readonly codeOf?: string
}

export const emptyText: OpenText = { block: '', line: '', hasGap: false, isBlank: false }

/** UTF-16 units after which a block is split anyway, to keep each frame small. */
const blockLimit = 4_096

/** Appends text. Costs the length of the text. */
export function splitText(open: OpenText, text: string): { readonly open: OpenText; readonly pieces: TextPiece[] } {
  const pieces: TextPiece[] = []
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  let state = open
  for (const line of lines) state = endLine({ ...state, line: '' }, state.line + line, pieces)
  const line = lines.length === 0 ? state.line + rest : rest
  if (line.length < blockLimit) return { open: { ...state, line }, pieces }
  return { open: endLine({ ...state, line: '' }, line, pieces), pieces } // text without line breaks
}

/** The pieces at the end of the text. */
export function lastPieces(open: OpenText): readonly TextPiece[] {
  const { open: rest, pieces } = open.line === '' ? { open, pieces: [] } : splitText(open, '\n')
  const piece = pieceOf(rest.block, rest.hasGap, rest.codeOf)
  return piece === undefined ? pieces : [...pieces, piece]
}

function pieceOf(source: string, hasGap: boolean, codeOf: string | undefined): TextPiece | undefined {
  if (source.trim() === '') return undefined
  return { source, hasGap, ...(codeOf === undefined ? {} : { codeOf }) }
}

function endLine(state: OpenText, line: string, pieces: TextPiece[]): OpenText {
  if (state.fence !== undefined) return addFenceLine(state, state.fence, line, pieces)
  if (line.trim() === '') {
    if (isListItem(state.block)) return { ...state, isBlank: true }
    return { ...emitPiece(state, pieces), hasGap: true }
  }
  const goesOn = isListItem(state.block) && /^(?: {2}|\t)/.test(line)
  const fence = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(line)
  if (fence !== null) {
    const [, indent = '', mark = '', language = ''] = fence
    const isOwn = !goesOn && /^ {0,3}$/.test(indent)
    const before = isOwn ? { ...emitPiece(state, pieces), hasGap: true } : state
    return { ...appendLine(before, line), fence: { mark, language, isOwn } }
  }
  if (goesOn) return appendLine(state, line)
  if (/^#{1,6}\s/.test(line)) return emitPiece(appendLine({ ...emitPiece(state, pieces), hasGap: true }, line), pieces)
  const begins = state.isBlank || isListItem(line)
  return splitLongBlock(appendLine(begins ? emitPiece(state, pieces) : state, line), pieces)
}

function addFenceLine(
  state: OpenText,
  fence: NonNullable<OpenText['fence']>,
  line: string,
  pieces: TextPiece[],
): OpenText {
  if (!closesFence(line, fence)) return splitLongBlock(appendLine(state, line), pieces)
  const { fence: _, ...closed } = state
  if (state.codeOf !== undefined) return { ...emitPiece(closed, pieces), hasGap: true }
  const whole = appendLine(closed, line)
  return fence.isOwn ? { ...emitPiece(whole, pieces), hasGap: true } : whole
}

/** More than three spaces before the marks make them text, except within a list item. */
function closesFence(line: string, { mark, isOwn }: NonNullable<OpenText['fence']>): boolean {
  const text = line.trim()
  return (
    (!isOwn || /^ {0,3}\S/.test(line)) && text.length >= mark.length && text === (mark[0] ?? '').repeat(text.length)
  )
}

function appendLine(state: OpenText, line: string): OpenText {
  const gap = state.isBlank ? '\n' : ''
  return { ...state, block: `${state.block}${gap}${line}\n`, isBlank: false }
}

/** Ends the current piece and begins the next. */
function emitPiece(state: OpenText, pieces: TextPiece[]): OpenText {
  const piece = pieceOf(state.block, state.hasGap, state.codeOf)
  if (piece !== undefined) pieces.push(piece)
  const hasGap = piece === undefined ? state.hasGap || state.isBlank : state.isBlank
  return { block: '', line: '', hasGap, isBlank: false }
}

function splitLongBlock(state: OpenText, pieces: TextPiece[]): OpenText {
  if (state.block.length < blockLimit) return state
  const { fence } = state
  const next = emitPiece(state, pieces)
  return fence === undefined ? next : { ...next, fence, codeOf: fence.language }
}

function isListItem(text: string): boolean {
  return /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/.test(text)
}
