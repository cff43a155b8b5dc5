// Compares the requests with tokens of accounts with those that pi sends for the same conversations.
// scripts/account-requests/record.ts writes pi's.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { differencesOf } from './requests/compare-requests.ts'
import { accountWires, conversations } from './requests/conversations.ts'
import type { RecordedRequest, RequestRecord } from './requests/conversations.ts'
import { listedDifferences } from './requests/listed-differences.ts'
import { ownRequest } from './requests/own-request.ts'

const file = path.join(import.meta.dirname, 'requests/pi-requests.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as RequestRecord
const used = new Set<RegExp>()

function recordOf(wire: string, conversation: string): RecordedRequest {
  const found = recorded[wire]?.[conversation]
  if (found === undefined) throw new Error(`run scripts/account-requests/record.ts: it lacks ${wire}, ${conversation}`)
  return found
}

describe('a request with the token of an account differs from that of pi only as listed', () => {
  const cases = accountWires.flatMap((wire) => conversations.map((conversation) => ({ wire, conversation })))
  it.each(cases)('$wire.name: $conversation.name', async ({ wire, conversation }) => {
    const own = await ownRequest(wire, conversation)
    const found = differencesOf(recordOf(wire.name, conversation.name), own).map((line) => `${wire.name}: ${line}`)
    const unlisted = found.filter((line) => {
      const listed = listedDifferences.filter(({ pattern }) => pattern.test(line))
      for (const { pattern } of listed) used.add(pattern)
      return listed.length === 0
    })
    expect(unlisted).toEqual([])
  })

  it('and every listed difference is there', () => {
    expect(listedDifferences.filter(({ pattern }) => !used.has(pattern))).toEqual([])
  })
})

describe('a request with the token of an account', () => {
  const sent = async (name: string, conversation: string): Promise<RecordedRequest> => {
    const wire = accountWires.find((each) => each.name === name)
    const found = conversations.find((each) => each.name === conversation)
    if (wire === undefined || found === undefined) throw new Error(`there is no ${name}, ${conversation}`)
    return ownRequest(wire, found)
  }

  it('has the token in one header only', async () => {
    for (const wire of accountWires) {
      const { headers, url, body } = await ownRequest(wire, conversations[0] ?? failedToFind())
      const holders = Object.entries(headers).filter(([, value]) => value.includes('[token]'))
      expect(holders, wire.name).toEqual([['authorization', 'Bearer [token]']])
      expect(url + JSON.stringify(body)).not.toContain('[token]')
    }
  })

  it('tells Copilot who began it, and of images', async () => {
    const headersOf = async (conversation: string) => {
      const { headers } = await sent('copilot responses', conversation)
      return [headers['x-initiator'], headers['copilot-vision-request']]
    }
    expect(await headersOf('first prompt')).toEqual(['user', undefined])
    expect(await headersOf('image')).toEqual(['user', 'true'])
    expect(await headersOf('tool result')).toEqual(['agent', undefined])
    expect(await headersOf('image in a result')).toEqual(['agent', 'true'])
  })
})

function failedToFind(): never {
  throw new Error('there are no conversations')
}
