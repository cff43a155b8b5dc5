// Tests that no error message has the words of Node, of the operating system or of the validator.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'
import { commandOptions } from '../../../app/cli/command-options.ts'
import { readFileArgument } from '../../../app/cli/input/file-argument.ts'
import { createPrivateFile } from '../../../lib/host/files/private-files.ts'
import { storageFailure } from '../../../lib/host/files/storage-failure.ts'
import { startFailure } from '../../../lib/host/process/spawn-process.ts'
import { thrownFailure } from '../../../lib/providers/http/provider-failure.ts'
import { readJsonFile } from '../../../lib/store/config/read-json-file.ts'
import { readRequest } from '../../../lib/server/protocol/read-request.ts'
import { outputCheck } from '../../../lib/streams/messages/checked-output.ts'
import { argumentsProblem } from '../../../lib/streams/messages/parse-tool-arguments.ts'
import { checkCommand, checkSettings, commandNames } from '../../../lib/streams/validation/validators.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

/** Words of Node, of the system and of Ajv. */
const foreign =
  /must NOT|must have required|must match|must be (string|integer|object|array)\b|\bE[A-Z]{3,}\b[: ,)]|\bE(NOENT|ACCES|ISDIR|CONN\w+)\b|ambiguous|Unexpected (token|end)|is not valid JSON$|\b(spawn|syscall|connect E)/

function messageOf(act: () => unknown): string {
  try {
    const value = act()
    return value instanceof Failure ? value.message : ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const options = Object.entries(commandOptions)

describe('error messages', () => {
  it.each([
    ...options.map(([name]): string[] => ['-p', `--${name.slice(0, -1)}`]),
    ...options.map(([name]): string[] => ['-p', 'x', `--${name}`]),
    ...options.map(([name]): string[] => ['-p', 'x', `--${name}`, '-1']),
    ...options.map(([name]): string[] => ['-p', 'x', `--${name}`, '--json']),
    ...options.map(([name]): string[] => ['-p', 'x', `--${name}=`]),
    ...['sessions', 'config', 'auth', 'serve', 'tool', 'modles', 'sesions'].map((name): string[] => [
      name,
      'lits',
      '{',
    ]),
    ['-z'],
  ])('of the command line %j %j %j %j are plain English [FIRST-words]', (...line) => {
    const message = messageOf(() => parseCommandLine(line))
    expect(message).not.toMatch(foreign)
  })

  it.each(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EMFILE', 'ENOSPC', 'EIO', 'EWEIRD', 'ECONNREFUSED', 'ENOTFOUND'])(
    'after %s are plain English, and data keeps the errno [FIRST-words]',
    (code) => {
      const thrown = Object.assign(new Error(`${code}: no such file or directory, open '/a/b'`), { code, path: '/a/b' })
      const failures = [
        Failure.from(thrown),
        storageFailure('write to /a/b', thrown),
        startFailure('bash', '/', thrown),
        new Failure('bad_config', `/a/b could not be read: ${Failure.from(thrown).message}`, { cause: thrown }),
      ]
      for (const { message, data } of failures) {
        expect(message).not.toMatch(foreign)
        expect(data['errno']).toBe(code)
      }
      expect(thrownFailure(thrown, { provider: 'ollama' }).message).not.toMatch(foreign)
    },
  )

  it.each([
    ['a missing file', () => readFileArgument('/nowhere/at/all')],
    ['a missing file beside a similar one', () => readFileArgument(join(import.meta.dirname, 'eror-words.test.ts'))],
    ['a folder', () => readFileArgument(import.meta.dirname)],
    ['a private file in no folder', () => createPrivateFile('/nowhere/at/all')],
    ['a settings file that is a folder', () => readJsonFile('/', checkSettings, {})],
    ['an unfinished schema', () => outputCheck({ type: 'objekt' })],
    ['a schema without its definitions', () => outputCheck({ $ref: '#/nowhere' })],
    ['a schema with a broken pattern', () => outputCheck({ type: 'string', pattern: '(' })],
  ])('about %s are plain English [FIRST-words]', (_, act) => {
    const message = messageOf(act)
    expect(message).not.toBe('')
    expect(message).not.toMatch(foreign)
  })

  it('propose the nearest file [FIRST-nearest]', () => {
    const message = messageOf(() => readFileArgument(join(import.meta.dirname, 'eror-words.test.ts')))
    expect(message).toMatch(/there is no such file in .*test\/app\/cli\. Did you mean error-words\.test\.ts\?$/)
  })

  it('about requests, answers and settings are plain English [FIRST-words]', () => {
    const wrong = [{}, { session: 'x' }, { session: 'abcdefghij23', text: 1, key: '', entryId: [], model: 7, cwd: '' }]
    const commands = commandNames().flatMap((type) => wrong.map((fields) => checkCommand({ type, ...fields })))
    const settings = [{ modle: 1 }, { model: '' }, { limits: { turns: -1 } }, { theme: 'pink' }, []].map(checkSettings)
    const problems = [...commands, ...settings].flatMap((checked) => (checked.ok ? [] : [checked.problem]))
    const lines = ['{', '[]', '{"v":1}', '{"v":1,"id":7,"type":"x"}', '{"v":1,"id":"a","type":"promt"}'].map((text) => {
      const read = readRequest({ text })
      return read.ok ? '' : read.failure.message
    })
    const answer = outputCheck({ type: 'object', required: ['a'], additionalProperties: false })
    const answers = ['no JSON', '{}', '{"a":1,"b":2}', '[]'].flatMap((text) => {
      const checked = answer(text)
      return checked.ok ? [] : [checked.problem]
    })
    const all = [...problems, ...lines, ...answers, argumentsProblem('{"a') as string]
    expect(all.length).toBeGreaterThan(80)
    expect(all.filter((message) => foreign.test(message))).toEqual([])
  })
})

describe('the sources', () => {
  const sources = ['lib', 'app'].flatMap((room) => {
    const root = join(import.meta.dirname, '../../..', room)
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    return files.filter((name) => /\.tsx?$/.test(name) && !name.startsWith('testing/')).map((name) => join(root, name))
  })

  it('put no message of an error of Node or of the validator into their own [FIRST-words]', () => {
    const isOwn = /Failure\.from|failure\.message|warning\.message|taken\.message|GitFailure/i
    const found = sources.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) =>
          /\$\{(cause|error|thrown)\.message\}|must NOT have|\bambiguous\b.*`|`[^`]*\bENOENT\b/.test(line),
        )
        .filter((line) => !isOwn.test(line) && !/^\s*(\/\/|\/?\*)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })
})
