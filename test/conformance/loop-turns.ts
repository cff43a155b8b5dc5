// The loop from the prompt to the end of a turn: sequences, calls, queues.
import type { Section } from './chapter.ts'

export const loopTurns: readonly Section[] = [
  {
    id: 'LOOP-1',
    about: 'A plain prompt.',
    cases: {
      'LOOP-1a':
        'The sequence is `AS TS ms(user) me(user) ms(asst) mu… me(asst) TE AE SET`: one `turn_start`, before the prompt’s messages.',
    },
  },
  {
    id: 'LOOP-2',
    about: 'A turn.',
    cases: {
      'LOOP-2a':
        'A turn is one answer and its tool batch. Results come before `turn_end`, which names both in call order.',
      'LOOP-2b': 'Another turn follows while there are tool calls or queued input.',
    },
  },
  {
    id: 'LOOP-3',
    about: 'A parallel batch.',
    cases: {
      'LOOP-3a':
        'All starts come first, in call order; then ends in order of completion; then result messages in call order.',
    },
  },
  {
    id: 'LOOP-4',
    about: 'Preparation.',
    cases: {
      'LOOP-4a': 'Preparation goes call by call and is complete before any call runs.',
      'LOOP-4b': 'A call that fails in preparation ends before the next one starts.',
    },
  },
  {
    id: 'LOOP-5',
    about: 'A sequential batch.',
    cases: { 'LOOP-5a': 'Start, end and result message of one call come before those of the next.' },
  },
  {
    id: 'LOOP-6',
    about: 'Scheduling by metadata (≠ pi).',
    cases: {
      'LOOP-6a': 'Calls with clashing locks never overlap; shared reads do.',
      'LOOP-6b': 'Clashing calls keep call order.',
      'LOOP-6c': '`mustSerial` runs alone in its batch.',
      'LOOP-6d': 'File tools lock the real path of a file; a command locks nothing.',
    },
  },
  {
    id: 'LOOP-7',
    about: 'An unknown tool.',
    cases: { 'LOOP-7a': 'The result is an error that names the tool and the active tools; the run goes on.' },
  },
  {
    id: 'LOOP-8',
    about: 'Invalid arguments.',
    cases: {
      'LOOP-8a': 'The result is an error with tool, paths, reasons and received arguments; the tool does not run.',
      'LOOP-8b':
        'Common faults are repaired first: numbers as text, one value instead of a list, null for an optional property.',
      'LOOP-8c': 'The repair works on a copy: the transcript keeps what the model sent.',
      'LOOP-8d': 'Arguments that are not JSON give such a result with the parse error.',
      'LOOP-8e':
        'Arguments nested more than 1,000 levels deep give such a result in words; the transcript has their text.',
      'LOOP-8f': 'A call whose id has more than 512 characters gets such a result; the other calls run.',
      'LOOP-8g':
        'An answer with calls and more than 10,000 blocks is cut off there, and each of its calls gets such a result.',
    },
  },
  {
    id: 'LOOP-9',
    about: 'A tool that fails.',
    cases: {
      'LOOP-9a': 'A throw is an error result with its message.',
      'LOOP-9b': 'A result without content counts as empty.',
    },
  },
  {
    id: 'LOOP-10',
    about: 'Hooks around a call.',
    cases: {
      'LOOP-10a': '`beforeToolCall` can block: its reason is the result, and neither tool nor `afterToolCall` runs.',
      'LOOP-10b': '`beforeToolCall` can change the arguments for the tool; the transcript does not change.',
      'LOOP-10c': '`afterToolCall` can replace content, details, isError and terminate.',
      'LOOP-10d': 'A throw of `afterToolCall` is the error result; other calls are not affected.',
    },
  },
  {
    id: 'LOOP-11',
    about: 'Progress.',
    cases: { 'LOOP-11a': 'Progress comes before the end of its call, never after the tool settled.' },
  },
  {
    id: 'LOOP-12',
    about: 'Terminate.',
    cases: { 'LOOP-12a': 'The run ends after the turn only if every result of the batch sets `terminate`.' },
  },
  {
    id: 'LOOP-13',
    about: 'An answer cut at the output limit.',
    cases: {
      'LOOP-13a': 'None of its calls runs; each gets a start, an end and a result with the reason. The run goes on.',
    },
  },
  {
    id: 'LOOP-14',
    about: 'Stop reasons.',
    cases: { 'LOOP-14a': 'The content decides whether there are calls, not the stop reason.' },
  },
  {
    id: 'LOOP-15',
    about: 'Time limits of tools (≠ pi).',
    cases: {
      'LOOP-15a': 'Each tool has a limit (default 120 s, 0 for none). An overdue call ends, and the run goes on.',
      'LOOP-15b': 'The limit of a command is 120 s unless the call, the settings or the factory set another.',
    },
  },
  {
    id: 'LOOP-16',
    about: 'A steer while tools run.',
    cases: {
      'LOOP-16a': 'A steer skips no call. It is delivered after `TE` and the next `TS`, before the next request.',
      'LOOP-16b':
        'With `steering: "interrupt"`, calls that have not started are skipped, each with a result with the reason.',
    },
  },
  {
    id: 'LOOP-17',
    about: 'Modes of queues.',
    cases: {
      'LOOP-17a': 'With `one-at-a-time`, two steers get a turn each; with `all`, both are in one.',
      'LOOP-17b': 'Modes are per queue and can change during a run.',
    },
  },
  {
    id: 'LOOP-18',
    about: 'A steer before the prompt.',
    cases: { 'LOOP-18a': 'The steer joins the first turn, behind the prompt’s message.' },
  },
  {
    id: 'LOOP-19',
    about: 'Which queue goes first.',
    cases: {
      'LOOP-19a': 'Steering drains before follow-ups.',
      'LOOP-19b': 'Follow-ups are taken by their mode at each natural stop, inside one run.',
    },
  },
  {
    id: 'LOOP-20',
    about: 'A steer during an answer without calls.',
    cases: { 'LOOP-20a': 'The steer extends the run by a turn.' },
  },
  {
    id: 'LOOP-21',
    about: 'Queued inputs.',
    cases: {
      'LOOP-21a': 'Inputs stay queued after an error or an abort.',
      'LOOP-21b': 'Clients get each change with ids; an id identifies an input, never its text.',
      'LOOP-21c': 'A queue holds 10,000 and refuses the next.',
    },
  },
  {
    id: 'LOOP-22',
    about: 'A prompt during a run.',
    cases: {
      'LOOP-22a': 'The prompt is refused as `busy`; the message names steer and follow_up.',
      'LOOP-22b': 'With `whileRunning` the prompt is queued; the response says `started` or `queued`.',
    },
  },
]
