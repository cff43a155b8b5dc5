// Serves the files of the web page to whoever may reach the gateway, under a strict policy.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { respond } from '../http/answer-json.ts'
import type { Routes } from './gateway-routes.ts'

/** Path → file and its type. Nothing else of the folder is served. */
const files = {
  '/': ['index.html', 'text/html'],
  '/page.js': ['page.js', 'text/javascript'],
  '/questions.js': ['questions.js', 'text/javascript'],
  '/transcript.js': ['transcript.js', 'text/javascript'],
  '/style.css': ['style.css', 'text/css'],
  '/rxpi-client.js': ['rxpi-client.js', 'text/javascript'],
} as const

/** Only what the gateway serves: no inline script, no other site, no frame around the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Reads the files once. They are no secret, so they need no token: a page cannot send one for its own files.
 * @throws Failure `bad_config` if a file is missing
 */
export function pageRoutes(folder: string): Routes {
  return Object.fromEntries(
    Object.entries(files).map(([address, [name, type]]) => {
      const body = readPageFile(path.join(folder, name))
      const answered = { ...headers, 'content-type': `${type}; charset=utf-8` }
      return [address, { method: 'GET', isOpen: true, answer: (_, response) => respond(response, 200, answered, body) }]
    }),
  )
}

function readPageFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    throw new Failure('bad_config', `${file} of the page cannot be read: ${describeThrown(thrown)}`, { cause: thrown })
  }
}
