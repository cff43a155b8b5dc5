// Compares the requests to Mistral and to Bedrock with those that pi sends for the same conversations.
// scripts/account-requests/record-keys.ts writes pi's.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { differencesOf } from '../accounts/requests/compare-requests.ts'
import { conversations } from '../accounts/requests/conversations.ts'
import type { RecordedRequest, RequestRecord } from '../accounts/requests/conversations.ts'
import { requestRules } from '../adapter/request-rules.ts'
import { keyDifferences } from './key-differences.ts'
import { keyWires } from './key-wires.ts'
import { ownKeyRequest } from './own-key-request.ts'

const file = path.join(import.meta.dirname, 'pi-key-requests.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as RequestRecord
const used = new Set<RegExp>()

function recordOf(wire: string, conversation: string): RecordedRequest {
  const found = recorded[wire]?.[conversation]
  if (found === undefined)
    throw new Error(`run scripts/account-requests/record-keys.ts: it lacks ${wire}, ${conversation}`)
  return found
}

describe('a request with a key differs from that of pi only as listed', () => {
  const cases = keyWires.flatMap((wire) => conversations.map((conversation) => ({ wire, conversation })))
  it.each(cases)('$wire.name: $conversation.name', async ({ wire, conversation }) => {
    const own = await ownKeyRequest(wire, conversation)
    expect(requestRules[wire.api]?.(own.body)).toEqual([])
    const found = differencesOf(recordOf(wire.name, conversation.name), own).map((line) => `${wire.name}: ${line}`)
    const unlisted = found.filter((line) => {
      const listed = keyDifferences.filter(({ pattern }) => pattern.test(line))
      for (const { pattern } of listed) used.add(pattern)
      return listed.length === 0
    })
    expect(unlisted).toEqual([])
  })

  it('and every listed difference is there', () => {
    expect(keyDifferences.filter(({ pattern }) => !used.has(pattern))).toEqual([])
  })
})
