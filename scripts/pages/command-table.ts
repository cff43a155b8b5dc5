// Builds docs/security-commands.md: the classes of shell commands, and the cases that the tests run.
import { commandClasses } from '../../lib/policy/shell/analyse-command.ts'
import { commandCases } from '../../test/policy/shell/command-cases.ts'

/** The whole page. */
export function commandPage(): string {
  const cases = commandCases()
  const classes = Object.entries(commandClasses).map(([name, { tier, words }]) => `| \`${name}\` | ${tier} | ${words} |`)
  const groups = [...new Set(cases.map(({ group }) => group))].flatMap((group) => {
    const own = cases.filter((each) => each.group === group)
    const results = [...new Set(own.map(resultOf))]
    return [
      `## ${group}`,
      '',
      ...results.flatMap((result) => [
        `${result}:`,
        '',
        '````sh',
        ...own.filter((each) => resultOf(each) === result).map(({ command }) => command),
        '````',
        '',
      ]),
    ]
  })
  return [...head, '| class | tier | what the command does |', '|---|---|---|', ...classes, '', ...notes, '', ...groups]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

function resultOf({ outcome, classes }: ReturnType<typeof commandCases>[number]): string {
  if (outcome === 'passes') return 'Passes'
  return outcome === 'unknown' ? 'Unknown: the policy asks' : classes.map((name) => `\`${name}\``).join(' and ')
}

const head = [
  '# Shell commands and their dangers',
  '',
  'Before `bash` runs a command, rxpi analyses it: which programs would run, what they could destroy, and which files they touch. Use this page to see',
  'what a command is classified as. The tests run every case; `npx node scripts/pages/commands-page.ts` writes the page from them.',
  '',
]

const notes = [
  'A command can have several classes. It is **unknown** if a part cannot be decided before it runs: syntax that does not parse, a program whose name',
  'comes from a variable, code in another language, a file name that is not known. Unknown commands are asked about.',
  '',
  '- Deleting a folder in the workspace or in the temporary folder passes. The workspace itself, `.git`, home, root, other folders and unknown paths do',
  '  not.',
  '- rxpi reads through `sudo`, `env`, `xargs`, `find -exec`, `sh -c`, `eval`, functions, aliases, variables, here-documents, and files that the command',
  '  wrote itself. It runs nothing.',
  '- What a script, a build or a test does is not analysed: `npm test` passes. The sandbox holds what runs.',
  '- The analysis is a seat belt. A program that wants to hide what it does can do so.',
  '- How much it sees: of 229 harmful commands that nothing was mended against, mostly of rare programs, 141 got a class, 5 were unknown and 83 were',
  '  missed. Of 256 harmless ones, none got a class and 2 were unknown ([0481](decisions/0481-plugins-boots-and-rows.md)).',
  '',
  'The cases run in `/srv/project` with the home folder `/home/ann`.',
]
