// One line that a terminal shows its user while they look elsewhere: as it understands it, else by its bell.
import { terminalSafe } from '../../process/terminal-safe.ts'

/** What is known of the terminal. */
export type TerminalFacts = Readonly<Record<string, string | undefined>>

const bell = '\u0007'

/** The control sequence that tells it, for the terminal that these variables describe. */
export function notification(text: string, { TERM = '', TERM_PROGRAM = '', TMUX }: TerminalFacts): string {
  const safe = terminalSafe(text)
    .replace(/[\s;]+/g, ' ')
    .slice(0, 200)
  if (TMUX !== undefined) return bell // it passes a bell on, and says in which window it rang
  if (['iTerm.app', 'WezTerm', 'ghostty'].includes(TERM_PROGRAM) || TERM === 'xterm-kitty') {
    return `\u001b]9;${safe}${bell}`
  }
  if (/^(?:foot|rxvt)/.test(TERM)) return `\u001b]777;notify;rxpi;${safe}${bell}`
  return bell
}
