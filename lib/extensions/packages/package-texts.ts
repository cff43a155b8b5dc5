// Reads which texts the installed packages bring to sessions: skills, templates and scenarios.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { InstalledPackage } from '../../streams/config/packages-schema.ts'
import type { CommandProblem, InstalledTexts } from '../../streams/ports/prompt-commands.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { installedPackages, packageFolder, packageRoot, packagesFile } from './installed-packages.ts'
import { packageThemes } from './package-themes.ts'
import { packageContents } from './package-contents.ts'

/** Never fails: a package that cannot be read, or a damaged list of packages, is a problem. */
export function packageTexts(home: string): InstalledTexts {
  const lists = readList(home)
  return {
    packages: lists.flatMap(({ packages }) => packages),
    problems: lists.flatMap(({ problems }) => problems),
  }
}

function readList(home: string): readonly InstalledTexts[] {
  try {
    return installedPackages(home).map((each) => textsOf(home, each))
  } catch (error) {
    return [{ packages: [], problems: [problem(packagesFile(home), describeThrown(error))] }]
  }
}

function textsOf(home: string, installed: InstalledPackage): InstalledTexts {
  const { name } = installed
  const file = packageRoot(home, installed)
  try {
    const { found, problems } = packageContents(realpathSync(packageFolder(home, installed)), {
      root: realpathSync(file),
    })
    const { skills, prompts, scenarios } = found
    const read = packageThemes(name, found.themes)
    return {
      packages: [{ name, skills: skills.map(skillFolder), prompts, scenarios, themes: read.themes }],
      problems: [...problems.map((each) => problem(each.path, each.message)), ...read.problems],
    }
  } catch (error) {
    const message = `the package ${name} is damaged (${describeThrown(error)}); install it again`
    return { packages: [], problems: [problem(file, message)] }
  }
}

function problem(file: string, message: string): CommandProblem {
  return { path: file, level: 'error', message }
}

/** Files beside a `SKILL.md` belong to the skill. */
function skillFolder(file: string): string {
  return path.basename(file) === 'SKILL.md' ? path.dirname(file) : file
}
