// No text of a model, tool, file or title reaches a person with characters that act on the screen or hide in it (SECURITY S19).

/**
 * Controls (C0 but line feed and tab, C1), format characters (bidi, zero-width, tags), private use and everything else that
 * Unicode gives no look of its own. Variation selectors 1–16 are kept: emoji need them, and they show nothing else.
 */
export const activeCharacters =
  /(?!\n|\t|[\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}]|\p{Cs}/gu

/** The text with such characters made visible: `␛` for escape, `<U+202E>` for what has no picture. Line feed and tab stay. */
export function visibleText(text: string): string {
  return text.replace(activeCharacters, pictured)
}

function pictured(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
