// Tests the command line of `rxpi acp`.
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'

describe('rxpi acp', () => {
  it('takes the options of its sessions', () => {
    expect(parseCommandLine(['acp'])).toEqual({ mode: 'acp', options: {} })
    const words = ['acp', '--model', 'openai/gpt-5', '--thinking', 'low', '--approve', 'ask', '--sandbox', 'off', '--tools', 'read,ls', '--socket', '/run/x'] // prettier-ignore
    expect(parseCommandLine([...words, '-e', '/ext.ts'])).toEqual({
      ...{ mode: 'acp', socket: '/run/x' },
      options: { model: 'openai/gpt-5', thinkingLevel: 'low', approve: 'ask', sandbox: 'off', tools: ['read', 'ls'], extensions: ['/ext.ts'] }, // prettier-ignore
    })
  })

  it('signs in, after the options of an editor', () => {
    expect(parseCommandLine(['acp', '--approve', 'ask', 'login', 'anthropic'])).toEqual({
      ...{ mode: 'auth', action: 'login', json: false, provider: 'anthropic' },
    })
  })

  it.each([
    [['acp', 'now'], /unexpected argument "now"/],
    [['acp', 'login'], /takes one provider/],
    [['acp', 'login', 'a', 'b'], /takes one provider/],
    [['acp', '--json'], /"rxpi acp" has no option --json/],
    [['acp', '--approve', 'never'], /--approve must be/],
    [['acp', '--model', ''], /--model must not be empty/],
  ])('%j is refused', (words, message) => {
    expect(() => parseCommandLine(words)).toThrow(message)
  })
})
