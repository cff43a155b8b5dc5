// Tests how the content of a prompt becomes a text and images.
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { parseFork, parseSteer } from '../../../../app/acp/prompt/parse-params.ts'
import { readBlocks } from '../../../../app/acp/prompt/read-blocks.ts'

const png = 'iVBORw0KGgo='
const text = (words: string): ContentBlock => ({ type: 'text', text: words })

describe('the blocks of a prompt', () => {
  it('keep the place of links, and end with what is embedded [ACP-content]', () => {
    const { text: read, images } = readBlocks([
      text('Compare '),
      { type: 'resource_link', name: 'a b.ts', uri: 'file:///project/a%20b.ts' },
      text(' with '),
      { type: 'resource', resource: { uri: 'file:///project/c.md', text: 'see ```js\nx\n```' } },
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'https://x.example/y.png', blob: png, mimeType: 'image/png' } },
    ])
    expect(read).toBe(
      'Compare [a b.ts](/project/a b.ts) with [c.md](/project/c.md)[y.png](https://x.example/y.png)\n\n' +
        'Content of /project/c.md:\n````\nsee ```js\nx\n```\n````',
    )
    expect(images).toEqual([
      { type: 'image', mimeType: 'image/png', data: png },
      { type: 'image', mimeType: 'image/png', data: png },
    ])
  })

  it('may be a command', () => {
    expect(readBlocks([text('/review HEAD')]).text).toBe('/review HEAD')
  })

  it.each<[string, ContentBlock[], string, RegExp]>([
    ['nothing', [], 'bad_request', /empty/],
    ['spaces', [text(' \n')], 'bad_request', /empty/],
    [
      'sound',
      [text('a'), { type: 'audio', data: 'AA==', mimeType: 'audio/wav' }],
      'bad_request',
      /^prompt\[1\].*no audio/,
    ],
    ['a vector image', [{ type: 'image', data: png, mimeType: 'image/svg+xml' }], 'bad_request', /image\/svg\+xml/],
    ['an image that is no base64', [{ type: 'image', data: '<x>', mimeType: 'image/png' }], 'bad_request', /base64/],
    [
      'an embedded program',
      [{ type: 'resource', resource: { uri: 'file:///a', blob: 'AA==' } }],
      'bad_request',
      /binary data/,
    ],
    [
      '101 images',
      Array.from({ length: 101 }, () => ({ type: 'image' as const, data: png, mimeType: 'image/png' })),
      'bad_request',
      /at most 100 images/,
    ],
    ['a very long text', [text('x'.repeat(4_194_305))], 'message_too_large', /4194304/],
  ])('%s is refused by name [ACP-content]', (_, blocks, code, message) => {
    expect(() => readBlocks(blocks)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error) // prettier-ignore
  })
})

describe('parameters of other methods', () => {
  it('are checked', () => {
    expect(parseFork({ sessionId: 'a', cwd: '/b', more: 1 })).toEqual({ sessionId: 'a', cwd: '/b' })
    const prompt = [
      { type: 'text', text: 'a' },
      { type: 'resource', resource: { uri: 'x:y', blob: 'AA==' } },
    ]
    expect(parseSteer({ sessionId: 'a', prompt })).toEqual({ sessionId: 'a', prompt })
  })

  it.each([
    [undefined, 'prompt has to be a list of content blocks'],
    [{ prompt: [] }, 'sessionId has to be a text'],
    [{ sessionId: 'a', prompt: [5] }, 'prompt[0].type has to be a text'],
    [{ sessionId: 'a', prompt: [{ type: 'film' }] }, 'prompt[0].type is not a type of content: "film"'],
    [{ sessionId: 'a', prompt: [{ type: 'image', data: 'x' }] }, 'prompt[0].mimeType has to be a text'],
    [{ sessionId: 'a', prompt: [{ type: 'resource' }] }, 'prompt[0].resource.uri has to be a text'],
    [
      { sessionId: 'a', prompt: [{ type: 'resource', resource: { uri: 'x' } }] },
      'prompt[0].resource.text has to be a text',
    ],
  ])('%j is refused', (params, message) => {
    expect(() => parseSteer(params)).toThrow(expect.objectContaining({ code: -32_602, message }) as Error)
  })
})
