// Tests the prompts and resources that servers return.
import { describe, expect, it } from 'vitest'
import { promptContent, promptMessages, resourceContent } from '../../../lib/mcp/content/read-content.ts'

const text = (value: string) => ({ type: 'text', text: value })

describe('promptMessages', () => {
  it('have roles and content', () => {
    const messages = [
      { role: 'user', content: text('Review.') },
      { role: 'assistant', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } },
      { role: 'system', content: [text('a'), text('b')] },
    ]
    expect(promptMessages('git', { description: 'A review.', messages })).toEqual({
      description: 'A review.',
      messages: [
        { role: 'user', content: [text('Review.')] },
        { role: 'assistant', content: [text('[Audio (audio/wav, 3 bytes) is left out: models take none here.]')] },
        { role: 'user', content: [text('a'), text('b')] },
      ],
    })
  })

  it.each([{}, { messages: [] }, { messages: 'x' }, { messages: [null] }])('fail without messages: %j', (result) => {
    expect(() => promptMessages('git', result)).toThrow('The MCP server "git" returned a prompt without messages.')
  })

  it('have 256 KiB of text in all', () => {
    const messages = Array.from({ length: 3 }, () => ({ role: 'user', content: text('x'.repeat(200_000)) }))
    const [, second, third] = promptMessages('git', { messages }).messages
    expect(second?.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^x{62144}\n\[Cut: this text has 195 KB\.\]$/) as string },
    ])
    expect(third?.content).toEqual([text('\n[Cut: this text has 195 KB.]')])
  })
})

describe('promptContent', () => {
  it('is the content of one message, in which other roles are marked', () => {
    const user = { role: 'user' as const, content: [{ type: 'text' as const, text: 'a' }] }
    expect(promptContent({ messages: [user, user] })).toEqual([text('a'), text('a')])
    expect(promptContent({ messages: [user, { ...user, role: 'assistant' }] })).toEqual([
      text('user:'),
      text('a'),
      text('assistant:'),
      text('a'),
    ])
  })
})

describe('resourceContent', () => {
  it('has the texts of all contents', () => {
    const contents = [
      { uri: 'file:///a', mimeType: 'text/plain', text: 'one\u001b[2J' },
      { uri: 'file:///b', blob: 'AAAA' },
    ]
    expect(resourceContent('files', 'file:///a', { contents })).toEqual({
      uri: 'file:///a',
      mimeType: 'text/plain',
      content: [
        text('[Resource file:///a]\none'),
        text('[The resource file:///b (3 bytes) is left out: it is not text and not an image.]'),
      ],
    })
  })

  it('fails without content', () => {
    expect(() => resourceContent('files', 'file:///a', { contents: [] })).toThrow(
      'The MCP server "files" returned nothing for the resource file:///a.',
    )
  })

  it('has 256 KiB of text at most', () => {
    const { content } = resourceContent('files', 'x:a', { contents: [{ uri: 'x:a', text: 'y'.repeat(10_000_000) }] })
    expect(Buffer.byteLength(JSON.stringify(content))).toBeLessThan(263_000)
  })
})
