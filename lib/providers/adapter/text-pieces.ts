// Cutting a text and joining its pieces again gives the text; a surrogate pair is never cut.

/** The text in pieces of `length` UTF-16 units (one more where a pair would be cut); 0 = one piece. Nothing for ''. */
export function* textPieces(text: string, length: number): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = length === 0 ? text.length : pieceEnd(text, start + length)
    yield text.slice(start, end)
    start = end
  }
}

function pieceEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff
  return isHighSurrogate ? end + 1 : end
}
