// Cases of the loop: ends of runs, isolation, and changes between requests.
import type { Section } from './chapter.ts'

export const loopEnds: readonly Section[] = [
  {
    id: 'LOOP-23',
    about: 'A provider that fails.',
    cases: {
      'LOOP-23a': 'Before the message: the message starts and ends as an error, then `TE AE SET`.',
      'LOOP-23b': 'During the message: received content is kept, with the error.',
      'LOOP-23c': 'The promise of the run resolves.',
      'LOOP-23d': 'For any data and any end of a provider, message and run end exactly once.',
    },
  },
  {
    id: 'LOOP-24',
    about: 'An abort (≠ pi).',
    cases: {
      'LOOP-24a': 'After an abort at any event or millisecond: no further request, no further tool, nothing open.',
      'LOOP-24b': 'The open message ends as `aborted`, with the received content.',
      'LOOP-24c': 'Every call of the batch has a result; then come `TE AE SET`.',
      'LOOP-24d': 'An abort takes effect in the same call, also from within an event handler.',
      'LOOP-24e': 'The run unsubscribes a tool’s Observable at once.',
      'LOOP-24f':
        'A tool that uses its signal, like every promise tool, has 5 s of grace (2 s at shutdown), in which its result counts.',
      'LOOP-24g': 'Processes get SIGTERM at once and SIGKILL after 2 s; no process is left.',
      'LOOP-24h': 'The response comes at `agent_settled`.',
    },
  },
  {
    id: 'LOOP-25',
    about: 'Continue.',
    cases: {
      'LOOP-25a': 'On an empty history it is refused.',
      'LOOP-25b': 'After a user message or a result the model is asked again, without a new message.',
      'LOOP-25c': 'After an answer it takes one steering batch, else one follow-up batch, else it is refused.',
    },
  },
  {
    id: 'LOOP-26',
    about: 'The end of a run.',
    cases: {
      'LOOP-26a': '`agent_end` has turns, usage, duration and reason.',
      'LOOP-26b':
        '`completed`, `stopped` with its rule, `terminated`, `aborted`, `error` and `budget_exceeded` are distinct.',
      'LOOP-26c': '`idle_timeout`: 120 s without a token, 600 s before the first of a local endpoint.',
      'LOOP-26d': '`wall_clock_timeout`: after 48 h, in any state of the run.',
      'LOOP-26e': '`client_disconnected`: when the last client leaves, for a session with that option.',
      'LOOP-26f': '`server_shutdown`: when the session or the server closes.',
      'LOOP-26g': '`crashed`: written when the next process opens the log.',
      'LOOP-26h': 'All limits are options of a run and of a session.',
      'LOOP-26i': '`agent_settled` means that the session is idle.',
    },
  },
  {
    id: 'LOOP-27',
    about: 'Stop rules.',
    cases: {
      'LOOP-27a':
        '`maxTurns`, `spent`, `calledTool`, `sameCallRepeated` and custom rules are evaluated on the finished turn.',
      'LOOP-27b': '`spent` ends a run as `budget_exceeded`, all other rules as `stopped`.',
      'LOOP-27c': 'A stall is retried while nothing is visible, then ends as `idle_timeout`.',
    },
  },
  {
    id: 'LOOP-28',
    about: 'Retries and fallbacks.',
    cases: {
      'LOOP-28a': 'The idle limit covers one attempt; waits and tools do not count.',
      'LOOP-28b': 'A limit that no timer can hold is refused.',
      'LOOP-28c': 'A request is retried only while nothing of its answer was visible.',
      'LOOP-28d':
        'The wait is that of the provider’s `retry-after`. One that is longer than 60 s, or than what is left for a busy provider, ends the attempts.',
      'LOOP-28e': 'Otherwise the wait doubles, with jitter, up to 60 s; there are three attempts.',
      'LOOP-28j':
        'A rate limit or an overload is tried again for ten minutes (`retry.busyMs`) if nothing else can answer.',
      'LOOP-28k': 'If a fallback or another key follows, it gets three attempts.',
      'LOOP-28l': '`rxpi -p` says on stderr what it waits for, and `--timeout` counts while it waits.',
      'LOOP-28f': 'Each retry is an `auto_retry` event.',
      'LOOP-28g': 'Failures are classified by status and error type.',
      'LOOP-28h': 'A refused key and a bad request are never retried.',
      'LOOP-28i': 'Then the model’s fallbacks follow in order, each with a `model_fallback` event.',
      'LOOP-28m':
        'When the cooldown of a model is over, the next request of the run goes to it again, with a `model_fallback`.',
      'LOOP-28n': 'With several keys a session stays at the key that it used last, until that has to rest.',
      'LOOP-28o':
        'A key that reached a limit rests until the time that its provider names, in all sessions of the process.',
    },
  },
  {
    id: 'LOOP-29',
    about: 'Context overflow, and limits that pause.',
    cases: {
      'LOOP-29a':
        'On an overflow, reported by the provider or counted before sending, room is made once and the request repeated; the next one is an error.',
      'LOOP-29b': 'The time limit of a tool pauses while its question is open; the wall clock does not.',
      'LOOP-29c': 'Compaction makes room; one before a prompt runs behind its message.',
    },
  },
  {
    id: 'LOOP-30',
    about: 'Subscribers (≠ pi).',
    cases: {
      'LOOP-30a': 'Subscribers get events in the order of subscription and cannot slow the run.',
      'LOOP-30b': 'A throw of a listener is one warning and one line on stderr; the others still get the event.',
      'LOOP-30c':
        'A throw of a direct subscriber belongs to its process: the command reports it and goes on, the library does nothing.',
      'LOOP-30d': 'An awaited hook can hold the run back; it has a time limit.',
    },
  },
  {
    id: 'LOOP-31',
    about: 'A throw in the context.',
    cases: { 'LOOP-31a': 'A throw in `transformContext` or a converter ends the turn like a provider failure.' },
  },
  {
    id: 'LOOP-32',
    about: 'A late subscriber.',
    cases: {
      'LOOP-32a': 'A late subscriber reads the log, then follows live, without gap or repeat.',
      'LOOP-32b': 'A late subscriber never starts a second request.',
    },
  },
  {
    id: 'LOOP-33',
    about: 'The history of a request.',
    cases: {
      'LOOP-33a': 'A call without a result gets one; a result without a call is left out.',
      'LOOP-33b': 'Failed or aborted answers without content are left out.',
      'LOOP-33c': 'Thinking of another model is left out or kept, as the API allows.',
      'LOOP-33d': 'Ids fit the API and each other.',
    },
  },
  {
    id: 'LOOP-34',
    about: 'Size and chance.',
    cases: {
      'LOOP-34a': '10,000 queued follow-ups are delivered, the log growing linearly.',
      'LOOP-34b': '50,000 synchronous turns complete.',
      'LOOP-34c': 'A message of 1,000,000 deltas completes, and only the message stays in memory.',
      'LOOP-34d': 'An abort at every millisecond breaks no law.',
      'LOOP-34e': 'Thousands of random runs with commands from handlers break no law.',
    },
  },
  {
    id: 'LOOP-35',
    about: 'Active tools, model, thinking level.',
    cases: {
      'LOOP-35a':
        'A request carries the active tools only, unless the list is frozen; an inactive tool is refused like an unknown one.',
      'LOOP-35b': 'Tools, model and thinking level change at the next request.',
      'LOOP-35c': 'Each change is an event of the log.',
    },
  },
  {
    id: 'LOOP-36',
    about: 'Scenarios.',
    cases: {
      'LOOP-36a':
        'Phases are configuration: a prompt fragment, tools and transitions. A change is an event, is stored, and is in the state.',
      'LOOP-36b':
        'An extension can change the phase; a phase that lets calls do more, or the end of the scenario, waits for a person.',
    },
  },
  {
    id: 'LOOP-37',
    about: 'The tool pipeline.',
    cases: {
      'LOOP-37a':
        'Seven operators build the tools of a session in the order base, sandbox, runtime, channel, policy, schemas, cancellation.',
      'LOOP-37b': 'Each layer is an exported operator that works alone.',
      'LOOP-37c': 'The tools are built once per change of the inputs, never for a request.',
      'LOOP-37d': 'Each layer can be replaced.',
      'LOOP-37e': 'A schema is sent in the form that the API of the model takes; calls are checked by the own one.',
    },
  },
]
