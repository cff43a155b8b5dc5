// Removes characters that a person does not see and a model reads (docs/design/security.md#S22).
import { activeCharacters } from '../../streams/values/display-text.ts'

/** A joiner between two pictures makes one emoji of them: it hides nothing. */
const emojiJoiner = /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu

/** The text with line feeds alone as ends of lines, and how many characters were removed. */
export function removeInvisible(text: string): { readonly text: string; readonly removed: number } {
  let removed = 0
  const lines = text.replace(/\r\n?/g, '\n')
  const joiners = new Set(Array.from(lines.matchAll(emojiJoiner), ({ index }) => index))
  const clean = lines.replace(activeCharacters, (character: string, index: number) => {
    if (joiners.has(index)) return character
    removed += 1
    return ''
  })
  return { text: clean, removed }
}
