// Two extensions of the soak, whose files change while sessions run: one in the server, one in worker threads.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The name of an extension, which is also that of its tool. */
export const extensionNames = ['soak_plain', 'soak_isolated'] as const

export interface SoakExtensions {
  /** Absolute paths, for `new_session`. */
  readonly paths: readonly string[]
  /** Replaces one file by its next version. */
  change(index: number): void
}

/** Writes their first versions below `folder`. */
export function writeExtensions(folder: string): SoakExtensions {
  mkdirSync(folder, { recursive: true })
  const paths = extensionNames.map((name) => path.join(folder, `${name}.ts`))
  let version = 0
  const change = (index: number): void => {
    const [name, file] = [extensionNames[index] ?? extensionNames[0], paths[index] ?? '']
    version += 1
    writeFileSync(`${file}.new`, sourceOf(name, version))
    renameSync(`${file}.new`, file) // a session that loads it meanwhile reads one version or the other
  }
  for (const index of extensionNames.keys()) change(index)
  return { paths, change }
}

/**
 * The tool answers, throws, never ends, or (isolated) ends its thread, by its argument `how`. A timer of each session
 * ends with the scope of the extension; what it holds would grow with each version that is not freed.
 */
function sourceOf(name: string, version: number): string {
  return `// Version ${version} of an extension of the soak.
import { Type } from '@sinclair/typebox'
import { defineExtension, defineTool, textResult } from 'rxpi'

const held = new Array(20_000).fill(${version})

export default defineExtension({
  name: '${name}',
  version: '1.0.${version}',
  capabilities: ['read'],
  setup({ tools, hooks, commands, ui, scope }) {
    let ticks = 0
    const timer = setInterval(() => ui.status(\`\${(ticks += 1)} of ${version}\`), 2_000)
    scope.onEnd(() => clearInterval(timer))
    tools.register(
      defineTool({
        name: '${name}',
        description: 'Answers with its version',
        parameters: Type.Object({ how: Type.String() }),
        capability: 'read',
        timeoutMs: 2_000,
        execute: ({ how }) => {
          if (how === 'throw') throw new Error('the extension fails')
          if (how === 'never') return new Promise(() => undefined)
          if (how === 'exit') process.exit(3)
          if (how === 'loop') for (;;);
          return textResult(\`version ${version}, \${held.length} items\`)
        },
      }),
    )
    commands.register({ name: '${name}', description: 'Answers', run: () => 'version ${version}' })
    hooks.on('tool_call', ({ args }) => (args['how'] === 'refused' ? { block: { reason: 'refused' } } : undefined))
  },
})
`
}
