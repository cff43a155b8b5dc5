// Tests `--output-schema`: only the document on standard output, or exit code 1 and the error.
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import type { Ended, Workplace } from '../support/command.ts'
import { isFull, sampleRows } from '../support/sample-size.ts'

const schema = { type: 'object', properties: { port: { type: 'integer' } }, required: ['port'] }

function requests(workspace: Workplace, answers: readonly object[], ...more: string[]): Promise<Ended> {
  const file = workspace.write('schema.json', JSON.stringify(schema))
  const model = workspace.scripted(answers)
  return workspace.run(['-p', 'Which port?', '--model', model, '--output-schema', file, ...more])
}

describe('rxpi -p --output-schema', () => {
  it('prints the document [CLI-output_schema]', async () => {
    using workspace = workplace()
    const { code, stdout } = await requests(workspace, [{ text: '```json\n{ "port": 80 }\n```' }])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"port":80}\n' })
  })

  it('sends one more request if the answer is no valid document', async () => {
    using workspace = workplace()
    const { code, stdout, stderr } = await requests(workspace, [{ text: 'It is 80.' }, { text: '{"port":80}' }])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"port":80}\n' })
    expect(stderr).toContain('the answer does not fit the schema; asking the model to correct it')
  })

  it('fails after the second invalid answer, and names what does not fit [CLI-output_schema]', async () => {
    using workspace = workplace()
    const { code, stdout, stderr } = await requests(workspace, [
      { text: 'It is 80.' },
      { text: '{"port":"80"}' },
      { text: '' },
    ])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('the answer does not fit the schema: /port must be a whole number')
  })

  it('sends no request beyond the budget', async () => {
    using workspace = workplace()
    const { code, stdout, stderr } = await requests(
      workspace,
      [{ text: 'No.' }, { text: '{"port":80}' }],
      '--max-turns',
      '1',
    )
    expect(stdout).toBe('')
    expect(code).not.toBe(0)
    expect(stderr).not.toContain('asking for it once more')
  })

  it.each(sampleRows(['^(a+)+$', '^(?=a)(a+)+$'], 1))(
    'ends in time with the hostile pattern %s [S27c]',
    async (pattern) => {
      using workspace = workplace()
      const file = workspace.write('schema.json', JSON.stringify({ type: 'string', pattern }))
      const model = workspace.scripted([{ text: `"${'a'.repeat(50)}!"` }, { text: `"${'a'.repeat(50)}!"` }])
      const options = ['--model', model, '--output-schema', file, '--timeout', '20']
      const { code, stderr } = await workspace.run(['-p', 'x', ...options])
      expect(code).toBe(1)
      expect(stderr).toContain(pattern)
    },
  )

  it('prints the lines of both runs in JSON mode', async () => {
    using workspace = workplace()
    const { code, stdout } = await requests(workspace, [{ text: 'No.' }, { text: '{"port":80}' }], '--mode', 'json')
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => line.includes('"type":"agent_end"'))).toHaveLength(2)
  })

  const unusable = [
    ['{"type": "objekt"}', 'the schema is not valid: '],
    ['{"type": ', 'JSON'],
    ['[]', 'it must hold a JSON Schema as an object'],
  ] as const
  it.each(sampleRows(unusable, 1))('refuses a file with %s, before any request', async (content, problem) => {
    using workspace = workplace()
    const file = workspace.write('wrong.json', content)
    const { code, stdout, stderr } = await workspace.run(['-p', 'x', '--output-schema', file])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`--output-schema ${file}: `)
    expect(stderr).toContain(problem)
  })

  it.runIf(isFull)('names the missing file', async () => {
    using workspace = workplace()
    const { code, stderr } = await workspace.run(['-p', 'x', '--output-schema', 'nowhere.json'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--output-schema .*nowhere\.json: there is no such file/)
  })
})
