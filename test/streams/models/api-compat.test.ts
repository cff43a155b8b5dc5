// Tests the schema of the compat fields in models.json.
import { describe, expect, it } from 'vitest'
import { WrittenModelsFile } from '../../../lib/streams/generated/file-validators.js'
import { createCheck } from '../../../lib/streams/schema/compiled-validator.ts'

const checkModelsFile = createCheck(WrittenModelsFile)

const withCompat = (compat: unknown): ReturnType<typeof checkModelsFile> =>
  checkModelsFile({ providers: { mine: { compat, models: [{ id: 'm', compat }] } } })

describe('compat in models.json', () => {
  it.each([
    [{}],
    [{ 'openai-completions': { thinkingForm: 'template', effort: { off: 'none', xhigh: 'max' }, callIdLength: 9 } }],
    [
      {
        'openai-responses': { summary: false },
        'anthropic-messages': { thinking: 'adaptive', effort: { high: 'max' } },
      },
    ],
    [{ 'google-vertex': { budgets: { off: 0, high: 1024 }, levels: { low: 'low' } } }],
  ])('takes %j', (compat) => {
    expect(withCompat(compat)).toMatchObject({ ok: true })
  })

  it.each([
    [{ 'openai-completion': {} }, 'openai-completion'],
    [{ 'openai-completions': { maxTokenField: 'max_tokens' } }, 'maxTokenField'],
    [{ 'openai-completions': { maxTokensField: 'tokens' } }, '/maxTokensField'],
    [{ 'openai-completions': { effort: { highest: 'max' } } }, 'highest'],
    [{ 'openai-completions': { effort: { high: 3 } } }, '/effort/high'],
    [{ 'openai-completions': { callIdLength: 3 } }, '/callIdLength'],
    [{ 'anthropic-messages': { budgets: { high: 2048 } } }, '/budgets'],
    [{ 'anthropic-messages': { effort: { high: 'highest' } } }, '/effort/high'],
    [{ 'google-generative-ai': { callIds: 'yes' } }, '/callIds'],
    [[], '/compat'],
  ])('refuses %j and names the field', (compat, path) => {
    const checked = withCompat(compat)
    expect(checked).toMatchObject({ ok: false, problem: expect.stringContaining(path) as string })
  })
})
