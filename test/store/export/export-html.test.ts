// Tests the HTML page of a session.
// Over 250 lines: one page, looked at from all sides.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { exportHtml } from '../../../lib/store/export/export-html.ts'
import type { PageRenderer } from '../../../lib/store/export/page-renderer.ts'
import { pageRenderer } from '../../../lib/store/export/page-renderer.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { activeCharacters } from '../../../lib/streams/values/display-text.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { arbitraryEvents, logOf } from './arbitrary-session.ts'
import { pageElements, pageFaults } from './html-page.ts'
import { binaryText } from '../../support/binary-text.ts'

let renderer: PageRenderer
beforeAll(async () => {
  renderer = await pageRenderer()
})

function page(events: readonly AgentEvent[], title?: string, cwd = '/somewhere'): string {
  const log = logOf(events, title)
  const placed = { header: { ...log.header, cwd }, records: () => log.records() }
  return [...exportHtml(placed, renderer)].join('')
}

/** A conversation of these messages. */
function talk(messages: readonly Message[]): AgentEvent[] {
  const ids = messages.map((_, index) => `entry${'abcdefghij'.charAt(index)}aa`)
  return messages.map((message, index) => ({
    type: 'message_end',
    entryId: ids[index] ?? '',
    parentId: ids[index - 1] ?? null,
    message,
  }))
}

const call = { type: 'toolCall' as const, id: 'call_1', name: 'bash', arguments: { command: 'ls -la' } }
const text = (value: string) => ({ type: 'text' as const, text: value })
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='

const hostile = [
  '<script>alert(1)</script>',
  '</script></style></title></textarea><script src="//evil.example/x.js"></script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "'><iframe srcdoc='<script>1</script>'>",
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt&colon;alert(1))',
  '[click](&#x6a;avascript:alert(1))',
  '[click](data:text/html;base64,PHNjcmlwdD4=)',
  '[click](vbscript:x) [f](file:///etc/passwd) [r](//evil.example) [p](/etc)',
  '<javascript:alert(1)> <https://ok.example/"onclick=x>',
  '[x](https://ok.example/"onmouseover="alert(1))',
  '[x](https://ok.example "title" onclick="x")',
  '![pixel](https://evil.example/pixel.gif) ![d](data:image/svg+xml,<svg onload=x>)',
  '[ref]: javascript:alert(1)\n\n[ref]',
  '```html" onclick="x\n<b onclick=x>\n```',
  '```js\nconst a = `${"</code></pre><script>1</script>"}`\n```',
  '    </code></pre><script>indented</script>',
  '| a | b |\n|:-|-:|\n| <style>*{background:url(//evil.example)}</style> | x |',
  '&lt;script&gt; &#60;script&#62; &amp;lt;b',
  '<style>@import "//evil.example"</style><link rel=stylesheet href=//evil.example><base href=//evil.example>',
  '<meta http-equiv=refresh content="0;url=//evil.example"><form action=//evil.example>',
  '<!-- --><![CDATA[ ]]><?php ?><!doctype x>',
  '<details open ontoggle=alert(1)><math><mtext></mtext></math>',
  '\u0000\u001b[31m\u001b]0;title\u0007 \u202e\u2028\u2029\u200b\ufeff\u{e0041} &#x202E; &#8203; \ud800',
]

