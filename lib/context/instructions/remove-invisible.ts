// Removes characters that a person does not see and a model reads (docs/design/security.md#S22).
import { activeCharacters } from '../../streams/values/display-text.ts'

/** The text with line feeds alone as ends of lines, and how many characters were removed. */
export function removeInvisible(text: string): { readonly text: string; readonly removed: number } {
  let removed = 0
  const clean = text.replace(/\r\n?/g, '\n').replace(activeCharacters, () => {
    removed += 1
    return ''
  })
  return { text: clean, removed }
}
