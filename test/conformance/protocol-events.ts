// Messages, ports and events.
import type { Section } from './chapter.ts'

export const protocolEvents: readonly Section[] = [
  {
    id: 'MESSAGE',
    about: 'Messages and ids.',
    cases: {
      'MESSAGE-ids': 'Ids are lower-case base32: 12 characters for sessions, 26 for questions, 8 for all else.',
      'MESSAGE-roles': 'Messages narrow by role: user, assistant, toolResult, and custom ones.',
      'MESSAGE-custom': 'Custom roles stay in the log and are dropped or converted before the model.',
      'MESSAGE-surrogates': 'No pair of surrogates is split.',
      'MESSAGE-cost': 'A cost that nobody knows is `unknown`.',
    },
  },
  {
    id: 'PORT',
    about: 'What providers and tools keep.',
    cases: {
      'PORT-deltas': 'Every wire gives `start`, block deltas, `usage` and `done`, in order, however its bytes are cut.',
      'PORT-early_end': 'An answer without `done` is a failure of kind `early_end`.',
      'PORT-failure': 'A provider fails with a kind, and status and waiting time where there are such.',
      'PORT-cold': 'A provider and a tool do nothing before they are subscribed to, and end when they are let go of.',
      'PORT-first_delta': 'An answer’s `message_start` comes with its first delta, so that a retry opens no message.',
      'PORT-tool': 'A tool gives progress and one result; an end without one and a failure are error results.',
      'PORT-context': 'A tool has its folder, environment, session, call and signal, and may ask people.',
      'PORT-jobs': { says: 'A tool may start jobs, and read and branch its session.', comesWith: 'tools and safety' },
    },
  },
  {
    id: 'EVENT',
    about: 'Events.',
    cases: {
      'EVENT-schema': 'Each event has its fields; what does not fit is refused with the place.',
      'EVENT-numbers': 'Durable events have `seq`, one after the other; transient ones have none.',
      'EVENT-once':
        'Content is written once: a start is empty, a result’s message leaves out what its call’s end has, and the fold puts it back.',
      'EVENT-agent_start': 'Names model, tools and thinking level.',
      'EVENT-resumed': 'A run that goes on says from which entry.',
      'EVENT-turns': 'Turns are counted from 0; a turn’s end names its messages, usage and whether it goes on.',
      'EVENT-message': 'Messages are a chain of entries; each start has its end.',
      'EVENT-offset': 'A piece has its offset: pieces can be joined, and a repeated one is known.',
      'EVENT-tool_start': 'A call’s start has its arguments only where a hook changed them.',
      'EVENT-tool_update': 'Progress has its kind and its place in that kind.',
      'EVENT-tool_end': 'A call’s end has details, terminate and its duration.',
      'EVENT-agent_end': 'Says how many turns, how long, with how much and why.',
      'EVENT-settled': '`agent_settled` is the last event of a run.',
      'EVENT-queue_update': 'One change of a queue a line, with its id.',
      'EVENT-changes': 'Changes of model, thinking level, tools, queue mode and title say from what and to what.',
      'EVENT-label': 'A label names its entry, and who gave it; an empty one takes it away.',
      'EVENT-told': 'What goes wrong is told with a code, a message, and whether it can go on.',
      'EVENT-head': 'Going back moves the head, in the file.',
      'EVENT-branch_summary': 'A branch that was left is summarised where the next one begins.',
      'EVENT-compaction': 'A compaction stands for what was before it: the fold and the model’s context begin with it.',
      'EVENT-compacted': {
        says: 'Sessions are compacted, and a context edited, with an event each.',
        comesWith: 'context engineering',
      },
      'EVENT-scenario': { says: 'A change of phase is an event.', comesWith: 'context engineering' },
      'EVENT-approval_mode': { says: 'A change of the approval mode is an event.', comesWith: 'tools and safety' },
      'EVENT-files': 'Files that were put back are an event with their paths and the snapshot before.',
      'EVENT-retry': 'Retries and fallbacks say number, wait, kind and models.',
      'EVENT-job': 'A job is told from its start over its output to its end.',
      'EVENT-ui_request':
        'A question has its kind, who asks, and the call where it is about one; the first answer counts.',
      'EVENT-ui_default': 'Where nobody can answer, or the time is over, the default counts at once.',
      'EVENT-ui_resolved': 'Each question has one outcome, with by whom.',
      'EVENT-denial': 'A denial may say something to the model.',
      'EVENT-custom': 'What this rxpi does not know of an import is kept as data of `custom`.',
      'EVENT-unknown': 'Events of types that it does not know are kept, and passed over by clients.',
    },
  },
]
