// Tests the names of tools and arguments that scripts see, and the way back.
import { expect, it } from 'vitest'
import { argsOf, namedCall, namesOf } from '../../../lib/extensions/command-hooks/hook-names.ts'

const edit = { oldText: 'a', newText: 'b' }

it.each<[string, object, string, object]>([
  [
    'bash',
    { command: 'ls', timeout: 5, background: true },
    'Bash',
    { command: 'ls', timeout: 5000, run_in_background: true },
  ],
  ['read', { path: 'a.ts', offset: 2 }, 'Read', { file_path: '/w/a.ts', offset: 2 }],
  ['write', { path: '/x/a', content: 'c' }, 'Write', { file_path: '/x/a', content: 'c' }],
  ['edit', { path: 'a', edits: [edit] }, 'Edit', { file_path: '/w/a', old_string: 'a', new_string: 'b' }],
  [
    'edit',
    { path: 'a', edits: [edit, edit] },
    'MultiEdit',
    {
      file_path: '/w/a',
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_string: 'a', new_string: 'b' },
      ],
    },
  ],
  ['grep', { pattern: 'x', ignoreCase: true }, 'Grep', { pattern: 'x', '-i': true }],
  ['find', { pattern: '*.ts' }, 'Glob', { pattern: '*.ts' }],
  ['ls', {}, 'LS', {}],
  ['deploy', { path: 'a' }, 'deploy', { path: 'a' }],
  ['constructor', { path: 'a' }, 'constructor', { path: 'a' }],
])('%s %j', (tool, args, name, input) => {
  // prettier-ignore
  const call = namedCall(tool, { ...args }, '/w')
  expect(call).toEqual({ tool_name: name, tool_input: input })
  expect(namesOf(tool)).toContain(name)
  const absolute = 'file_path' in input ? { ...args, path: input.file_path } : args
  expect(argsOf(tool, call.tool_input)).toEqual(absolute)
})
