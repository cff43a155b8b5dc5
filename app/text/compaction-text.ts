// Words a compaction: what was summarised, what it saved, and why.
import type { EventNamed } from '../../lib/streams/events/event.ts'
import { messageText } from '../../lib/streams/messages/message-text.ts'
import { hiddenResultText } from '../../lib/streams/state/fold-context-changes.ts'
import { formatCount } from './format-count.ts'
import { countOf } from '../../lib/streams/values/count-of.ts'

type Compaction = EventNamed<'compaction'>

/** `41 messages were summarised · 182k → 24k tokens · the window was nearly full` */
export function compactionText({
  messages,
  tokensBefore,
  tokensAfter,
  reason = 'manual',
}: Pick<Compaction, 'messages' | 'tokensBefore' | 'tokensAfter' | 'reason'>): string {
  const what =
    messages === undefined
      ? 'Earlier messages were summarised'
      : `${countOf(messages, 'message')} ${messages === 1 ? 'was' : 'were'} summarised`
  const saved = `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`
  return [what, saved, ...reasonWords(reason)].join(' · ')
}

function reasonWords(reason: string): readonly string[] {
  if (reason === 'threshold') return ['the window was nearly full']
  return reason === 'overflow' ? ['the request exceeded the window'] : []
}

/** How to look at it and take it back, in the terminal UI. */
export const compactionHint =
  'The log keeps every message: /compact show reads the summary, /compact undo takes it back'

/** Words an edit; those of one compaction come together and need one notice. */
export function contextEditText({ replacement }: EventNamed<'context_edit'>): string {
  if (replacement === null || messageText(replacement) === hiddenResultText)
    return 'The model does not receive a message any more; /tree marks it'
  return replacement.role === 'toolResult'
    ? 'The model receives older output shortened; /tree marks it'
    : 'The model receives a message as it is now; /tree marks what was replaced'
}

export function contextPinText({ pinned }: EventNamed<'context_pin'>): string {
  return pinned ? 'Pinned: the message stays when the conversation is summarised' : 'The message is no longer pinned'
}
