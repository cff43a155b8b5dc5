// Tests which tarballs with models are read, and why others are refused.
import { describe, expect, it } from 'vitest'
import { resultOf } from '../../../support/result-of.ts'
import { readPublished } from '../../../../lib/services/models/update/read-published.ts'
import { filesOf, model, tarballOf } from './package-registry.ts'

const read = (tarball: Buffer) => resultOf(readPublished(tarball))
const readData = async (data: Record<string, unknown>) => read(await tarballOf(filesOf('1.0.0', data)))

describe('the models of a tarball', () => {
  it('are those with a chat and an API that rxpi uses for them', async () => {
    const copilot = { ...model, id: 'gpt-x', api: 'a-new-api', provider: 'github-copilot' }
    const groups = { a: { m: model, i: { id: 'i', type: 'image' } }, b: { n: { ...model, id: 'n', reasoning: true } } }
    const found = await readData({ groq: groups, 'github-copilot': { a: { 'gpt-x': copilot } }, other: { a: {} } })
    expect(found).toMatchObject({ models: 2, leftOut: ['github-copilot/gpt-x'] })
    expect(found.rows).toEqual({
      groq: [
        ['m', 'M', 10, 5, '', [1, 2]],
        ['n', 'M', 10, 5, 'r', [1, 2]],
      ],
    })
    expect(found.missing).toContain('github-copilot')
  })

  const named = (groups: unknown) => ({ groq: groups })
  it.each<readonly [string, Record<string, unknown>, RegExp]>([
    ['for code', named('export default {}'), /groq\.json is no JSON/],
    ['without models', {}, /no models in .*a newer rxpi may know its form/],
    ['with another form of groups', named({ a: [] }), /groq\.json: a is no JSON object/],
    ['with another form of a field', named({ a: { m: { ...model, cost: 'free' } } }), /groq\.json: m .*cost/],
    ['with a name that moves the cursor', named({ a: { m: { ...model, id: '\u001b[2J' } } }), /groq\.json: m .*id/],
    [
      'with a negative price',
      named({ a: { m: { ...model, cost: { ...model.cost, input: -1 } } } }),
      /groq\.json: m .*cost/,
    ],
  ])('are refused %s', async (_, data, message) => {
    const refusal = {
      code: 'bad_request',
      data: { reason: 'shape' },
      message: expect.stringMatching(message) as string,
    }
    await expect(readData(data)).rejects.toMatchObject(refusal)
  })

  it('are refused for content that is no tarball, and for one that ends early', async () => {
    const refusal = { data: { reason: 'shape' }, message: expect.stringContaining('cannot be unpacked') as string }
    await expect(read(Buffer.from('x'))).rejects.toMatchObject(refusal)
    const whole = await tarballOf(filesOf('1.0.0', named({ a: { m: model } })))
    await expect(read(whole.subarray(0, -20))).rejects.toMatchObject(refusal)
  })
})
