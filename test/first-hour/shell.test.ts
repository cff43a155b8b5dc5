// Tests the first hour at the shell, chapter by chapter.
// `npx vitest run test/first-hour -u` rewrites the pages.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { isFull, sampleSize } from '../support/sample-size.ts'
import { walk } from './walk.ts'

const hasJq = ((): boolean => {
  try {
    execFileSync('which', ['jq'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** One model for each wire. */
const models = {
  '/v1/messages': 'anthropic/claude-sonnet-5-5',
  '/v1/chat/completions': 'openai/gpt-6-luna',
  '/v1/responses': 'xai/grok-4.7',
  ':streamGenerateContent': 'google/gemini-3.5-flash',
} as const

describe('the first hour at the shell', { timeout: 120_000 }, () => {
  it('asks a first question without a key', async () => {
    await using hour = await walk()
    await hour.type('rxpi -p "What is in this folder?"')
    await hour.type('rxpi --model demo/guide -p "What is in this folder?"')
    await hour.type('rxpi "What is in this folder?"')
    await hour.type('rxpi doctor | grep keys')
    await hour.type('rxpi -p hello --model groq/openai/gpt-oss-120b')
    await expect(hour.transcript()).toMatchFileSnapshot('seen/first-question.txt')
  })

  it('stores a key', async () => {
    await using hour = await walk()
    await hour.type('echo wrong-key | rxpi auth set anthropic')
    await hour.type('rxpi auth verify anthropic')
    await hour.type('rxpi -p hello')
    await hour.type('pass show anthropic | rxpi auth set anthropic')
    await hour.type('rxpi auth verify anthropic')
    await hour.type('rxpi auth list')
    await hour.type('rxpi -p hello')
    await expect(hour.transcript()).toMatchFileSnapshot('seen/a-key.txt')
  })

  it.each(Object.entries(models).slice(0, sampleSize(1, 4)))(
    'changes a repository and undoes the change, over %s',
    async (path, model) => {
      await using hour = await walk()
      const [provider = ''] = model.split('/')
      await hour.type(`pass show ${provider} | rxpi auth set ${provider} >keys.log; rm keys.log`)
      await hour.type('node sum.test.js 2>&1 | grep Error')
      await hour.type(`rxpi --model ${model} -p "Fix the failing test"`)
      await hour.type('node sum.test.js')
      await hour.type('git diff')
      await hour.type('rxpi sessions undo')
      await hour.type('git status --short')
      const posts = hour.server.requests.filter(({ method }) => method === 'POST')
      expect(posts).toHaveLength(4)
      for (const request of posts) expect(request.path).toContain(path)
      await expect(hour.transcript()).toMatchFileSnapshot(`seen/a-change-by-${provider}.txt`)
    },
  )

  it.runIf(isFull && hasJq)('is used in scripts (needs jq)', async () => {
    await using hour = await walk()
    await hour.type('pass show openai | rxpi auth set openai >/dev/null')
    hour.place.configure('settings.json', { model: 'openai/gpt-6-luna' })
    await hour.type('rxpi --mode json -p "Fix the failing test" >run.jsonl')
    await hour.type(`jq -r 'select(.event.type == "tool_execution_start") | .event.toolName' run.jsonl`)
    await hour.type(`jq -c 'select(.event.type == "agent_end") | .event | {totalTurns, terminationReason}' run.jsonl`)
    hour.place.write(
      'port.json',
      '{"type": "object", "properties": {"port": {"type": "integer"}}, "required": ["port"]}\n',
    )
    await hour.type('rxpi -p "Which port?" --output-schema port.json | jq .port')
    await hour.type('rxpi -p "Which name?" --output-schema port.json')
    await hour.type('rxpi -p "Fix the failing test" --max-turns 1')
    await hour.type('rxpi -p "Fix it" --model openai/gpt-6-luna --thinking lots')
    await hour.type('git diff | rxpi -p "You are told"')
    await expect(hour.transcript()).toMatchFileSnapshot('seen/scripts.txt')
  })

  it('goes on the next day', async () => {
    await using hour = await walk()
    await hour.type('pass show openai | rxpi auth set openai >/dev/null')
    await hour.type('rxpi -p "Fix the failing test"')
    await hour.type('rxpi -c -p "Thank you"')
    await hour.type('rxpi sessions list')
    await hour.type('rxpi sessions tree')
    await expect(hour.transcript()).toMatchFileSnapshot('seen/next-day.txt')
  })
})
