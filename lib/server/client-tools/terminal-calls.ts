// Names the calls about the terminals of a client, for server and client.

/** No tool can have such a name. */
export const terminalCalls = {
  create: 'client/create_terminal',
  output: 'client/terminal_output',
  exit: 'client/terminal_exit',
  kill: 'client/kill_terminal',
  release: 'client/release_terminal',
} as const
