// Tests which model is used if none is set: one on this machine, or the last chosen one.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ending, textChunk } from '../providers/openai/openai-chunks.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'
import type { RawAnswer, RawSseServer } from '../support/raw-sse-server.ts'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'

let workspace: Workplace
beforeEach(() => {
  workspace = workplace()
})
afterEach(() => {
  workspace[Symbol.dispose]()
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
  workspace.configure('models.json', { providers: { ollama: { baseUrl: `${url}/v1` }, ...all } })
}

it.runIf(process.platform === 'linux')('a local server of this user is used, with a notice [S12a]', async () => {
  await using server = await ollama()
  configureOnly(server.url)
  const ended = await workspace.run(['-p', 'Hello'], { env: patient })
  expect(ended).toMatchObject({ code: 0, stdout: 'from here\n' })
  expect(ended.stderr).toBe(
    `rxpi: Using ollama/qwen3:8b at ${server.url}/v1, because it runs here; use --model or /model for another.\n`,
  )
  const unasked = await workspace.run(['-p', 'Hello']) // RXPI_LOCAL_MODELS_MS is 0 here
  expect([unasked.code, unasked.stdout]).toEqual([2, ''])
  expect(unasked.stderr).toMatch(/^rxpi: No model can answer\./)
})

it('a model of one command is not remembered, and one that is stored is used [MODEL-remembered]', async () => {
  await using server = await ollama()
  configureOnly(server.url)
  const stored = join(workspace.home, 'last-model.json')
  expect((await workspace.run(['-p', 'Hello', '--model', 'ollama/other', '--no-session'])).stdout).toBe('from here\n')
  expect(existsSync(stored)).toBe(false)
  expect((await workspace.run(['-p', 'Hello', '--model', 'ollama/other'])).stderr).toBe('')
  expect([readFileSync(stored, 'utf8'), statSync(stored).mode & 0o777]).toEqual(['{}\n', 0o600])
  expect(await workspace.run(['-p', 'Hello'])).toMatchObject({ code: 2, stdout: '' })
  expect((await workspace.run(['-p', 'Hello'], { env: { RXPI_MODEL: 'ollama/third' } })).stdout).toBe('from here\n')
  expect(readFileSync(stored, 'utf8')).toBe('{}\n')
  workspace.configure('settings.json', { model: 'ollama/other' }) // as `rxpi config set` does
  expect((await workspace.run(['-p', 'Hello'])).stdout).toBe('from here\n')
  expect(readFileSync(stored, 'utf8')).toBe('{"model":"ollama/other"}\n')
  workspace.configure('settings.json', {})
  const next = await workspace.run(['-p', 'Hello'])
  expect(next).toMatchObject({ code: 0, stdout: 'from here\n' })
  expect(next.stderr).toBe('rxpi: Using ollama/other, because it was chosen last; use --model or /model for another.\n')
})

it('without a usable model a run ends with 2, and leaves no session; a session can be read [MODEL-none, EXIT-2]', async () => {
  const missing = await workspace.run(['-p', 'Hello'])
  expect([missing.code, missing.stdout, workspace.logs()]).toEqual([2, '', []])
  expect(missing.stderr).toMatch(/^rxpi: No model can answer\. .*rxpi auth set.*--model demo\/guide\.\n$/)
  const named = await workspace.run(['-p', 'Hello'], { env: { RXPI_MODEL: 'openai/gpt-5.1' } })
  expect(named.code).toBe(2)
  expect(named.stderr).toContain('The model openai/gpt-5.1 of RXPI_MODEL cannot answer: There is no key for openai')
  expect(await workspace.run(['-p', 'Hello'], { env: { RXPI_DEMO: '1' } })).toMatchObject({ code: 0 })
  const opening = `{"id":"1","type":"new_session","cwd":${JSON.stringify(workspace.folder)}}`
  const { code, stdout } = await workspace.run(['rpc'], { stdin: opening })
  expect([code, JSON.parse(stdout.trimEnd().split('\n')[1] ?? '')]).toMatchObject([
    0,
    { id: '1', ok: true, result: { model: null, notices: [{ code: 'no_model' }] } },
  ])
})
