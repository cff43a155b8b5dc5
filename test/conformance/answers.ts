// The chapter of answers: what a provider may send, and what rxpi makes of it.
import type { Chapter } from './chapter.ts'

export const answers: Chapter = {
  title: 'Answers of providers',
  about:
    'Gateways and small servers send more, less or something else than the APIs of the vendors. [providers.md](providers.md#what-an-endpoint-may-send) describes it. S28 and LOOP-8 have more.',
  sections: [
    {
      id: 'ANSWER',
      about: 'Frames, calls and usage.',
      cases: {
        'ANSWER-usage': 'A count of tokens that no answer can have makes its usage unknown, and a warning names it.',
        'ANSWER-budget': 'With an unknown usage a budget in USD ends nothing, and a warning says so.',
        'ANSWER-completed': 'An item that only `response.completed` has is taken, once.',
        'ANSWER-choice': 'Choices other than the first are ignored.',
        'ANSWER-pause':
          'An answer that pauses goes on with another request, which has its content unchanged; both are one message, with the sum of the usage.',
        'ANSWER-pauses': 'An answer that pauses more than ten times is a failure in words, after its usage.',
        'ANSWER-lines': 'Events end with LF, CR or CRLF, and one byte order mark is dropped, as WHATWG says.',
      },
    },
  ],
}
