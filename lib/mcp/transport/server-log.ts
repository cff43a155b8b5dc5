// Holds the end of what a server wrote to standard error, and what rxpi noted about it.
// Guarantees: at most 128 KiB are held and 64 KiB returned; characters that act on the screen are made visible.
import { showActiveCharacters } from '../../streams/values/display-text.ts'
import { lastUnits } from '../../streams/values/truncate.ts'

/** UTF-16 units that `lines` returns. */
const logUnits = 64 * 2 ** 10

export interface ServerLog {
  /** Adds output in any pieces. */
  write(text: string): void
  /** Adds a line of rxpi itself; an unfinished line of the server ends before it. */
  note(line: string): void
  lines(): readonly string[]
  /** The last line of the server with any text; undefined if there is none. */
  lastLine(): string | undefined
}

export function serverLog(): ServerLog {
  let text = ''
  const add = (more: string): void => {
    text += more
    if (text.length > 2 * logUnits) text = lastUnits(text, logUnits)
  }
  const lines = (): readonly string[] => {
    const recent = lastUnits(text, logUnits)
    const whole = recent.length < text.length ? recent.slice(recent.indexOf('\n') + 1) : recent
    return showActiveCharacters(whole.replaceAll('\r\n', '\n'))
      .split('\n')
      .filter((line) => line !== '')
  }
  return {
    write: add,
    note: (line) => add(`${text === '' || text.endsWith('\n') ? '' : '\n'}${notePrefix}${line}\n`),
    lines,
    lastLine: () => lines().findLast((line) => /\w/.test(line) && !line.startsWith(notePrefix)),
  }
}

const notePrefix = '[rxpi] '
