// Writes docs/errors.md from the table of codes; with `--check` it only says whether the page is still true.
import { readFileSync, writeFileSync } from 'node:fs'
import { failureTable } from '../../lib/streams/values/failure.ts'

const page = new URL('../../docs/errors.md', import.meta.url)

/** The page as the table has it. */
export function errorPage(): string {
  const rows = Object.entries(failureTable).map(
    ([code, { meaning, recoverable, exitCode }]) =>
      `| \`${code}\` | ${meaning} | ${recoverable ? 'yes' : 'no'} | ${exitCode} |`,
  )
  return [
    '# Error codes',
    '',
    'Made by `node scripts/pages/error-page.ts` from `lib/streams/values/failure.ts`.',
    '',
    'A response that is not ok, a `status`, `warning` or `error` event, `agent_end.error` and a thrown `Failure` carry `code`,',
    '`message` and `data`. The message says what happened, to what, and what to do; `data` holds JSON values, never a secret.',
    'Where a run ends with an error, the exit code of the command follows from how it ended (README).',
    '',
    '| code | meaning | the same may succeed later | exit code |',
    '|---|---|---|---|',
    ...rows,
    '',
    '`provider_error` has `data.kind`:',
    '',
    '| kind | meaning | tried again |',
    '|---|---|---|',
    '| `auth` | the key is missing or refused | no |',
    '| `rate_limit` | too many requests; `data.retryAfterMs` where the provider says | yes |',
    '| `overloaded` | the provider is overloaded or failing (5xx) | yes |',
    '| `context_overflow` | the conversation is longer than the model can take | no |',
    '| `bad_request` | the provider refuses the request as it is | no |',
    '| `network` | not reachable, cut, or an answer that is none | yes |',
    '| `stall` | nothing came for longer than the idle limit | yes |',
    '| `early_end` | the answer ended without its end | yes |',
    '| `refused` | the model or a filter refuses to answer | no |',
    '',
    'Tried again means: up to three attempts in all while nothing of the answer was visible, each with an `auto_retry` event.',
    '',
  ].join('\n')
}

if (import.meta.filename === process.argv[1]) {
  if (!process.argv.includes('--check')) writeFileSync(page, errorPage())
  else if (readFileSync(page, 'utf8') !== errorPage()) {
    console.error('docs/errors.md is out of date: run node scripts/pages/error-page.ts')
    process.exitCode = 1
  }
}
