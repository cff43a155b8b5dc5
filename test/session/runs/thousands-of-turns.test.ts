// Tests that a session of thousands of turns stays within its window, and that no turn costs more.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { contextCharacters } from '../../../lib/streams/ports/token-estimate.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { aUser, anAnswer } from '../../providers/adapter/messages.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { playSession } from '../../support/virtual-session.ts'
import { compactingSession } from './compacting-session.ts'

const window = 32_000
const turns = sampleSize(1_000, 2_000)
const turnsOfPrompt = 50
/** The provider's tokens for a character. */
const rate = 0.22
/** Characters of a result: 200 to 8,000, always the same ones. */
const resultLength = (turn: number): number => 200 + ((turn * 7_919) % 7_800)

function tokensOf({ system, tools, messages }: Pick<ProviderRequest, 'system' | 'tools' | 'messages'>): number {
  return Math.ceil(contextCharacters({ system, tools, messages }) * rate)
}

describe(`a session of ${turns} turns`, () => {
  it('never sends more than the window, and compacts whenever it fills up', () => {
    const sent: number[] = []
    let answers = 0
    const usageOf = (request: ProviderRequest) => {
      const input = tokensOf(request)
      sent.push(input)
      return { ...noUsage, input, output: 20, totalTokens: input + 20 }
    }
    const prompts = Array.from({ length: turns / turnsOfPrompt }, (_, index) => (index + 1) * 1_000)
    const played = playSession({
      model: { ...scriptedModel, contextWindow: window },
      script: (request) => {
        const usage = usageOf(request)
        if (request.tools.length === 0) return { text: `## Goal\nStep ${answers}`, usage }
        answers += 1
        if (answers % turnsOfPrompt === 0) return { text: 'Done with this.', usage }
        return { text: 'Next.', toolCalls: [{ name: 'look', arguments: { path: `/file-${answers}` } }], usage }
      },
      tools: [fakeTool('look', () => 'r'.repeat(resultLength(answers)))],
      options: { compaction: { enabled: true }, limits: { wallClockMs: 0 } },
      at: Object.fromEntries(
        prompts.map((at) => [at, ({ send }) => void send({ type: 'prompt', text: `Prompt at ${at}` })]),
      ),
    })
    const count = (type: string): number => played.events.filter((event) => event.type === type).length
    expect(answers).toBe(turns)
    expect(count('turn_end')).toBe(turns)
    expect(Math.max(...sent)).toBeLessThanOrEqual(window)
    expect(count('warning')).toBe(0)
    const results = Array.from({ length: turns }, (_, turn) => resultLength(turn)).reduce((sum, next) => sum + next, 0)
    const windows = (results * rate) / window // what was read, in windows
    expect(count('compaction')).toBeGreaterThan(windows / 4)
    expect(count('compaction')).toBeLessThan(windows * 3)
    const [last] = [...played.session.state$.value.summaries.values()].slice(-1)
    expect(last?.event.summary).toMatch(/^## Goal\nStep \d{3,4}/)
  }, 120_000)
})

/** A message that counts how often its content is looked at. */
function watched(message: Message, visits: { contents: number }): Message {
  const { content, ...rest } = message
  return Object.defineProperty(rest, 'content', {
    enumerable: true,
    get: () => {
      visits.contents += 1
      return content
    },
  }) as Message
}

describe('the cost of a turn', { timeout: 60_000 }, () => {
  /** What each turn looks at: entries of the tree, and contents of messages. */
  function costs(reportsUsage: boolean) {
    const visits = { contents: 0 }
    const session = compactingSession({ window, summariser: () => of('A summary.') })
    const each: number[] = []
    let compactions = 0
    let isInUse = 0
    session.append(watched(aUser('Go'), visits))
    for (let turn = 0; turn < turns; turn++) {
      const before = visits.contents + session.visits.entries
      const done = session.compactFirst().filter(({ type }) => type === 'compaction').length
      compactions += done
      if (done > 0) isInUse = 0
      each.push(visits.contents + session.visits.entries - before)
      isInUse += resultLength(turn) * rate
      const call = { type: 'toolCall', id: `c${turn}`, name: 'read', arguments: { path: `/${turn}` } } as const
      const usage = reportsUsage ? { ...noUsage, input: Math.ceil(isInUse) + 1_000, output: 20 } : noUsage
      session.append(watched(anAnswer(call, { usage }), visits))
      const text = 'r'.repeat(resultLength(turn))
      const result = {
        role: 'toolResult',
        toolCallId: call.id,
        toolName: 'read',
        isError: false,
        timestamp: 1,
      } as const
      session.append(watched({ ...result, content: [{ type: 'text', text }] }, visits))
    }
    return { each, compactions }
  }
  const sum = (counts: readonly number[]): number => counts.reduce((total, next) => total + next, 0)

  it.each([
    ['with the usage of each answer', true],
    ['of a provider that reports no usage', false],
  ])('is that of its context, whatever lies before it: %s', (_, reportsUsage) => {
    const { each, compactions } = costs(reportsUsage)
    expect(compactions).toBeGreaterThan(20)
    const early = each.slice(200, 600)
    const late = each.slice(-400)
    expect(sum(late)).toBeLessThan(sum(early) * 1.2)
    expect(Math.max(...late)).toBeLessThan(Math.max(...early) * 1.2)
  })

  it('is that of what the turn adds, as long as the window is not nearly full', () => {
    const { each } = costs(true)
    const sorted = each.toSorted((one, other) => one - other)
    expect(sorted[turns / 2]).toBeLessThan(10) // a call and its result
  })
})
