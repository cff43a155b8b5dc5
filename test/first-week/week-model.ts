// Provides the model of the first week: it plans, remembers, and calls tools of servers and extensions.
import { repairingModel } from '../first-hour/repairing-model.ts'
import type { LastInput, VendorAnswer } from '../support/vendor-endpoint.ts'

const plan = '1. Begin the loop at 0 in sum.js.\n2. Run the test.'
const calls: readonly (readonly [word: string, call: NonNullable<VendorAnswer['call']>])[] = [
  ['Plan', { name: 'bash', arguments: { command: 'sed -i s/1/0/ sum.js' } }],
  ['notes of the server', { name: 'mcp__notes__read_text_file', arguments: { path: 'notes.md' } }],
  ['checksum', { name: 'checksum', arguments: { path: 'sum.js' } }],
  ['background', { name: 'bash', arguments: { command: 'while :; do date; sleep 1; done', background: true } }],
]

/** Chooses the answer by the prompt; what it has no word for, the model of the first hour answers. */
export function weekModel(input: LastInput): VendorAnswer {
  const { text, results } = input
  if (/summar/i.test(text))
    return { text: '## Goal\nRepair sum.js.\n\n## Done\nThe loop begins at 0 and the test passes.' }
  const [word, call] = calls.find(([each]) => text.includes(each)) ?? []
  if (call === undefined || word === undefined) return repairingModel(input)
  const [result = ''] = results
  if (result === '') return { text: `I use ${call.name}.`, call }
  return { text: word === 'Plan' ? plan : `It says: ${result.split('\n')[0] ?? ''}` }
}
