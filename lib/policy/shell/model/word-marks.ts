// Marks the parts of expanded words whose text is not known, as private-use characters in the string.
// Guarantees: `withoutMarks` removes marks from foreign text, so no command can forge one.

/** Any text, perhaps empty, perhaps with slashes; it stays one word. */
export const anyText = '\uE000'
/** Any text outside quotes: any number of words. */
export const anyWords = '\uE001'
/** Text that is not empty and has neither a slash nor a blank, such as a number. */
export const anyName = '\uE002'
/** `*` outside quotes, and extended globs. */
export const anyGlob = '\uE003'
/** `?` or `[…]` outside quotes. */
export const anyCharacter = '\uE004'
/** Text that came from the network. */
export const networkText = '\uE005'
/** The process id of a background job that this command started. */
export const ownJob = '\uE006'
/** Any number of folder names below a folder, perhaps none, never `..`: what `find` walks. */
export const anyFolders = '\uE007'
/** Stands beside `networkText` if the text came through a raw connection such as `nc`. */
export const rawText = '\uE008'
/** Output of a shell that reads its input. */
export const shellText = '\uE009'
/** Values of the variables of the environment, as `env` prints them. */
export const environmentText = '\uE00A'
/** Assignments and functions that a program such as `ssh-agent -s` prints for `eval`. */
export const setupText = '\uE00B'

const marks = /[\uE000-\uE00B]/
const allMarks = /[\uE000-\uE00B]/g
const unknownMarks = /[\uE000-\uE002\uE005-\uE00B]/

/** True if a part of the word is unknown or a glob. */
export function hasMarks(word: string): boolean {
  return marks.test(word)
}

/** True if a part of the word is unknown; globs do not count. */
export function hasUnknown(word: string): boolean {
  return unknownMarks.test(word)
}

/** True if the unknown part may hold slashes, blanks or nothing. */
export function hasFreeText(word: string): boolean {
  return /[\uE000\uE001\uE005\uE008-\uE00B]/.test(word)
}

/** Makes foreign text safe: its own characters of that range become unknown text. */
export function withoutMarks(text: string): string {
  return marks.test(text) ? text.replace(allMarks, anyText) : text
}

/** The word as people read it: `…` for unknown parts. */
export function wordText(word: string): string {
  return marks.test(word) ? word.replace(allMarks, (mark) => globText(mark) ?? '…') : word
}

/** The word as source text of a shell: globs as written, unknown parts stay marks. */
export function wordSource(word: string): string {
  return marks.test(word) ? word.replace(allMarks, (mark) => globText(mark) ?? mark) : word
}

/** The word as source text that gives the same word again. */
export function quotedWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : hasMarks(word) ? wordSource(word) : `'${word.replaceAll("'", `'\\''`)}'`
}

function globText(mark: string): string | undefined {
  if (mark === anyGlob) return '*'
  return mark === anyCharacter ? '?' : undefined
}

/** Turns the glob characters of text that the shell would expand into marks. */
export function withGlobs(text: string): string {
  if (!/[*?[]/.test(text)) return text
  const lastClose = text.lastIndexOf(']')
  let result = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '[' && at < lastClose) at = text.indexOf(']', at)
    result +=
      character === '*'
        ? anyGlob
        : character === '?' || (character === '[' && at <= lastClose)
          ? anyCharacter
          : character
  }
  return result
}

/** The text with every unknown part that may be empty taken out. */
export function withEmptyUnknowns(word: string): string {
  return word.replace(/[\uE000\uE001\uE005\uE007-\uE00B]/g, '')
}
