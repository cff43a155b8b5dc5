// Tests `rxpi -p` with a server that sends more, less or something else than its API.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { callChunk, done, finishChunk, frame, textChunk } from '../providers/openai/openai-chunks.ts'
import { workplace } from '../support/command.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'

const ping = 'event: ping\ndata: {}\n\n'
const key = 'sk-planted-secret'

describe('a server with pings, an impossible usage and a call behind the end', () => {
  it('gets an answer and two warnings, and the call does not run [S28a, S28c, ANSWER-budget]', async () => {
    const usage = frame({ choices: [], usage: { prompt_tokens: 3, completion_tokens: -1e6 } })
    const late = callChunk(0, '{"command":"touch late"}', { id: 'c', name: 'bash' })
    await using server = await rawSseServer({
      body: [ping, textChunk('Fine.'), ping, finishChunk('stop'), usage, done, late],
    })
    using workspace = workplace()
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: key }
    const ended = await workspace.run(['--model', 'openai/gpt-test', '--max-usd', '1', '-p', 'x'], { env })
    expect(ended).toMatchObject({ code: 0, stdout: 'Fine.\n' })
    expect(ended.stderr).toContain('openai sent 2 frames that are not of its API ("event: ping")')
    expect(ended.stderr).toContain('openai reported an impossible usage (completion_tokens -1000000)')
    expect(ended.stderr).toContain('the limit of 1 USD cannot be applied')
    expect(existsSync(`${workspace.folder}/late`)).toBe(false)
    expect(server.requests).toHaveLength(1)
  })
})
