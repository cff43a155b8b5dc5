// Tests `redactSecrets`, which replaces credentials in the context of a request.
// The secrets are assembled from pieces, so that nothing in this file looks like one.
import { describe, expect, it } from 'vitest'
import { redactSecrets } from '../../../lib/operators/context/redact-secrets.ts'
import type { AssistantContent, Message } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { behavesAsTransform, call, contextOf, applyTransform } from './context-samples.ts'

const letters = (length: number): string => 'aB3'.repeat(length).slice(0, length)
const gitHub = 'gh' + 'p_' + letters(36)
const placed = '[redacted: GitHub token]'

function redactText(text: string, options?: Parameters<typeof redactSecrets>[0]): unknown {
  return applyTransform(redactSecrets(options), contextOf([user(text)])).messages[0]?.content
}

behavesAsTransform(
  () => redactSecrets(),
  contextOf([user(`It is ${gitHub}.`), assistant([{ type: 'text', text: 'Seen' }])]),
  contextOf([user(`It is ${placed}.`), assistant([{ type: 'text', text: 'Seen' }])]),
  contextOf([user('Nothing to hide.'), toolResult()]),
)

describe('redactSecrets', () => {
  it.each<[string, string, string]>([
    ['OpenAI or Anthropic key', 's' + 'k-ant-', letters(40)],
    ['GitHub token', 'github' + '_pat_', letters(40)],
    ['GitLab token', 'gl' + 'pat-', letters(20)],
    ['AWS key id', 'AK' + 'IA', 'ABCD'.repeat(4)],
    ['Google key', 'AI' + 'za', letters(35)],
    ['Slack token', 'xox' + 'b-', letters(30)],
    ['Stripe key', 'sk_' + 'live_', letters(24)],
    ['npm token', 'npm' + '_', letters(36)],
    ['Hugging Face token', 'hf' + '_', letters(34)],
    ['JSON web token', 'ey' + `J${letters(20)}.ey` + 'J', `${letters(40)}.${letters(40)}`],
  ])('recognises a %s by its form', (name, head, rest) => {
    const secret = head + rest
    expect(redactText(`before "${secret}", after`)).toBe(`before "[redacted: ${name}]", after`)
    expect(redactText(`a${secret}`), 'within a word it is none').toBe(`a${secret}`)
  })

  it('redacts a private key from its first line to its last, and a truncated one', () => {
    const begin = '-----BEGIN RSA ' + 'PRIVATE KEY-----'
    const end = '-----END RSA ' + 'PRIVATE KEY-----'
    expect(redactText(`a\n${begin}\n${letters(64)}\n${letters(64)}\n${end}\nb`)).toBe('a\n[redacted: private key]\nb')
    expect(redactText(`a\n${begin}\n${letters(64)}`)).toBe('a\n[redacted: private key]')
    const behind = '[cut off]\n' + 'more text.\n'.repeat(2_000)
    expect(redactText(`${begin}\n${letters(64)}\n${behind}`)).toBe(`[redacted: private key]${behind}`)
    expect(redactText(`${begin}\nDEK-Info: AES-128-CBC,0A1B\n\n${letters(64)}\n${behind}`)).toBe(
      `[redacted: private key]${behind}`,
    )
    expect(redactText(`${begin}\n${letters(9)}\n${begin}\n${letters(9)}\n${end}`)).toBe(
      '[redacted: private key]'.repeat(2),
    )
  })

  it.each([
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [redacted: authorization]'],
    ['"authorization": "Basic dXNlcjpwYXNz"', '"authorization": "Basic [redacted: authorization]"'],
    ['postgres://me:hunter22@db/x', 'postgres://me:[redacted: password in a URL]@db/x'],
    ['APP_API_KEY=abcdef123456ghi', 'APP_API_KEY=[redacted: value of a secret variable]'],
    ['export DB_PASSWORD="correcthorse9battery"', 'export DB_PASSWORD="[redacted: value of a secret variable]"'],
  ])('recognises a secret by its position: %s', (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  it.each([
    'const token = getToken(request)',
    'API_KEY=$OTHER_KEY',
    'API_KEY=${VAULT_1}',
    'password: string',
    'https://example.com/a:b@c',
    'https://me:${PASSWORD}@host',
    'git@github.com:owner/name.git',
    'sk-short',
    'task-force-one-hundred-and-twenty-three-four',
    'Authorization: Bearer <token>',
    'MAX_TOKENS=4096',
  ])('does not redact %s', (text) => {
    expect(redactText(text)).toBe(text)
  })

  it('redacts the system prompt, messages of every role and the arguments of calls', () => {
    const args = { command: `curl -H ${gitHub}`, deep: [{ a: gitHub, n: 1, nothing: null }] }
    const context = contextOf(
      [
        user([{ type: 'text', text: gitHub }]),
        assistant([{ type: 'thinking', thinking: gitHub }, { type: 'text', text: gitHub }, call('c', 'bash', args)]),
        toolResult({ content: [{ type: 'text', text: gitHub }] }),
      ],
      { system: `Use ${gitHub}` },
    )
    const made = applyTransform(redactSecrets(), context)
    const wanted: unknown = JSON.parse(JSON.stringify(context).replaceAll(gitHub, placed))
    expect(JSON.parse(JSON.stringify(made))).toEqual(wanted)
    expect(made.messages[1]).toMatchObject({
      content: [{}, {}, { arguments: { command: `curl -H ${placed}`, deep: [{ a: placed, n: 1, nothing: null }] } }],
    })
  })

  it('redacts the system prompt alone, and keeps messages without a secret as they are', () => {
    const messages = [
      assistant([{ type: 'thinking', thinking: 'a' }, call('c', 'bash', { a: ['b', { c: 1 }] }), call('d')]),
      { role: 'note', content: { text: 'of an embedder' } } as unknown as Message,
    ]
    const made = applyTransform(redactSecrets(), contextOf(messages, { system: `Use ${gitHub}` }))
    expect(made.system).toBe(`Use ${placed}`)
    expect(made.messages).toBe(messages)
  })

  it('redacts the text of arguments that are not JSON', () => {
    const broken = { ...call('c'), argumentsText: `{"a": "${gitHub}` }
    const [message] = applyTransform(redactSecrets(), contextOf([assistant([broken])])).messages
    expect(message).toMatchObject({ content: [{ argumentsText: `{"a": "${placed}` }] })
  })

  it('redacts blocks whose signature names a phase or a field', () => {
    const blocks = (text: string): AssistantContent[] => [
      { type: 'thinking', thinking: text, thinkingSignature: 'reasoning_content' },
      { type: 'text', text, textSignature: 'final_answer' },
    ]
    const [message] = applyTransform(redactSecrets(), contextOf([assistant(blocks(gitHub))])).messages
    expect(message).toMatchObject({ content: blocks(placed) })
  })

  it('redacts the unsigned details of an answer', () => {
    const block = (text: string): AssistantContent => ({
      type: 'thinking',
      thinking: '',
      thinkingSignature: JSON.stringify([
        { type: 'reasoning.summary', summary: text },
        { type: 'reasoning.text', text: gitHub, signature: 'signed' },
        { type: 'reasoning.encrypted', data: gitHub },
      ]),
    })
    const [message] = applyTransform(redactSecrets(), contextOf([assistant([block(gitHub)])])).messages
    expect(message).toMatchObject({ content: [block(placed)] })
    const clean = contextOf([assistant([block('Nothing.')])])
    expect(applyTransform(redactSecrets(), clean)).toBe(clean)
  })

  it('leaves signed blocks and images unchanged', () => {
    const signature = `${letters(60)}==`
    const message = assistant([
      { type: 'thinking', thinking: gitHub, thinkingSignature: signature },
      { type: 'text', text: gitHub, textSignature: signature },
      { ...call('c', 'bash', { a: gitHub }), thoughtSignature: signature },
    ])
    const shown = user([{ type: 'image', mimeType: 'image/png', data: gitHub }])
    const context = contextOf([message, shown])
    expect(applyTransform(redactSecrets(), context)).toBe(context)
  })

  it('redacts known values, the longest first, and reads them anew for each request', () => {
    let values = ['opensesame', 'opensesame!!', 'sesame', 'short']
    const made = { transform: redactSecrets({ values: () => values }) }
    const context = contextOf([user('opensesame!! opensesame sesame short')])
    const text = (): unknown => applyTransform(made.transform, context).messages[0]?.content
    expect(text()).toBe('[redacted: secret] [redacted: secret] [redacted: secret] short')
    values = []
    expect(text()).toBe('opensesame!! opensesame sesame short')
  })

  it('accepts custom patterns instead of the built-in ones or beside them', () => {
    const patterns = [{ name: 'ticket', pattern: /T-\d+/g }]
    expect(redactText(`T-17 ${gitHub}`, { patterns })).toBe(`[redacted: ticket] ${placed}`)
    expect(redactText(`T-17 ${gitHub}`, { patterns, builtIn: false })).toBe(`[redacted: ticket] ${gitHub}`)
    expect(() => redactSecrets({ patterns: [{ name: 'ticket', pattern: /T/ }] })).toThrow(/"ticket" lacks the flag g/)
  })

  it('returns the same object for the same message', () => {
    const made = { transform: redactSecrets() }
    const messages: Message[] = [user(gitHub)]
    const first = applyTransform(made.transform, contextOf(messages)).messages
    const second = applyTransform(made.transform, contextOf([...messages, user('more')])).messages
    expect(second[0]).toBe(first[0])
  })

  it('runs in linear time', () => {
    // with these texts a backtracking pattern takes minutes, and one that looks ahead at each position takes seconds
    const long = 400_000
    const hostile = [
      '-----BEGIN PRIVATE KEY-----',
      'eyJ'.repeat(50),
      'a://b:',
      'A_KEY=',
      'authorization: bearer ',
      's' + 'k-',
    ]
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(long / piece.length))
      const before = cpuMs()
      redactText(text)
      expect(cpuMs() - before, piece.slice(0, 30)).toBeLessThan(700)
    }
  })
})
