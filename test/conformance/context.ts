// The promises about what a model is told: the system prompt and what is added to it.
import type { Chapter, Section } from './chapter.ts'

const prompt: Section = {
  id: 'CONTEXT-prompt',
  about: 'The system prompt consists of named sections in a fixed order.',
  cases: {
    'CONTEXT-prompt-sections': 'The sections stand in a fixed order; an empty one leaves no trace.',
    'CONTEXT-prompt-changes':
      '`promptSection` replaces, extends, adds and removes a section; a session applies it once for a list of tools.',
    'CONTEXT-prompt-files':
      '`SYSTEM.md` and `APPEND_SYSTEM.md` of the user’s folder replace and extend; those of a project are not read.',
    'CONTEXT-prompt-whole': '`system` is the whole prompt; only `appendSystem` is added to it.',
    'CONTEXT-prompt-stable': 'The system prompt has the same bytes in each request of a session, also after midnight.',
  },
}

const instructions: Section = {
  id: 'CONTEXT-instructions',
  about: 'Instruction files are read within bounds.',
  cases: {
    'CONTEXT-instructions-order':
      'The user’s file comes first, then those from the root down; one counts for each folder, `AGENTS.override.md` before `AGENTS.md` before `CLAUDE.md`.',
    'CONTEXT-instructions-bounds': 'A file has at most 32 KiB and all have 128 KiB; what is cut or left out is told.',
    'CONTEXT-instructions-idle': 'A watched tree starts no timer and looks at no file while nothing changes.',
    'CONTEXT-instructions-imports': '`CLAUDE.md` imports files by `@path`: 20 at most, five levels deep, each once.',
  },
}

const nested: Section = {
  id: 'CONTEXT-nested',
  about: 'Files below the working folder are read when they are needed.',
  cases: {
    'CONTEXT-nested-first': 'A nested file is appended to the conversation when a tool call first names its folder.',
  },
}

const notes: Section = {
  id: 'CONTEXT-notes',
  about: 'What changes is appended to the conversation; the system prompt stays.',
  cases: {
    'CONTEXT-notes-facts': 'Another day and another branch are told once on each branch of the conversation.',
    'CONTEXT-notes-told': 'The log has the text of each file of the prompt, once for each digest.',
    'CONTEXT-notes-reload': 'A file that changes or vanishes is told by a message, also after the session was closed.',
    'CONTEXT-notes-place': 'Notes stand before the prompt of their turn, and reach each API as user messages.',
  },
}

const cache: Section = {
  id: 'CONTEXT-cache',
  about: 'Providers can reuse what they computed for the request before.',
  cases: {
    'CONTEXT-cache-prefix':
      'Each request begins with the system prompt, tools and messages of the one before, for the four APIs; Anthropic’s marks stand at the system prompt, the tools and the last two turns.',
  },
}

const tools: Section = {
  id: 'CONTEXT-tools',
  about: 'The first request freezes the list of tools.',
  cases: {
    'CONTEXT-tools-joined':
      'A tool that joins later is described by one message and called through `use_tool`; the list keeps its bytes.',
    'CONTEXT-tools-inner':
      'Hooks, policy, events, the log and the UI see the inner name and arguments of a call through `use_tool`; models see their own call.',
    'CONTEXT-tools-left':
      'A tool that leaves stays in the list; its call is refused with the names of the active tools.',
    'CONTEXT-tools-anew': 'Another model, a compaction and a new process freeze the tools that are active then.',
  },
}

const commands: Section = {
  id: 'CONTEXT-commands',
  about: 'A prompt can begin with a skill, a template or a command of rxpi.',
  cases: {
    'CONTEXT-commands-skills': 'The prompt names each skill by name, description and path; the model reads its file.',
    'CONTEXT-commands-problems': 'A file that cannot be used, or not as it was meant, is named with the reason.',
    'CONTEXT-commands-clash': 'Of two commands of one name the first folder’s is used; a user’s precedes a project’s.',
    'CONTEXT-commands-arguments': 'A template gets its arguments as text; placeholders in them are not replaced.',
    'CONTEXT-commands-fresh': 'A changed, new or removed file counts at the next use, without a restart.',
    'CONTEXT-commands-bounds': 'Sizes and numbers are bounded, and no link leads out of a folder.',
    'CONTEXT-commands-log': 'The server expands a command; the log has the text and what was typed.',
  },
}

const scenarios: Section = {
  id: 'SCENARIO',
  about: 'A session works in the phases of a scenario.',
  cases: {
    'SCENARIO-files': 'Scenarios are files of the user and of a trusted project, and one is built in.',
    'SCENARIO-plan': 'A person accepts the plan, and the same run carries it out in the next phase.',
    'SCENARIO-tool': 'The result of a tool enters a phase that lets calls do no more.',
    'SCENARIO-prompt': 'A prompt that names a scenario enters its phase; the log has what was typed.',
    'SCENARIO-model': 'A phase without a model, and leaving a scenario, give the session its own model back.',
    'SCENARIO-process': 'A real server plans and builds, and keeps the phase when it is killed.',
  },
}

const report: Section = {
  id: 'CONTEXT-report',
  about: '`get_context`, `rxpi context` and `/context` show the next request.',
  cases: { 'CONTEXT-report': 'The report has the sections, tools and messages that the next request sends.' },
}

export const context: Chapter = {
  title: 'What the model receives',
  about: 'docs/context.md describes it.',
  sections: [prompt, commands, scenarios, instructions, nested, notes, tools, cache, report],
}
