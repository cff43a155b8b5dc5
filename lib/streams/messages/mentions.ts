// Folds the contents of mentioned files and folders in a prompt, so that a mention stands once where people read it.

const block = /<(file|folder) path="((?:[^"\\]|\\.)*)">\n[\s\S]*?\n<\/\1>\n*/g

/**
 * The prompt without the contents of its `@file` and `@folder/`: a block whose mention stands in the words is left out,
 * another one becomes `@path`.
 */
export function foldMentions(text: string): string {
  if (!text.includes('</file>') && !text.includes('</folder>')) return text
  const words = text.replace(block, '')
  return text.replace(block, (_, _kind: string, path: string) => (hasMention(words, path) ? '' : `@${path} `)).trimEnd()
}

function hasMention(words: string, path: string): boolean {
  if (words.includes(`@"${path}"`)) return true
  for (let at = words.indexOf(`@${path}`); at !== -1; at = words.indexOf(`@${path}`, at + 1)) {
    const [before = ' ', after = ' '] = [words[at - 1], words[at + path.length + 1]]
    if (/\s/.test(before) && !/[\w/-]/.test(after)) return true
  }
  return false
}
