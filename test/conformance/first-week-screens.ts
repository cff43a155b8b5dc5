// The keys and screens of the terminal UI, and what stops and leaves a run.
import type { Section } from './chapter.ts'

export const firstWeekScreens: readonly Section[] = [
  {
    id: 'KEYS',
    about: 'Keys that stop and leave.',
    cases: {
      'KEYS-ctrlc': 'Ctrl-C stops a run, like Esc, and keeps the text; again leaves.',
      'KEYS-leave': 'Leaving with an active run asks: stop it, let it go on in the server, or stay.',
      'KEYS-abort': '`rxpi abort SESSION` stops the run of a session at the server, from any terminal.',
      'KEYS-print': 'An interrupted `-p` prints the part of the answer that is there.',
      'KEYS-exit': 'The word `exit` alone leaves.',
    },
  },
]
