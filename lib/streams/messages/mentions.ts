// Folds the contents of mentioned files in a prompt, so that people read each mention once.
// Guarantees: the time grows with the length of the text, whatever it holds: it may be from a foreign file.

/**
 * The prompt without the contents of its `@file` and `@folder/`: a block whose mention is in the words is left out,
 * another one becomes `@path`.
 */
export function foldMentions(text: string): string {
  if (!text.includes('</file>') && !text.includes('</folder>')) return text
  const blocks = blocksIn(text)
  if (blocks.length === 0) return text.trimEnd()
  const mentions = mentionsIn(joinRest(text, blocks, () => ''))
  return joinRest(text, blocks, ({ path }) => (mentions.has(path) ? '' : `@${path} `)).trimEnd()
}

interface Block {
  readonly start: number
  /** Behind its line feeds. */
  readonly end: number
  readonly path: string
}

const opening = /<(file|folder) path="((?:[^"\\]|\\.)*)">\n/g

/** The blocks in order. An opening without its end is text. */
function blocksIn(text: string): readonly Block[] {
  const blocks: Block[] = []
  const unclosed = new Set<string>() // no further block of this kind ends
  let end = 0
  for (const {
    0: { length },
    1: kind = '',
    2: path = '',
    index,
  } of text.matchAll(opening)) {
    if (index < end || unclosed.has(kind)) continue
    const closing = `\n</${kind}>`
    const at = text.indexOf(closing, index + length)
    if (at === -1) unclosed.add(kind)
    else {
      end = at + closing.length
      while (text[end] === '\n') end += 1
      blocks.push({ start: index, end, path })
    }
  }
  return blocks
}

/** The text with a replacement for each block. */
function joinRest(text: string, blocks: readonly Block[], replacementOf: (block: Block) => string): string {
  let from = 0
  const pieces = blocks.map((block) => {
    const piece = text.slice(from, block.start) + replacementOf(block)
    from = block.end
    return piece
  })
  return pieces.join('') + text.slice(from)
}

const punctuation = /[^\p{L}\p{N}_/-]/u

/** The paths that the words mention, each also without the punctuation after it. */
function mentionsIn(words: string): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const [, quoted, bare = ''] of words.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g)) {
    paths.add(quoted ?? bare)
    let length = bare.length
    while (length > 0 && punctuation.test(bare[length - 1] ?? '')) length -= 1
    paths.add(bare.slice(0, length))
  }
  return paths
}
