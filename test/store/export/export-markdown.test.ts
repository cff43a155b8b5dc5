// Tests the Markdown page of a session.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportMarkdown } from '../../../lib/store/export/export-markdown.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { activeCharacters } from '../../../lib/streams/values/display-text.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { arbitraryEvents, logOf } from './arbitrary-session.ts'

const page = (events: readonly AgentEvent[], title?: string): string =>
  [...exportMarkdown(logOf(events, title))].join('')

describe('the Markdown page of a session', () => {
  it('contains the conversation with its tools', () => {
    const call = { type: 'toolCall' as const, id: 'call_1', name: 'bash', arguments: { command: 'ls' } }
    const events: AgentEvent[] = [
      { type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message: user('What is here?') },
      {
        type: 'message_end',
        entryId: 'bbbbbbbb',
        parentId: 'aaaaaaaa',
        message: assistant([{ type: 'thinking', thinking: 'I list\nit.' }, { type: 'text', text: 'So:' }, call]),
      },
      {
        type: 'message_end',
        entryId: 'cccccccc',
        parentId: 'bbbbbbbb',
        message: toolResult({ toolName: 'bash', content: [{ type: 'text', text: 'a.txt' }] }),
      },
      { type: 'label', targetEntryId: 'aaaaaaaa', label: 'start' },
    ]
    expect(page(events, 'My work')).toBe(`# My work

- session abcdefghij23, begun 2023-11-14 22:13:20 UTC
- in \`/tmp\`

## User · 2023-11-14 22:13:20 UTC · label: start

What is here?

## Assistant · provider/model · 2023-11-14 22:13:20 UTC

> **Thinking**
> 
> I list
> it.

So:

### Tool: bash

\`\`\`json
{
  "command": "ls"
}
\`\`\`

Result of bash:

\`\`\`
a.txt
\`\`\`
`)
  })

  it('chooses fences longer than those of the content', () => {
    const message = toolResult({ content: [{ type: 'text', text: 'a\n`````\nb' }] })
    expect(page([{ type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message }])).toContain(
      '\n``````\na\n`````\nb\n``````\n',
    )
  })

  it('shows a command of the user as on the screen', () => {
    const message = { role: 'bashExecution', command: 'ls', output: 'b\n', exitCode: 1, timestamp: 1 } as never
    expect(page([{ type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message }])).toContain(
      '\n```\n$ ls\nb\n[exit code 1]\n```\n',
    )
  })

  it('shows of a command what was typed, then what the model got', () => {
    const message = { ...user('Read it'), invocation: { kind: 'skill', name: 'skill:pdf', args: 'form.pdf' } }
    const text = page([{ type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message }])
    expect(text).toContain('# /skill:pdf form.pdf\n')
    expect(text).toContain('\n/skill:pdf form.pdf\n\nThe model got:\n\n```\nRead it\n```\n')
  })

  it('names what is pinned, and what the model receives instead', () => {
    const shortened = toolResult({ content: [{ type: 'text', text: 'short' }] })
    const text = page([
      { type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message: user('One') },
      { type: 'message_end', entryId: 'bbbbbbbb', parentId: 'aaaaaaaa', message: user('Two') },
      { type: 'message_end', entryId: 'cccccccc', parentId: 'bbbbbbbb', message: user('Three') },
      { type: 'context_pin', targetEntryId: 'aaaaaaaa', pinned: true },
      { type: 'context_edit', targetEntryId: 'aaaaaaaa', replacement: null },
      { type: 'context_edit', targetEntryId: 'bbbbbbbb', replacement: shortened },
      { type: 'context_edit', targetEntryId: 'cccccccc', replacement: user('Other') },
      { type: 'context_edit', targetEntryId: 'cccccccc', replacement: user('Three') },
      { type: 'context_pin', targetEntryId: 'bbbbbbbb', pinned: true },
      { type: 'context_pin', targetEntryId: 'bbbbbbbb', pinned: false },
    ])
    expect(text).toContain('UTC · pinned · hidden from the model\n\nOne')
    expect(text).toContain('UTC · shortened for the model\n\nTwo')
    expect(text).toContain('UTC\n\nThree')
  })

  it('shows no hidden character, for any session', () => {
    fc.assert(
      fc.property(arbitraryEvents, (events) => {
        expect(page(events).match(activeCharacters)).toBeNull()
      }),
      { numRuns: 100 },
    )
  })
})
