// What a streamed message is made of, for us and for pi alike.

/** 20 characters; each a string of its own, as they come off a socket. */
export function textPiece(index: number): string {
  return `delta ${String(index).padStart(13, '0')}\n`
}
