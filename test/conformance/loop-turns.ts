// The loop from the prompt to the end of a turn: sequences, calls, queues.
import type { Section } from './chapter.ts'

export const loopTurns: readonly Section[] = [
  {
    id: 'LOOP-1',
    about: 'A plain prompt.',
    cases: {
      'LOOP-1a':
        'It gives `AS TS ms(user) me(user) ms(asst) mu… me(asst) TE AE SET`: one `turn_start`, before the prompt’s messages.',
    },
  },
  {
    id: 'LOOP-2',
    about: 'A turn.',
    cases: {
      'LOOP-2a': 'It is one answer and its tool batch: results come before `turn_end`, which names both in call order.',
      'LOOP-2b': 'Another follows while there are tool calls or queued input.',
    },
  },
  {
    id: 'LOOP-3',
    about: 'A parallel batch.',
    cases: {
      'LOOP-3a': 'Every start comes first, in call order, then ends as they come, then result messages in call order.',
    },
  },
  {
    id: 'LOOP-4',
    about: 'Preparation.',
    cases: {
      'LOOP-4a': 'It goes call by call, and is over before any call runs.',
      'LOOP-4b': 'A call that fails in it ends before the next one starts.',
    },
  },
  {
    id: 'LOOP-5',
    about: 'A sequential batch.',
    cases: { 'LOOP-5a': 'Start, end and result message of one call, then of the next.' },
  },
  {
    id: 'LOOP-6',
    about: 'Scheduling by metadata (≠ pi).',
    cases: {
      'LOOP-6a': 'Calls whose locks clash never overlap; shared reads do.',
      'LOOP-6b': 'Among calls that clash the order is that of the calls.',
      'LOOP-6c': '`mustSerial` runs alone in its batch.',
      'LOOP-6d': 'Files that are read or written are locked by where they really are; a command locks nothing.',
    },
  },
  {
    id: 'LOOP-7',
    about: 'An unknown tool.',
    cases: { 'LOOP-7a': 'It is an error result that names it and the active tools; the run goes on.' },
  },
  {
    id: 'LOOP-8',
    about: 'Invalid arguments.',
    cases: {
      'LOOP-8a': 'They are an error result with tool, places, reasons and what was received; the tool is not run.',
      'LOOP-8b':
        'What models are known to miss is mended before: numbers in texts, one where a list is wanted, null for what is optional.',
      'LOOP-8c': 'It is mended on a copy: the transcript keeps what the model sent.',
      'LOOP-8d': 'What is no JSON is such a result with the parse error.',
    },
  },
  {
    id: 'LOOP-9',
    about: 'A tool that fails.',
    cases: {
      'LOOP-9a': 'What it throws is an error result with its message.',
      'LOOP-9b': 'A result without content counts as empty.',
    },
  },
  {
    id: 'LOOP-10',
    about: 'Hooks around a call.',
    cases: {
      'LOOP-10a': '`beforeToolCall` may block: its reason is the result, and neither tool nor `afterToolCall` run.',
      'LOOP-10b': '`beforeToolCall` may change the arguments: the tool sees it, the transcript does not.',
      'LOOP-10c': '`afterToolCall` may replace content, details, isError and terminate.',
      'LOOP-10d': 'What `afterToolCall` throws is the error result, and other calls are untouched.',
    },
  },
  {
    id: 'LOOP-11',
    about: 'Progress.',
    cases: { 'LOOP-11a': 'It is told before its call’s end, and never after the tool has settled.' },
  },
  {
    id: 'LOOP-12',
    about: 'Terminate.',
    cases: { 'LOOP-12a': 'The run ends after the turn only where every result of the batch asks for it.' },
  },
  {
    id: 'LOOP-13',
    about: 'An answer that was cut at the output limit.',
    cases: { 'LOOP-13a': 'None of its calls runs; each is started, ended and told so, and the run goes on.' },
  },
  {
    id: 'LOOP-14',
    about: 'Stop reasons.',
    cases: { 'LOOP-14a': 'Whether there are calls is decided by content, not by the stop reason.' },
  },
  {
    id: 'LOOP-15',
    about: 'Time limits of tools (≠ pi).',
    cases: {
      'LOOP-15a':
        'Each tool has a limit, 120 s where nothing else is said, 0 for none; an overdue call ends, the run goes on.',
      'LOOP-15b': 'A command’s limit is 120 s unless the call, the settings or the factory say otherwise.',
    },
  },
  {
    id: 'LOOP-16',
    about: 'A steer while tools run.',
    cases: {
      'LOOP-16a': 'It skips no call: it is delivered after `TE`, after the next `TS`, before the next request.',
      'LOOP-16b':
        'With `steering: "interrupt"` calls that have not begun are skipped, each with a result that says why.',
    },
  },
  {
    id: 'LOOP-17',
    about: 'Modes of queues.',
    cases: {
      'LOOP-17a': 'One at a time, two steers get a turn each; with `all`, both are in one.',
      'LOOP-17b': 'They are per queue and can be changed while a run is on.',
    },
  },
  {
    id: 'LOOP-18',
    about: 'A steer before the prompt.',
    cases: { 'LOOP-18a': 'It joins the first turn, behind the prompt’s message.' },
  },
  {
    id: 'LOOP-19',
    about: 'Which queue goes first.',
    cases: {
      'LOOP-19a': 'Steering drains before follow-ups.',
      'LOOP-19b': 'Follow-ups are taken by their mode at each natural stop, within one run.',
    },
  },
  {
    id: 'LOOP-20',
    about: 'A steer during an answer without calls.',
    cases: { 'LOOP-20a': 'It extends the run by a turn.' },
  },
  {
    id: 'LOOP-21',
    about: 'What is queued.',
    cases: {
      'LOOP-21a': 'After an error or an abort it stays queued.',
      'LOOP-21b': 'Clients are told each change with ids; inputs are known by id, never by text.',
      'LOOP-21c': 'A queue holds 10,000 and refuses the next.',
    },
  },
  {
    id: 'LOOP-22',
    about: 'A prompt while a run is on.',
    cases: {
      'LOOP-22a': 'It is refused as `busy`, naming steer and follow_up.',
      'LOOP-22b': 'With `whileRunning` it is queued instead; the answer says `started` or `queued`.',
    },
  },
]
