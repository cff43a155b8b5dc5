// A body that is read as one text is read up to a limit and no further.

export interface BoundedText {
  readonly text: string
  /** False where the body went on; it was cancelled. */
  readonly whole: boolean
}

/** Reads at most `limit` bytes, a chunk more or less, as UTF-8, and cancels what is left. A missing body is ''. */
export async function boundedText(response: Response, limit: number): Promise<BoundedText> {
  const body: AsyncIterable<Uint8Array> | null = response.body
  if (body === null) return { text: '', whole: true }
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let bytes = 0
  for await (const chunk of body) {
    pieces.push(decoder.decode(chunk, { stream: true }))
    bytes += chunk.length
    if (bytes > limit) return { text: pieces.join(''), whole: false }
  }
  return { text: pieces.join('') + decoder.decode(), whole: true }
}
