// Text becomes HTML that is only text, in an element as in an attribute in double quotes.
import { activeCharacters, removeActiveCharacters } from '../../streams/values/display-text.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/**
 * HTML with its active characters made visible, wherever they stand: `&lt;U+202E&gt;`. A Windows line end is one line feed.
 */
export function visibleHtml(html: string): string {
  return html
    .replaceAll('\r\n', '\n')
    .replace(activeCharacters, (character) => escapeHtml(removeActiveCharacters(character)))
}
