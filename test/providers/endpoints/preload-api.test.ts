// Tests `preloadApi`, which loads the SDK of an API before the first request.
import { lastValueFrom } from 'rxjs'
import { expect, it, vi } from 'vitest'
import { preloadApi } from '../../../lib/providers/endpoints/apis.ts'

const loaded: string[] = []
vi.mock('openai', () => {
  loaded.push('openai')
  return { OpenAI: {} }
})
vi.mock('@anthropic-ai/sdk', () => {
  throw new Error('It is not installed')
})

it.each([
  ['the SDK of an API', 'openai-completions', ['openai']],
  ['nothing for an unknown API', 'constructor', []],
  ['silently, as the request reports an SDK that cannot be loaded', 'anthropic-messages', []],
])('loads %s', async (_, api, expected) => {
  loaded.length = 0
  expect(await lastValueFrom(preloadApi(api), { defaultValue: 'nothing' })).toBe('nothing')
  expect(loaded).toEqual(expected)
})
