// Tests which variables decide what programs run.
import { expect, it } from 'vitest'
import { choosesPrograms } from '../../../lib/streams/values/program-variables.ts'

it.each([
  'PATH',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'GIT_SSH_COMMAND',
  'GIT_CONFIG_COUNT',
  'BASH_ENV',
  'ENV',
  'NODE_OPTIONS',
  'PYTHONPATH',
  'PERL5LIB',
  'RUBYOPT',
  'PROMPT_COMMAND',
])('%s decides [S16c]', (name) => {
  expect(choosesPrograms(name)).toBe(true)
})

it.each(['HOME', 'LANG', 'NODE_ENV', 'MY_PATH', 'PATHS', 'GITHUB_TOKEN', 'ENVIRONMENT', 'path'])(
  '%s does not',
  (name) => {
    expect(choosesPrograms(name)).toBe(false)
  },
)
