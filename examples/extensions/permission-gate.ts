// A permission gate: some commands always ask a person, some files never change. It can only tighten: whatever the policy
// refuses stays refused. Use it for one run, or copy it into ~/.config/rxpi/extensions:
//   rxpi extensions trust ./permission-gate.ts && rxpi --extension ./permission-gate.ts
import path from 'node:path'
import { Type } from '@sinclair/typebox'
import { defineExtension } from 'rxpi'

const patterns = (defaults: string[], description: string) =>
  Type.Array(Type.String(), { default: defaults, description })

export default defineExtension({
  name: 'permission-gate',
  version: '1.0.0',
  config: Type.Object({
    ask: patterns(['\\brm\\b', '\\bgit push\\b', '\\bsudo\\b'], 'commands that ask, as regular expressions'),
    protect: patterns(['.env', '.git', 'node_modules'], 'names of files and folders that no tool changes'),
  }),
  setup({ policy, session, config$ }) {
    const asking = config$.value.ask.map((source) => new RegExp(source))
    const isProtected = (file: string): boolean => {
      const parts = path.relative(session.cwd, path.resolve(session.cwd, file)).split(path.sep)
      return config$.value.protect.some((name) => parts.includes(name))
    }
    // called after all hooks, with the final arguments; if it throws, the call is refused
    policy.tighten(({ tool, args }) => {
      const { command, path: file } = args
      if (tool.capability === 'write' && typeof file === 'string' && isProtected(file))
        return { block: { reason: `${file} is protected: leave it as it is` } }
      const match = typeof command === 'string' ? asking.find((pattern) => pattern.test(command)) : undefined
      return match && { ask: { reason: `it matches ${match.source}` } } // without a client that can answer: refused
    })
  },
})
