// Runs the table of shell commands, and rewrites its dangerous commands at random.
import { describe, expect, it } from 'vitest'
import { analyseCommand, commandClasses } from '../../../lib/policy/shell/analyse-command.ts'
import { commandCases } from './command-cases.ts'

const cases = commandCases()
const analyse = (command: string) => analyseCommand(command, { cwd: '/srv/project', home: '/home/ann' })
const classesOf = (command: string) => [...new Set(analyse(command).classes.map((finding) => finding.class))].sort()

describe.each([...new Set(cases.map(({ group }) => group))])('%s', (group) => {
  it.each(cases.filter((each) => each.group === group))(
    '$outcome $classes: $command',
    ({ command, classes, outcome }) => {
      const { isComplete, unknowns } = analyse(command)
      expect(classesOf(command)).toEqual(classes)
      if (outcome === 'passes') expect(unknowns).toEqual([])
      if (outcome === 'unknown') expect(isComplete).toBe(false)
    },
  )
})

describe('the table', () => {
  it('has 250 cases and more, each once, with every class [POLICY-shell-classes]', () => {
    const commands = cases.map(({ command }) => command)
    expect(commands.length).toBeGreaterThanOrEqual(250)
    expect(commands.length).toBe(new Set(commands).size)
    const used = new Set(cases.flatMap(({ classes }) => classes))
    expect([...used].sort()).toEqual(Object.keys(commandClasses).sort())
  })

  it('gives each finding the tier of its class and a reason', () => {
    for (const { command } of cases) {
      for (const finding of analyse(command).classes) {
        expect(finding.tier).toBe(commandClasses[finding.class].tier)
        expect(finding.why.length).toBeGreaterThan(5)
      }
    }
  })
})
