// A tool, settings, and most hooks: it keeps the checksum of each file that the model reads, refuses to change a file that
// somebody else changed since, and tells the model about such files. /checksum lists them. Install:
//   cp examples/extensions/checksum.ts ~/.config/rxpi/extensions/ && rxpi extensions trust checksum
import { createHash, getHashes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Type } from '@sinclair/typebox'
import { defineExtension, defineTool, messageText, textResult } from 'rxpi'

const config = Type.Object({
  algorithm: Type.String({ default: 'sha256', description: 'one of crypto.getHashes()' }),
  /** Characters of a result after which the model gets its beginning only, in later requests. */
  longResult: Type.Integer({ default: 20_000, minimum: 1_000 }),
})

export default defineExtension({
  name: 'checksum',
  version: '1.0.0',
  rxpi: '>=0.1',
  capabilities: ['read'],
  config, // "extensions": { "checksum": { "algorithm": "sha1" } } in settings.json
  setup({ tools, commands, hooks, session, ui, config$ }) {
    const { algorithm, longResult } = config$.value
    if (!getHashes().includes(algorithm)) throw new Error(`There is no algorithm ${algorithm}`)
    const known = new Map<string, string>() // absolute path → checksum when the model read or wrote it
    let shown = '' // the checksums of the last report, so that the model reads a change once

    const absolute = (file: unknown): string => path.resolve(session.cwd, String(file))
    const sum = (file: string): string => createHash(algorithm).update(readFileSync(file)).digest('hex')
    const now = (file: string): string => (existsSync(file) ? sum(file) : 'gone')
    const changed = (): string[] => [...known].filter(([file, before]) => now(file) !== before).map(([file]) => file)
    const status = (text?: string): void => ui.status(text ?? `${known.size} checksums`)

    tools.register(
      defineTool({
        name: 'checksum',
        description: `Computes the ${algorithm} checksum of a file`,
        parameters: Type.Object({ path: Type.String() }),
        capability: 'read', // as in the manifest: policy asks for nothing
        sideEffectFree: true, // may run beside other calls
        execute: ({ path: file }) => textResult(`${sum(absolute(file))}  ${file}`),
      }),
    )
    commands.register({
      name: 'checksum',
      description: 'Lists the files that the model knows, with their checksums',
      run: () => [...known].map(([file, before]) => `${before.slice(0, 12)}  ${file}`).join('\n') || 'none yet',
    })

    // the session: hooks that observe
    hooks.on('session_start', ({ reason }) => {
      if (reason !== 'new') ui.notify('Checksums begin anew: a file counts when the model reads it again')
      status()
    })
    hooks.on('session_switch', ({ previous }) => ui.notify(`The checksums of ${previous} stay there`))
    hooks.on('branch', () => known.clear()) // an earlier entry: the model knows less than before
    hooks.on('model_select', ({ to }) => status(`${known.size} checksums for ${to}`))
    hooks.on('shutdown', () => status(''))

    // a run
    hooks.on('input', ({ text }) => {
      if (/\bmd5\b/i.test(text) && algorithm !== 'md5') return { block: { reason: `Here is ${algorithm}, not md5` } }
      return {
        text: text.replaceAll(/\bsum:(\S+)/g, (_, file: string) => `${file} (${algorithm} ${now(absolute(file))})`),
      }
    })
    hooks.on('before_agent_start', () => {
      const files = changed()
      const report = files.map((file) => `${file} ${now(file)}`).join('\n')
      if (report === '' || report === shown) return undefined
      shown = report
      return { note: `These files were changed since you read them:\n${files.join('\n')}` }
    })
    hooks.on('agent_end', ({ continued, message }) => {
      const promises = message !== undefined && /\bI will now\b/.test(messageText(message))
      return promises && continued === 0 ? { continueWith: 'Go on' } : undefined
    })
    hooks.on('agent_settled', () => status())

    // a turn
    hooks.on('turn_start', ({ turnIndex }) => status(`turn ${turnIndex + 1}`))
    hooks.on('turn_end', ({ results }) => status(`${results.length} calls`))
    hooks.on('message_end', ({ message }) => {
      if (message.role === 'assistant' && message.stopReason === 'length') ui.notify('The answer was cut', 'warning')
    })

    // a request
    hooks.on('context', (context) => ({
      ...context,
      messages: context.messages.map((message, index) =>
        message.role === 'toolResult' && index < context.messages.length - 10
          ? {
              ...message,
              content: message.content.map((part) =>
                part.type === 'text' ? { ...part, text: part.text.slice(0, longResult) } : part,
              ),
            }
          : message,
      ),
    }))
    hooks.on('before_request', () => ({ headers: { 'x-known-files': String(known.size) } }))
    hooks.on('after_response', ({ url, status: code }) => {
      if (code >= 500) ui.notify(`${new URL(url).host} answers ${code}`, 'warning')
    })

    // a call
    hooks.on('tool_call', ({ tool, args }) => {
      const file = absolute(args['path'])
      if (!['edit', 'write'].includes(tool.name) || (known.get(file) ?? now(file)) === now(file)) return undefined
      known.delete(file)
      return { block: { reason: `${file} was changed since you read it: read it again` } }
    })
    hooks.on('tool_result', ({ tool, args, result }) => {
      const file = absolute(args['path'])
      if (['read', 'edit', 'write'].includes(tool.name) && existsSync(file) && result.isError !== true)
        known.set(file, sum(file))
      return undefined // as it is
    })
    hooks.on('compact', ({ messages }) =>
      messages.length < 4 ? { cancel: { reason: 'there is too little to summarise' } } : undefined,
    )
  },
})
