// A command that a person ran is read as it stood on the screen: the command behind its prompt, then what it put out.
import type { Message } from './message.ts'

/** Undefined for a message of another role, or without a command. */
export function bashExecutionText(message: Message): string | undefined {
  const fields: Partial<Record<string, unknown>> = { ...message }
  const { role, command, output, exitCode, cancelled, truncated, fullOutputPath } = fields
  if (role !== 'bashExecution' || typeof command !== 'string') return undefined
  const end = cancelled === true ? '[cancelled]' : failed(exitCode)
  const put = typeof output === 'string' ? output.trimEnd() : ''
  const rest = typeof fullOutputPath === 'string' ? `; all of it: ${fullOutputPath}` : ''
  const cut = truncated === true ? `[the beginning of its output was left out${rest}]` : ''
  return [`$ ${command}`, cut, put, end].filter((line) => line !== '').join('\n')
}

function failed(exitCode: unknown): string {
  return typeof exitCode === 'number' && exitCode !== 0 ? `[exit code ${exitCode}]` : ''
}
