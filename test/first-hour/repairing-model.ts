// Provides the model of the first hour, which repairs a sum by reading, editing and testing.
import type { LastInput, VendorAnswer } from '../support/vendor-endpoint.ts'

/** The repository of the tutorial, with a fault in `sum.js`. */
export const brokenSum: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "sums", "type": "module", "scripts": { "test": "node sum.test.js" } }\n',
  'sum.js':
    'export function sum(numbers) {\n  let total = 0\n  for (let at = 1; at < numbers.length; at++) total += numbers[at]\n  return total\n}\n',
  'sum.test.js':
    "import { sum } from './sum.js'\n\nconst got = sum([1, 2, 3])\nif (got !== 6) throw new Error(`expected 6, got ${got}`)\nconsole.log('ok')\n",
}

const edits = [{ oldText: 'let at = 1;', newText: 'let at = 0;' }]

const repair: readonly VendorAnswer[] = [
  { text: 'I read the function first.', call: { name: 'read', arguments: { path: 'sum.js' } } },
  { text: 'The loop begins at 1 and leaves out the first number.', call: { name: 'edit', arguments: { path: 'sum.js', edits } } }, // prettier-ignore
  { text: 'Now the test.', call: { name: 'bash', arguments: { command: 'node sum.test.js' } } },
]

const waiting = { name: 'bash', arguments: { command: 'until [ -e go ]; do sleep 0.05; done; rm go' } }

/**
 * Chooses the answer by the prompt: `Fix …`, `Wait …` (until a file `go` exists), `Which port …` (answer in JSON),
 * `Which name …` (answer in words). It repeats any other prompt.
 */
export function repairingModel({ text, results }: LastInput): VendorAnswer {
  if (text.includes('Fix')) return repair[results.length] ?? { text: `Mended: the test says ${lastWord(results)}.` }
  if (text.includes('Wait') && results.length === 0) return { text: 'I wait for the file.', call: waiting }
  if (text.includes('Which port')) return { text: '{"port": 8080}' }
  if (text.includes('Which name')) return { text: 'The name is sums.' }
  return { text: `You said: ${text}` }
}

function lastWord(results: readonly string[]): string {
  return /\b(ok|expected[^\n"]*)\b/.exec(results.at(-1) ?? '')?.[1] ?? 'nothing'
}
