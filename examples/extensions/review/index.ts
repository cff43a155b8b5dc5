// The tools of the scenario careful-review: findings are gathered in a list, which ends the phase that only reads.
// A package of an extension, a scenario and a skill; install:
//   rxpi install ./examples/extensions/review && rxpi extensions trust review && rxpi --scenario careful-review
import { Type } from '@sinclair/typebox'
import { defineExtension, defineTool, errorResult, textResult } from 'rxpi'

interface Finding {
  readonly file: string
  readonly line: number
  readonly text: string
}

export default defineExtension({
  name: 'review',
  version: '1.0.0',
  capabilities: ['read'],
  setup({ tools, commands, ui }) {
    let findings: readonly Finding[] = []
    const list = (): string => findings.map(({ file, line, text }) => `- ${file}:${line} ${text}`).join('\n')

    tools.register(
      defineTool({
        name: 'report_finding',
        description: 'Reports one fault that a review found',
        parameters: Type.Object({
          file: Type.String(),
          line: Type.Integer({ minimum: 1 }),
          text: Type.String({ minLength: 10, description: 'what goes wrong, and for whom' }),
        }),
        capability: 'read', // the scenario lets a phase that only reads call it
        execute: (finding) => {
          if (findings.some(({ file, line }) => file === finding.file && line === finding.line))
            return errorResult('There is a finding for this line already')
          findings = [...findings, finding]
          ui.status(`${findings.length} findings`)
          return textResult(`Finding ${findings.length}`)
        },
      }),
    )
    tools.register(
      defineTool({
        name: 'finish_review',
        description: 'Ends the review; the findings are repaired next',
        parameters: Type.Object({}),
        capability: 'read',
        execute: () => textResult(findings.length === 0 ? 'No findings' : `${findings.length} open:\n${list()}`),
      }),
    )
    commands.register({ name: 'findings', description: 'Lists what the review found', run: () => list() || 'None' })
  },
})