describe('the HTML page of a session', () => {
  it('has a policy that allows its own style sheet and pictures in the page, and nothing else [S21a]', () => {
    const elements = pageElements(page([]))
    const styles = elements.filter(({ name }) => name === 'style')
    const hash = createHash('sha256')
      .update(styles[0]?.text ?? '')
      .digest('base64')
    const policy = elements.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy')
    expect(styles).toHaveLength(1)
    const referrer = elements.find(({ attributes }) => attributes['name'] === 'referrer')
    expect(referrer?.attributes['content']).toBe('no-referrer')
    expect(policy?.attributes['content']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
    )
  })

  it('shows the whole conversation, with collapsed thinking and tools', () => {
    const messages = [
      user('What is here?'),
      assistant([{ type: 'thinking', thinking: 'I list it.' }, text('I **list** it.'), call]),
      toolResult({ content: [text('a.txt\n')], details: { diff: '-old\n+new' } }),
    ]
    const elements = pageElements(page(talk(messages)))
    expect(elements.filter(({ name }) => name === 'summary').map((element) => element.text)).toEqual([
      'Thinking',
      'bash ls -la',
    ])
    expect(elements.filter(({ name }) => name === 'details').map((element) => element.text)).toMatchObject([
      expect.stringContaining('I list it.'),
      expect.stringMatching(/ls -la\n+a\.txt\n+-old\n\+new/),
    ])
    expect(elements.find(({ name }) => name === 'strong')?.text).toBe('list')
    expect(elements.filter(({ name }) => name === 'article')).toHaveLength(2)
    expect(elements.find(({ name }) => name === 'title')?.text).toBe('What is here?')
  })

  it('shows of a command what was typed, and folds what the model got', () => {
    const elements = pageElements(
      page(talk([{ ...user('Read it'), invocation: { kind: 'skill', name: 'skill:pdf', args: 'form.pdf' } }])),
    )
    expect(elements.find(({ name }) => name === 'title')?.text).toBe('/skill:pdf form.pdf')
    const printed = elements.filter(({ attributes }) => attributes['class'] === 'said')
    expect(printed.map((element) => element.text)).toEqual(['/skill:pdf form.pdf', 'Read it'])
    expect(elements.find(({ name }) => name === 'details')?.text).toContain('Read it')
  })

  it('highlights words of code', () => {
    const html = page(talk([assistant([text('```ts\nconst a = 1\n```')])]))
    expect(pageElements(html).find(({ attributes }) => attributes['class'] === 'hljs-keyword')?.text).toBe('const')
  })

  it('shows a failed call, a failed answer, a label, a summary and a change of the model', () => {
    const html = page([
      { type: 'model_change', to: 'p/m' },
      ...talk([assistant([call], { stopReason: 'error', errorMessage: 'no <key>' }), toolResult({ isError: true })]),
      { type: 'label', targetEntryId: 'entryaaa', label: 'here' },
      {
        type: 'compaction',
        entryId: 'compacta',
        parentId: 'entrybaa',
        firstKeptEntryId: null,
        summary: 'so *far*',
        tokensBefore: 9,
        tokensAfter: 2,
      },
    ])
    const elements = pageElements(html)
    expect(elements.find(({ attributes }) => attributes['class'] === 'call failed')).toBeDefined()
    expect(elements.find(({ attributes }) => attributes['class'] === 'end')?.text).toBe('Failed: no <key>')
    expect(elements.find(({ attributes }) => attributes['class'] === 'label')?.text).toBe('here')
    expect(elements.find(({ attributes }) => attributes['class'] === 'change')?.text).toBe('The model is now p/m')
    expect(elements.find(({ name }) => name === 'em')?.text).toBe('far')
  })

  it('assigns a result to the nearest call before it if ids repeat', () => {
    const html = page(
      talk([
        assistant([call]),
        toolResult({ content: [text('first')] }),
        assistant([call]),
        toolResult({ content: [text('second')] }),
      ]),
    )
    const calls = pageElements(html).filter(({ name }) => name === 'details')
    expect(calls.map((element) => element.text)).toEqual([
      expect.stringContaining('first'),
      expect.stringContaining('second'),
    ])
  })

  it('shows the branch of the head and counts the messages of others', () => {
    const html = page([
      ...talk([user('one'), user('two')]),
      { type: 'message_end', entryId: 'otheraaa', parentId: 'entryaaa', message: user('three') },
    ])
    expect(html).toContain('three')
    expect(html).not.toContain('two')
    expect(html).toContain('1 message on other branches is not')
  })

  it('shows pictures by their detected type, not by their declared one', () => {
    const picture = (data: string, mimeType: string) => ({ type: 'image' as const, data, mimeType })
    const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64')
    const html = page(
      talk([
        user([picture(png, 'image/svg+xml'), picture(svg, 'image/png'), picture(`${png}" onerror="x`, 'image/png')]),
      ]),
    )
    expect(
      pageElements(html)
        .filter(({ name }) => name === 'img')
        .map(({ attributes }) => attributes),
    ).toEqual([{ alt: '', src: `data:image/png;base64,${png}` }])
    expect(pageFaults(html)).toEqual([])
  })

  it('shows a command of the user as on the screen', () => {
    const ran = { role: 'bashExecution', command: 'ls <a>', output: 'b\n', exitCode: 0, timestamp: 1 }
    const html = page(talk([ran as unknown as Message]))
    expect(html).toContain('<summary>$ ls &lt;a&gt;</summary>\n<pre><code>$ ls &lt;a&gt;\nb</code></pre>')
  })

  it.each([...hostile.entries()])('keeps hostile text %i inert at every position [S21b]', (_index, evil) => {
    const messages: Message[] = [
      user(evil),
      user([text(evil), { type: 'image', mimeType: evil, data: evil }]),
      assistant(
        [
          text(evil),
          { type: 'thinking', thinking: evil },
          { ...call, name: evil, arguments: { [evil]: evil } },
          { ...call, id: 'b', argumentsText: evil },
        ],
        { provider: evil, model: evil, stopReason: 'error', errorMessage: evil },
      ),
      toolResult({ toolName: evil, content: [text(evil)], details: { diff: evil } }),
      toolResult({ toolName: evil, toolCallId: evil, isError: true }),
      { role: 'note', text: evil, timestamp: 1 } as unknown as Message,
      { role: 'bashExecution', command: evil, output: evil, exitCode: 1, timestamp: 1 } as unknown as Message,
    ]
    const html = page(
      [
        ...talk(messages),
        { type: 'label', targetEntryId: 'entryaaa', label: evil },
        { type: 'model_change', to: evil },
        {
          type: 'branch_summary',
          entryId: 'branchaa',
          parentId: 'entryfaa',
          fromEntryId: 'entryaaa',
          summary: evil,
          tokensBefore: 0,
          tokensAfter: 0,
        },
      ],
      evil,
      `/${evil}`,
    )
    expect(pageFaults(html)).toEqual([])
    expect(pageElements(html).filter(({ name }) => name === 'style')).toHaveLength(1)
    expect(html.match(activeCharacters)).toBeNull()
    expect(
      pageElements(html)
        .map((element) => Object.values(element.attributes).join() + element.text)
        .join()
        .match(activeCharacters),
    ).toBeNull()
  })

  it('links to http, https and mail, and sends them no referrer [S21b]', () => {
    const html = page(
      talk([assistant([text('[a](https://a.example/x?y=1#z) [m](mailto:a@b.example) <http://c.example>')])]),
    )
    const links = pageElements(html).filter(
      ({ name, attributes }) => name === 'a' && !attributes['href']?.startsWith('#'),
    )
    expect(links.map(({ attributes }) => attributes['href'])).toEqual([
      'https://a.example/x?y=1#z',
      'mailto:a@b.example',
      'http://c.example',
    ])
    for (const { attributes } of links) expect(attributes['rel']).toBe('noopener noreferrer nofollow')
  })

  it('is inert and shows no hidden character, for any session [S21b]', () => {
    const evil = fc
      .array(fc.oneof(fc.constantFrom(...hostile), binaryText()), { maxLength: 3 })
      .map((parts) => parts.join('\n\n'))
    fc.assert(
      fc.property(arbitraryEvents, evil, (events, more) => {
        const html = page([
          ...events,
          { type: 'message_end', entryId: 'lastaaaa', parentId: null, message: assistant([text(more)]) },
        ])
        expect(pageFaults(html)).toEqual([])
        expect(html.match(activeCharacters)).toBeNull()
      }),
      { numRuns: 150 },
    )
  })

  it('stops the highlighting of code after a time limit', async () => {
    const impatient = await pageRenderer({ highlightMs: -1 })
    expect([renderer.code('const a', 'js'), impatient.code('const a', 'js')]).toEqual([
      '<span class="hljs-keyword">const</span> a',
      'const a',
    ])
  })

  it.each([
    ['one long word', 'a'.repeat(200_000), 'ini'],
    ['a million brackets', '['.repeat(1_000_000), 'js'],
    ['many short words', 'a '.repeat(9_000), 'csharp'],
  ])('is generated in bounded time for %s', (_name, evil, language) => {
    const begun = performance.now()
    const messages = [assistant([text(evil), text(`\`\`\`${language}\n${evil}\n\`\`\``)])]
    expect(pageFaults(page(talk(messages)))).toEqual([])
    expect(performance.now() - begun).toBeLessThan(30_000)
  })
})
