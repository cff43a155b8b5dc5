// Writes docs/errors.md from the table of codes; `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { failureTable } from '../../lib/streams/values/failure.ts'

const page = new URL('../../docs/errors.md', import.meta.url)

/** Builds the page from the table. */
export function errorPage(): string {
  const rows = Object.entries(failureTable).map(
    ([code, { meaning, recoverable, exitCode }]) =>
      `| \`${code}\` | ${meaning} | ${recoverable ? 'yes' : 'no'} | ${exitCode} |`,
  )
  return [
    '# Error codes',
    '',
    'Every failure of rxpi has a code. Use this page to decide whether to retry, and to read an exit code.',
    '`npx node scripts/pages/error-page.ts` writes it from the table of codes in `lib/streams`.',
    '',
    'These carry `code`, `message` and `data`: a failed response, a `status`, `warning` or `error` event, `agent_end.error`, and a',
    'thrown `Failure`. The message says what happened and what to do. `data` has JSON values, never a secret.',
    'If a run ends with an error, its end decides the [exit code](../README.md#use-the-command-line).',
    '',
    '| code | meaning | retry can succeed | exit code |',
    '|---|---|---|---|',
    ...rows,
    '',
    '`provider_error` has `data.kind`:',
    '',
    '| kind | meaning | retried |',
    '|---|---|---|',
    '| `auth` | the key is missing or refused | no |',
    '| `rate_limit` | too many requests; `data.retryAfterMs` if the provider sends it | yes |',
    '| `overloaded` | the provider is overloaded or failing (5xx) | yes |',
    '| `context_overflow` | the conversation exceeds the context window | no |',
    '| `bad_request` | the provider refuses the request | no |',
    '| `network` | not reachable, interrupted, or an invalid answer | yes |',
    '| `stall` | no data within the idle limit | yes |',
    '| `early_end` | the answer ended without its terminal event | yes |',
    '| `refused` | the model or a filter refuses to answer | no |',
    '',
    'A request is retried only while nothing of its answer was visible. It has three attempts in all; a rate limit or an overload',
    'that no fallback and no other key can answer is tried again for ten minutes (`retry.busyMs`). Each retry is an `auto_retry` event.',
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
