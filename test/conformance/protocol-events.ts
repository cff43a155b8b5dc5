// Cases of messages, ports and events.
import type { Section } from './chapter.ts'

export const protocolEvents: readonly Section[] = [
  {
    id: 'MESSAGE',
    about: 'Messages and ids.',
    cases: {
      'MESSAGE-ids': 'Ids are lower-case base32: 12 characters for sessions, 26 for questions, 8 for all else.',
      'MESSAGE-roles': 'Messages narrow by role: user, assistant, toolResult, and custom ones.',
      'MESSAGE-custom': 'Custom roles stay in the log and are dropped or converted before the model.',
      'MESSAGE-surrogates': 'No surrogate pair is split.',
      'MESSAGE-cost': 'An unknown cost is `unknown`, never 0.',
    },
  },
  {
    id: 'PORT',
    about: 'Contracts of providers and tools.',
    cases: {
      'PORT-deltas': 'Every API gives `start`, block deltas, `usage` and `done`, in order, for any split of its bytes.',
      'PORT-early_end': 'An answer without `done` is a failure of kind `early_end`.',
      'PORT-failure': 'A provider fails with a kind, and with status and waiting time if known.',
      'PORT-cold': 'A provider and a tool do nothing before a subscription, and end on unsubscribe.',
      'PORT-first_delta': 'The `message_start` of an answer comes with its first delta, so a retry opens no message.',
      'PORT-tool': 'A tool emits progress and one result; an end without a result, or a failure, is an error result.',
      'PORT-context': 'A tool gets folder, environment, session, call and signal, and can ask people.',
      'PORT-jobs': { says: 'A tool can start jobs, and read and branch its session.', comesWith: 'tools and safety' },
    },
  },
  {
    id: 'EVENT',
    about: 'Events.',
    cases: {
      'EVENT-schema': 'Each event has its fields; a fault is refused with its path.',
      'EVENT-numbers': 'Durable events have `seq`, one after the other; transient ones have none.',
      'EVENT-once':
        'Content is written once: a start is empty, and a result message omits the content of its call’s end. The fold restores it.',
      'EVENT-agent_start': 'Names model, tools and thinking level.',
      'EVENT-resumed': 'A continued run names its entry.',
      'EVENT-turns': 'Turns count from 0; the end of a turn has its messages, usage and whether another follows.',
      'EVENT-message': 'Messages are a chain of entries; each start has its end.',
      'EVENT-offset': 'A piece has its offset: pieces can be joined, and a repeated one is recognised.',
      'EVENT-tool_start': 'The start of a call has arguments only if a hook changed them.',
      'EVENT-tool_update': 'Progress has its kind and its offset in that kind.',
      'EVENT-tool_end': 'A call’s end has details, terminate and its duration.',
      'EVENT-agent_end': 'Has turns, duration, usage and reason.',
      'EVENT-settled': '`agent_settled` is the last event of a run.',
      'EVENT-queue_update': 'One change of a queue a line, with its id.',
      'EVENT-changes': 'Changes of model, thinking level, tools, queue mode and title have the old and the new value.',
      'EVENT-label': 'A label has its entry and its author; an empty one removes it.',
      'EVENT-told': 'A fault is published with a code, a message, and whether work can continue.',
      'EVENT-head': 'Going back moves the head, in the file.',
      'EVENT-branch_summary': 'The summary of a branch stands where the next one begins.',
      'EVENT-compaction':
        'A compaction replaces the messages before it: the fold and the model’s context begin with it.',
      'EVENT-compacted': {
        says: 'Sessions are compacted, and a context edited, with an event each.',
        comesWith: 'context engineering',
      },
      'EVENT-scenario': { says: 'A change of phase is an event.', comesWith: 'context engineering' },
      'EVENT-approval_mode': { says: 'A change of the approval mode is an event.', comesWith: 'tools and safety' },
      'EVENT-files': 'Restored files are an event with their paths and the snapshot before.',
      'EVENT-retry': 'Retries and fallbacks have number, wait, kind and models.',
      'EVENT-job': 'A job has events for its start, output and end.',
      'EVENT-ui_request': 'A question has its kind, its source, and its call if there is one; the first answer counts.',
      'EVENT-ui_default': 'If no client can answer, or the time passed, the default counts at once.',
      'EVENT-ui_resolved': 'Each question has one outcome and its author.',
      'EVENT-denial': 'A denial can carry a text for the model.',
      'EVENT-custom': 'Unknown events of an import are stored as data of `custom`.',
      'EVENT-unknown': 'Events of unknown types are stored; clients ignore them.',
    },
  },
]
