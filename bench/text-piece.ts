// The piece of a streamed message, the same for us and for pi.

/** 20 characters; each a new string, like those from a socket. */
export function textPiece(index: number): string {
  return `delta ${String(index).padStart(13, '0')}\n`
}
