// Builds the terminal's notification sequence, or a bell if it supports none.
import { terminalSafe } from '../../process/terminal-safe.ts'

/** The terminal's environment variables. */
export type TerminalFacts = Readonly<Record<string, string | undefined>>

const bell = '\u0007'

/** The control sequence for the terminal that these variables describe. */
export function notification(text: string, { TERM = '', TERM_PROGRAM = '', TMUX }: TerminalFacts): string {
  const safe = terminalSafe(text)
    .replace(/[\s;]+/g, ' ')
    .slice(0, 200)
  if (TMUX !== undefined) return bell // tmux passes a bell on and names the window
  if (['iTerm.app', 'WezTerm', 'ghostty'].includes(TERM_PROGRAM) || TERM === 'xterm-kitty') {
    return `\u001b]9;${safe}${bell}`
  }
  if (/^(?:foot|rxvt)/.test(TERM)) return `\u001b]777;notify;rxpi;${safe}${bell}`
  return bell
}
