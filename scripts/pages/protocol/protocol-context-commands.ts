// Texts of the protocol page: the commands that change what the model receives.
import type { CommandGroup } from './protocol-note.ts'
import { entryId, session } from './protocol-samples.ts'

export const contextCommandGroups: readonly CommandGroup[] = [
  {
    title: 'The context',
    commands: {
      compact: {
        does: 'Summarises the older messages in a request of its own; from then on the model receives the summary and the recent messages. `focus` names what the summary must cover above all. `compaction_progress` events report the progress, `abort` cancels it (`cancelled`). After a failure, every client gets a `status` event `compaction_ended`. Refused with `busy` during a run, with `bad_request` if there is nothing to compact. After a failure the session is as it was. Moving the head before the compaction undoes it.',
        errors: ['unknown_session', 'busy', 'no_model', 'provider_error', 'cancelled', 'read_only', 'storage'],
        ask: { session, focus: 'the failing test' },
        answer: { entryId, tokensBefore: 180_000, tokensAfter: 22_000, messages: 41 },
      },
      context_edit: {
        does: 'Sets what the model receives of an entry: `text` in its place, nothing with `hide`, the entry itself without both. A hidden tool result leaves a notice, so that its call has an answer; an answer with calls cannot be hidden. The log keeps the entry. Refused with `busy` during a run.',
        errors: ['unknown_session', 'busy', 'read_only', 'storage'],
        ask: { session, entryId, hide: true },
        answer: {},
      },
      context_pin: {
        does: 'Keeps a message of the user or an answer through compactions, or no longer; at most 50 entries. Of a pinned answer the text stays, without its calls. A tool result cannot be pinned.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, entryId, pinned: true },
        answer: {},
      },
    },
  },
]
