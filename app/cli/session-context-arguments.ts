// Parses the actions of `rxpi sessions` that change what a model receives.
import { badRequest, parseEntryId, parseSession } from './command-options.ts'

interface OfSessions<Action extends string> {
  readonly mode: 'sessions'
  readonly action: Action
  readonly json: boolean
}

/** Summarises earlier messages. */
export interface CompactInvocation extends OfSessions<'compact'> {
  /** '' is the session that `rxpi -c` continues here. */
  readonly session: string
  /** The subject that the summary must cover. */
  readonly focus?: string
}

/** Changes an entry for the model; `text` is that of `replace`. */
export interface ContextChangeInvocation extends OfSessions<'pin' | 'unpin' | 'hide' | 'unhide' | 'replace'> {
  readonly session: string
  readonly entryId: string
  readonly text?: string
}

/** The actions for the table of `rxpi sessions`; none has options. */
export const contextActions = {
  compact: {
    options: [],
    invocation: (words: readonly string[]) => {
      const [, ...focus] = words
      return {
        action: 'compact',
        session: words.length === 0 ? '' : parseSession('compact', words, Infinity),
        ...(focus.length === 0 ? {} : { focus: focus.join(' ') }),
      } as const
    },
  },
  pin: contextChange('pin'),
  unpin: contextChange('unpin'),
  hide: contextChange('hide'),
  unhide: contextChange('unhide'),
  replace: {
    options: [],
    invocation: (words: readonly string[]) => {
      const text = words.slice(2).join(' ')
      const session = parseSession('replace', words, Infinity)
      const entryId = parseEntryId(words[1] ?? '')
      if (text === '') throw badRequest('sessions replace needs a text; sessions hide hides the entry')
      return { action: 'replace', session, entryId, text } as const
    },
  },
} as const

function contextChange(action: Exclude<ContextChangeInvocation['action'], 'replace'>) {
  return {
    options: [],
    invocation: (words: readonly string[]) => ({
      action,
      session: parseSession(action, words, 2),
      entryId: parseEntryId(words[1] ?? ''),
    }),
  } as const
}
