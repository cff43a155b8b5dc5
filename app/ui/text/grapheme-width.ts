// Counts the terminal columns of a grapheme like Ink does, so that the cursor is at the right place.

const plain = /^[\x20-\x7e]$/
const unseen = /^[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]+$/u
const emoji = /^\p{RGI_Emoji}$/v
const pictures = /\p{Extended_Pictographic}/gu
/** East Asian Width W and F, and default emoji. */
const wide =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u303e\u3041-\u30ff\u3105-\u312f\u3131-\u318e\u3190-\u31e5\u31ef-\u321e\u3220-\u3247\u3250-\ua48c\ua490-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe52\ufe54-\ufe66\ufe68-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fe4}\u{16ff0}-\u{16ff6}\u{17000}-\u{18cd5}\u{18cff}-\u{18d1e}\u{18d80}-\u{18df2}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d356}\u{1d360}-\u{1d376}\u{1f200}-\u{1f202}\u{1f210}-\u{1f23b}\u{1f240}-\u{1f248}\u{1f250}\u{1f251}\u{1f260}-\u{1f265}\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}]|\p{Emoji_Presentation}/u
/** Combining characters that take their own column. */
const trailing = /[\p{Mc}\uff00-\uffef]/u

/** 0, 1 or 2 for most; more for a cluster of spacing characters. */
export function graphemeWidth(grapheme: string): number {
  if (plain.test(grapheme)) return 1
  if (grapheme === '' || unseen.test(grapheme)) return 0
  if (emoji.test(grapheme) || /^[\d#*]\u20e3$/.test(grapheme)) return 2
  if (grapheme.includes('\u200d') && (grapheme.match(pictures)?.length ?? 0) >= 2) return 2
  const [base = '', ...rest] = Array.from(grapheme).filter((character) => !unseen.test(character))
  return columns(base) + rest.reduce((sum, character) => sum + (trailing.test(character) ? columns(character) : 0), 0)
}

function columns(character: string): number {
  return wide.test(character) ? 2 : 1
}
