// Writes a long conversation as a file of pi, which `rxpi sessions import` reads.

/** Milliseconds between two messages. */
const step = 30_000
const begin = Date.UTC(2026, 9, 1)

/**
 * A session of `turns` questions. The model reads a file for each, so there are four messages a question.
 * @param cwd the folder of the session
 */
export function longConversation(turns: number, cwd: string): string {
  const lines: string[] = []
  const add = (entry: object): void => {
    lines.push(`${JSON.stringify({ ...entry, timestamp: new Date(begin + lines.length * step).toISOString() })}\n`)
  }
  const say = (message: object): void => {
    const at = lines.length
    const parentId = at === 1 ? null : String(at - 1)
    add({ type: 'message', id: String(at), parentId, message: { ...message, timestamp: begin + at * step } })
  }
  const answer = (stopReason: string, block: object): void => {
    say({
      role: 'assistant',
      content: [block],
      api: 'openai-completions',
      provider: 'demo',
      model: 'guide',
      stopReason,
    })
  }
  add({ type: 'session', version: 3, id: 'long', cwd })
  for (let turn = 1; turn <= turns; turn += 1) {
    const [id, name] = [`call-${turn}`, 'read']
    say({ role: 'user', content: `Question ${turn}: what does part ${turn} do?` })
    answer('toolUse', { type: 'toolCall', id, name, arguments: { path: `part-${turn}.md` } })
    const text = `a line of part ${turn}\n`.repeat(5)
    say({ role: 'toolResult', toolCallId: id, toolName: name, content: [{ type: 'text', text }], isError: false })
    answer('stop', { type: 'text', text: `Answer ${turn}: it adds ${turn}.` })
  }
  return lines.join('')
}
