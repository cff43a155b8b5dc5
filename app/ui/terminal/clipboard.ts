// Builds the sequence that puts a text into the terminal's clipboard (OSC 52), if it allows that.
import type { TerminalFacts } from './notification.ts'

/** Bytes of base64 that xterm and others take. */
const encodedLimit = 74_994

/** Undefined if the text is too long for a terminal. */
export function clipboardSequence(text: string): string | undefined {
  const encoded = Buffer.from(text, 'utf8').toString('base64')
  return encoded.length > encodedLimit ? undefined : `\u001b]52;c;${encoded}\u0007`
}

/** Why this terminal takes no text; undefined if it may. */
export function clipboardRefusal({ TERM = '', TERM_PROGRAM = '', TMUX }: TerminalFacts): string | undefined {
  if (TERM_PROGRAM === 'Apple_Terminal') return 'Terminal.app takes no text for the clipboard'
  if (TERM === 'linux' || TERM === 'dumb') return `A terminal of the kind "${TERM}" has no clipboard`
  if (TMUX === undefined && TERM.startsWith('screen')) return 'GNU screen does not pass text on to the clipboard'
  return undefined
}

/** Condition under which the text arrives: a terminal does not report it. */
export function clipboardCondition({ TMUX }: TerminalFacts): string {
  return TMUX === undefined
    ? 'if your terminal allows OSC 52'
    : 'if tmux (set -g set-clipboard on) and your terminal allow OSC 52'
}
