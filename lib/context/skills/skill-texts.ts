// Writes what the model gets of skills: the section of the prompt, and the text of `/skill:NAME`.
import path from 'node:path'
import type { Skill } from './parse-skill.ts'

/** Characters of the list; the skills after it are counted. */
const maxList = 24_000

const lead = `Skills are instructions for certain tasks, written by the user. If a task fits a description, read the skill's file with read before you begin, and follow it. Paths in it are relative to its folder.`

/** Name, description and path of each skill that models may use. Empty if there is none. */
export function skillsSection(skills: readonly Skill[]): string {
  const lines = skills.filter(({ isForModel }) => isForModel).map(skillLine)
  if (lines.length === 0) return ''
  const shown: string[] = []
  let length = 0
  for (const line of lines) {
    length += line.length + 1
    if (length > maxList) break
    shown.push(line)
  }
  const more = lines.length - shown.length
  return [lead, ...shown, ...(more === 0 ? [] : [`- and ${more} more, which only the user can name`])].join('\n')
}

function skillLine({ name, description, path: file }: Skill): string {
  return `- ${name}: ${description} (${file})`
}

/** The note about a skill that came or changed after the prompt was built. @param isKnown the model has its line */
export function skillNote(skill: Skill, isKnown: boolean): string {
  const line = skillLine(skill)
  return isKnown
    ? `This skill has changed; its line is now:\n${line}`
    : `There is a new skill. If a task fits its description, read its file with read before you begin, and follow it:\n${line}`
}

export function skillRemovalNote(file: string): string {
  return `The skill ${file} is not available any more.`
}

/** The skill's text with its folder, then the arguments as they were typed. */
export function expandSkill({ name, path: file }: Skill, body: string, args: string): string {
  const lines = [
    `<skill name="${name}" path=${JSON.stringify(file)}>`,
    body.trim(),
    '</skill>',
    `Follow this skill. Paths in it are relative to ${path.dirname(file)}.`,
  ]
  return [lines.join('\n'), args.trim()].filter((part) => part !== '').join('\n\n')
}
