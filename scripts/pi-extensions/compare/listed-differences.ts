// Lists what differs in rxpi for an example of pi, and why; each line was looked at by a person.

export interface ListedDifference {
  /** Names of the facts that differ. */
  readonly facts: readonly string[]
  readonly why: string
  /** True: what the example is there for does not work. */
  readonly fails?: boolean
}

export const listedDifferences: Readonly<Record<string, ListedDifference>> = {
  'auto-commit-on-exit': {
    facts: ['shown'],
    why: 'the commit is made; a notice after the end of the session reaches no client',
  },
  'custom-compaction': {
    facts: ['shown', 'requests'],
    why: 'without a key for the model of the example, rxpi writes the summary in words of its own',
  },
  'doom-overlay': { facts: [], why: 'no game file was there to play it, on either side', fails: true },
  'dynamic-resources': {
    facts: ['requests'],
    why: 'skills are listed for models in words of rxpi; the theme is not used',
  },
  'dynamic-tools': {
    facts: ['requests'],
    why: 'a tool that is registered during a session is called through use_tool',
  },
  'git-checkpoint': {
    facts: ['transcript'],
    why: 'a copy of a conversation has its first prompt; that of pi is empty',
  },
  qna: {
    facts: ['shown', 'errors'],
    why: 'its model answers in rxpi, and the text of the editor is set; the function that it calls fails in the comparison with pi',
  },
  gondolin: {
    facts: ['errors'],
    why: 'loads and registers its tools; no virtual machine was there to play it, on either side',
    fails: true,
  },
  'plan-mode': {
    facts: ['requests', 'shown'],
    why: 'tools that become active during a session are called through use_tool; a widget ends a moment before its status',
  },
  'file-trigger': { facts: [], why: 'the system reports the change of the file once or twice; pi shows both' },
  'border-status-editor': { facts: ['shown'], why: 'the row of a run is that of the client, which shows it' },
  'tic-tac-toe': {
    facts: ['requests'],
    why: 'its instructions are in the system prompt of each run; pi leaves them out of a run that its message starts',
  },
  tools: {
    facts: ['shown', 'requests'],
    why: 'the list has the tools of rxpi; requests carry the same list, and a tool that is switched off is refused',
  },
  'working-indicator': { facts: ['shown'], why: 'the row of a run is that of the client' },
  'working-message-test': { facts: ['shown'], why: 'the row of a run is that of the client' },
  'trigger-compact': { facts: ['requests'], why: 'the summary is written in words of rxpi' },
}

/** Examples that need more than lines and keys of a screen. */
export const terminalOnly: Readonly<Record<string, string>> = {}
