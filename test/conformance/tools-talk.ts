// The promises of the tools that talk to the person, and of the search for tools.
import type { Section } from './chapter.ts'

export const toolsTalk: readonly Section[] = [
  {
    id: 'TOOLS-talk',
    about: 'The tools that are active by default, plans and questions.',
    cases: {
      'TOOLS-talk-active':
        'Ten tools are active by default; with `use_tool` and the system prompt, the first request takes at most 5.7 kB in an empty folder.',
      'TOOLS-talk-todo': '`todo` replaces the plan of the session with one `plan_update`; each item has an id.',
      'TOOLS-talk-ask':
        '`ask` returns what the person answered, and says so if nobody can answer. Unsubscribing takes the question back.',
    },
  },
  {
    id: 'TOOLS-discovery',
    about: 'Tools that requests leave out, and the search for them (docs/tool-search.md).',
    cases: {
      'TOOLS-discovery-limit':
        'If tools of extensions, clients and servers weigh more than a share of the window, requests leave them out; `toolDiscovery` sets the share.',
      'TOOLS-discovery-own': 'Built-in tools, those of the program and those that a person names are in every request.',
      'TOOLS-discovery-found':
        '`search_tools` finds a tool, one message describes it, `use_tool` calls it; the list of tools keeps its bytes. A call without a search runs too.',
      'TOOLS-discovery-lasting':
        'A found tool stays found: after a compaction, in a session that is opened again, and in a copy of the branch.',
      'TOOLS-discovery-ranking':
        'Among almost 600 tools of public servers, the right one for each published query is in the first three.',
      'TOOLS-discovery-words':
        'Camel case, snake case and accents split words or go; words that fit every tool do not count.',
    },
  },
]
