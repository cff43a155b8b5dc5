// How runs end, whom they cannot be hurt by, and what changes between their requests.
import type { Section } from './chapter.ts'

export const loopEnds: readonly Section[] = [
  {
    id: 'LOOP-23',
    about: 'A provider that fails.',
    cases: {
      'LOOP-23a': 'Before the message: it starts and ends as an error, then `TE AE SET`.',
      'LOOP-23b': 'During the message: what had arrived is kept, with the error beside it.',
      'LOOP-23c': 'The run’s promise resolves.',
      'LOOP-23d': 'Whatever a provider sends, and however it ends, the message and the run end once.',
    },
  },
  {
    id: 'LOOP-24',
    about: 'An abort (≠ pi).',
    cases: {
      'LOOP-24a': 'At every event and millisecond: no further request, no further tool, and nothing left open.',
      'LOOP-24b': 'The open message ends as `aborted`, with what had arrived.',
      'LOOP-24c': 'Every call of the batch has a result, then come `TE AE SET`.',
      'LOOP-24d': 'It counts in the very call, also from within an event.',
      'LOOP-24e': 'A tool’s Observable is let go of at once.',
      'LOOP-24f':
        'One that took its signal, as each promise does, has 5 s of grace, 2 s at a shutdown, in which its result counts.',
      'LOOP-24g': 'Processes get SIGTERM at once and SIGKILL after 2 s; none is left.',
      'LOOP-24h': 'It is answered at `agent_settled`.',
    },
  },
  {
    id: 'LOOP-25',
    about: 'Continue.',
    cases: {
      'LOOP-25a': 'Of an empty history it is refused.',
      'LOOP-25b': 'After a user’s message or a result the model is asked again, without a new message.',
      'LOOP-25c': 'After an answer it takes one steering batch, else one follow-up batch, else it is refused.',
    },
  },
  {
    id: 'LOOP-26',
    about: 'The end of a run.',
    cases: {
      'LOOP-26a': '`agent_end` says turns, usage, time and why.',
      'LOOP-26b':
        '`completed`, `stopped` with its rule, `terminated`, `aborted`, `error` and `budget_exceeded` are told apart.',
      'LOOP-26c': '`idle_timeout`: 120 s without a token, 600 s before the first of a local endpoint.',
      'LOOP-26d': '`wall_clock_timeout`: after 48 h, whatever the run does.',
      'LOOP-26e': '`client_disconnected`: for a session that asked for it, when its last client has gone.',
      'LOOP-26f': '`server_shutdown`: when session or server are closed.',
      'LOOP-26g': '`crashed`: written when the next process opens the log.',
      'LOOP-26h': 'All limits are options of a run and of a session.',
      'LOOP-26i': '`agent_settled` is the sign that the session is idle.',
    },
  },
  {
    id: 'LOOP-27',
    about: 'Stop rules.',
    cases: {
      'LOOP-27a':
        '`maxTurns`, `spent`, `calledTool`, `sameCallRepeated` and own ones are asked about the finished turn.',
      'LOOP-27b': '`spent` ends a run as `budget_exceeded`, all others as `stopped`.',
      'LOOP-27c': 'A stall is tried again while nothing is visible, then ends as `idle_timeout`.',
    },
  },
  {
    id: 'LOOP-28',
    about: 'Retries and fallbacks.',
    cases: {
      'LOOP-28a': 'The idle limit watches one attempt; waits and tools do not count.',
      'LOOP-28b': 'A limit that no timer keeps is refused.',
      'LOOP-28c': 'A request is tried again only while nothing of its answer was visible.',
      'LOOP-28d': 'The wait is what the provider asks for; more than 60 s ends the attempts.',
      'LOOP-28e': 'Else it doubles, with jitter, up to 60 s; there are three attempts.',
      'LOOP-28f': 'Each attempt is an `auto_retry` event.',
      'LOOP-28g': 'Failures are classified by status and error type.',
      'LOOP-28h': 'A refused key and a bad request are never tried again.',
      'LOOP-28i': 'Then the model’s fallbacks are asked in order, each with a `model_fallback` event.',
    },
  },
  {
    id: 'LOOP-29',
    about: 'A context that is too long, and limits that wait.',
    cases: {
      'LOOP-29a':
        'Told by the provider or counted before sending, room is made once and the request made again, then it is an error.',
      'LOOP-29b': 'A tool’s time limit stands still while people are asked for it; the wall clock does not.',
      'LOOP-29c': {
        says: 'Room is made by compaction; one before a prompt runs behind its message.',
        comesWith: 'context engineering',
      },
    },
  },
  {
    id: 'LOOP-30',
    about: 'Subscribers (≠ pi).',
    cases: {
      'LOOP-30a': 'They get events in the order of subscription, and cannot slow the run.',
      'LOOP-30b': 'What a listener throws is one warning and a line on stderr; the others still get the event.',
      'LOOP-30c':
        'What a direct subscriber throws is its process’s: the command tells it and goes on, the library touches nothing.',
      'LOOP-30d': 'Who must hold the run back uses an awaited hook, which has a time limit.',
    },
  },
  {
    id: 'LOOP-31',
    about: 'A throw in the context.',
    cases: { 'LOOP-31a': 'In `transformContext` or a converter it ends the turn as a provider’s failure does.' },
  },
  {
    id: 'LOOP-32',
    about: 'Who joins late.',
    cases: {
      'LOOP-32a': 'Reads the log, then follows live, without gap or repeat.',
      'LOOP-32b': 'Never starts a second request.',
    },
  },
  {
    id: 'LOOP-33',
    about: 'The history that a model is given.',
    cases: {
      'LOOP-33a': 'A call without a result gets one; a result without a call is left out.',
      'LOOP-33b': 'Answers that failed or were aborted before they said anything are left out.',
      'LOOP-33c': 'Another model’s thinking is left out or kept as the API allows.',
      'LOOP-33d': 'Ids are such as the API takes, and fit together.',
    },
  },
  {
    id: 'LOOP-34',
    about: 'Size and chance.',
    cases: {
      'LOOP-34a': '10,000 queued follow-ups are delivered, the log growing linearly.',
      'LOOP-34b': '50,000 synchronous turns complete.',
      'LOOP-34c': 'A message of 1,000,000 deltas completes, and it alone is kept.',
      'LOOP-34d': 'An abort at every millisecond breaks no law.',
      'LOOP-34e': 'Thousands of random runs with commands from within handlers break no law.',
    },
  },
  {
    id: 'LOOP-35',
    about: 'Active tools, model, thinking level.',
    cases: {
      'LOOP-35a':
        'Each request carries the active tools only; a registered one that is not active is refused as unknown.',
      'LOOP-35b': 'Tools, model and thinking level change with the next request.',
      'LOOP-35c': 'Each change is an event of the log.',
    },
  },
  {
    id: 'LOOP-36',
    about: 'Scenarios.',
    cases: {
      'LOOP-36a': {
        says: 'Phases are configuration: a prompt fragment, tools and transitions; a change is an event, kept, and in the state.',
        comesWith: 'context engineering',
      },
    },
  },
  {
    id: 'LOOP-37',
    about: 'The tool pipeline.',
    cases: {
      'LOOP-37a': {
        says: 'A session’s tools are built by seven operators in a fixed order, each exported, replaceable and tested alone.',
        comesWith: 'tools and safety',
      },
    },
  },
]
