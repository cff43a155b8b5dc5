// Tests which model is used if none is set: one on this machine, or the last chosen one.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ending, textChunk } from '../providers/openai/openai-chunks.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'
import type { RawAnswer, RawSseServer } from '../support/raw-sse-server.ts'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'

let place: Workplace
beforeEach(() => {
  place = workplace()
})
afterEach(() => {
  place[Symbol.dispose]()
})

const patient = { RXPI_LOCAL_MODELS_MS: '20000' }
const pages: Readonly<Record<string, object>> = {
  '/api/tags': { models: [{ name: 'qwen3:8b' }] },
  '/api/ps': { models: [{ name: 'qwen3:8b', context_length: 32_768 }] },
  '/api/show': { capabilities: ['completion', 'tools'], model_info: {} },
}

function ollama(): Promise<RawSseServer> {
  return rawSseServer(({ path }): RawAnswer => {
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    return { body: page === undefined ? [textChunk('from here'), ending()] : [JSON.stringify(page)] }
  })
}

/** Points all other providers to another host, so that rxpi does not probe them. */
function configureOnly(url: string): void {
  const elsewhere = { baseUrl: 'http://gpu-box.invalid/v1' }
  const all = { lmstudio: elsewhere, vllm: elsewhere, llamacpp: elsewhere }
  place.configure('models.json', { providers: { ollama: { baseUrl: `${url}/v1` }, ...all } })
}

it.runIf(process.platform === 'linux')('a local server of this user is used, with a notice [S12a]', async () => {
  await using server = await ollama()
  configureOnly(server.url)
  const ended = await place.run(['-p', 'Hello'], { env: patient })
  expect(ended).toMatchObject({ code: 0, stdout: 'from here\n' })
  expect(ended.stderr).toBe(
    `rxpi: Using ollama/qwen3:8b at ${server.url}/v1, because no key is set and it runs here; use --model or /model for another.\n`,
  )
  expect((await place.run(['-p', 'Hello'])).stderr, 'and not where the setting says so').toContain('demo')
})

it('the last chosen model is used the next time, and stored for this user only', async () => {
  await using server = await ollama()
  configureOnly(server.url)
  const file = join(place.home, 'last-model.json')
  expect((await place.run(['-p', 'Hello', '--model', 'ollama/other', '--no-session'])).stdout).toBe('from here\n')
  expect(existsSync(file)).toBe(false)
  expect((await place.run(['-p', 'Hello', '--model', 'ollama/other'])).stderr).toBe('')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['{"model":"ollama/other"}\n', 0o600])
  const next = await place.run(['-p', 'Hello'])
  expect(next).toMatchObject({ code: 0, stdout: 'from here\n' })
  expect(next.stderr).toBe('rxpi: Using ollama/other, which was chosen last; use --model or /model for another.\n')
})
