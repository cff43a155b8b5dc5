// Where a text may be cut.

/** `at`, or one less where a cut there would part a surrogate pair. */
export function betweenCharacters(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  return at < text.length && unit >= 0xd800 && unit < 0xdc00 ? at - 1 : at
}
