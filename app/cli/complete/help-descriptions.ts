// Reads the descriptions of options and actions out of the help texts, which are their only source.
import { help } from '../help/help.ts'
import type { HelpTopic } from '../invocation.ts'

export interface Descriptions {
  /** By option, without dashes. */
  readonly options: ReadonlyMap<string, string>
  /** By action; of the topic `rxpi` by command. */
  readonly actions: ReadonlyMap<string, string>
}

// `  -p, --print   run the prompt` and `      --mode text|json  what …`; several names of one option are not used
const optionLine = /^ {2,}(?:-\w, )?--([\w-]+)(?: \S+)? {1,}(\S.*)$/
// `list [--all]   prints …` and `list [--all]`, the description then on the next line
const actionLine = /^([a-z]\S*(?: \S+)*?)(?: {2,}(\S.*))?$/
const commandLine = /^ {2}rxpi ([a-z][a-z-]*)(?: [^ ]\S*)*? {2,}(\S.*)$/

/** A description is the first sentence or part of one, in one line. */
export function descriptionsOf(topic: HelpTopic): Descriptions {
  const options = new Map<string, string>()
  const actions = new Map<string, string>()
  const lines = help(topic).split('\n')
  for (const [index, line] of lines.entries()) {
    addFirst(options, optionLine.exec(line))
    if (topic === 'rxpi') addFirst(actions, commandLine.exec(line))
    else addAction(actions, line, lines[index + 1] ?? '')
  }
  return { options, actions }
}

/** A line can name several actions with a comma between them; the description is that of all. */
function addAction(actions: Map<string, string>, line: string, next: string): void {
  const [, names, text = indented.exec(next)?.[1]] = actionLine.exec(line) ?? []
  if (names === undefined || text === undefined) return
  for (const each of names.split(', ')) {
    const name = /^[a-z-]+/.exec(each)?.[0]
    if (name !== undefined && !actions.has(name)) actions.set(name, firstPart(text))
  }
}

const indented = /^ {4,}(\S.*)$/

function addFirst(found: Map<string, string>, match: RegExpExecArray | null): void {
  const [, name, text] = match ?? []
  if (name !== undefined && text !== undefined && !found.has(name)) found.set(name, firstPart(text))
}

/** Up to the first colon, semicolon or full stop. */
function firstPart(text: string): string {
  return /^.+?(?=[:;.](?: |$)|$)/.exec(text)?.[0] ?? text
}
