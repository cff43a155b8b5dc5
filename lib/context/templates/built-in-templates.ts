// The templates that come with rxpi: /init, /review and /commit.
import type { Template } from './parse-template.ts'

export const builtInTemplates: readonly Template[] = [
  {
    name: 'init',
    description: 'writes an AGENTS.md about this folder',
    argument: '[focus]',
    body: `Write an AGENTS.md in this folder: what a coding agent has to know before it changes something here.

First look at what is there: README, manifests, build and test settings, CI, the layout of the sources, a few files of each kind. Read an AGENTS.md, CLAUDE.md, .cursorrules or the like if there is one.

Then write, in at most 60 lines:
- the commands to install, build, check and test, also for a single test; only those that you found or ran
- the layout: folders, what each is for, and what may depend on what
- conventions that the code keeps and a newcomer would miss; traps
- what to do before a change is finished

Write facts of this folder, no advice that holds everywhere. Leave out what a glance at the files shows, and say nothing that you did not check. If there is an AGENTS.md, improve it and keep what is still true. At the end tell me what you wrote and what you could not find out.

\${ARGUMENTS:-}`,
  },
  {
    name: 'review',
    description: 'reviews the changes of this folder, or what you name',
    argument: '[what]',
    body: `Review \${ARGUMENTS:-the changes in this folder that are not committed; if there are none, those of this branch since it left the main branch}. Change nothing.

Read the diff, then as much of the code around it as you need to judge it: callers, tests, types. Look for errors first: wrong results, cases that are not handled, races, leaks, broken callers, security. Then for missing tests, and for what is harder to read than it needs to be. Run the tests if that is quick.

List what you found, the worst first. For each: file and line, what goes wrong and when, and how to repair it. Mark what you proved and what you only suspect. No praise, no summary of the diff. If you found nothing, say what you checked.`,
  },
  {
    name: 'commit',
    description: 'commits the changes with a message in the style of the log',
    argument: '[note]',
    body: `Commit the work in this folder.

Look at git status, the diff and the last ten messages of the log. If something is staged, commit only that; otherwise choose the files that belong together, and ask before you leave out or include something doubtful. Never add secrets, build output or files of an editor.

Write the message in the style of the log: a short first line in the imperative; then, if it is not plain from the diff, why. Name no tool and no co-author. Do not push, amend, rebase or skip hooks. If a hook fails, show what it says, repair it if that is plain, and try again. At the end show the commit's first line and its files.

\${ARGUMENTS:-}`,
  },
]
