// The chapter of MCP servers: connections, tools, questions, sign-in, hostile servers.
import type { Chapter } from './chapter.ts'

export const mcpServers: Chapter = {
  title: 'MCP servers',
  about: 'What a session promises about the MCP servers that it uses. [mcp.md](mcp.md) describes them.',
  sections: [
    {
      id: 'MCP-connect',
      about: 'Both revisions of the protocol, over stdio, streamable HTTP and SSE.',
      cases: {
        'MCP-connect-older': 'A server that knows only 2025-11-25 is used like one of 2026-07-28.',
        'MCP-connect-http':
          'A remote server is reached over streamable HTTP, else over SSE; its headers go to its origin alone.',
        'MCP-connect-none': 'Without a configured server nothing of MCP is loaded.',
        'MCP-connect-shared': 'One process serves the sessions of one folder and environment.',
        'MCP-connect-again': 'A server that ends is started again after 1, 2, 4 and 8 s, and given up then.',
        'MCP-connect-late':
          'Remembered tools are in the first request; others join through `use_tool` when the server has answered.',
        'MCP-connect-gone': 'A server ends with its last session, also after `kill -9` of rxpi.',
      },
    },
    {
      id: 'MCP-tools',
      about: 'Tools of servers are tools like others, which policy asks about.',
      cases: {
        'MCP-tools-names':
          'A name is `mcp__server__tool`, 64 characters at most; tools whose names meet are left out and named.',
        'MCP-tools-schemas': 'A tool whose schema does not compile is left out and named.',
        'MCP-tools-changed': 'A tool that changed loses its approvals, and the change is shown.',
        'MCP-tools-long': 'A long result is stored whole, and the model gets its beginning.',
        'MCP-tools-cancel': 'An aborted call is cancelled at the server.',
        'MCP-tools-progress': 'Progress becomes `tool_execution_update`, at most every 100 ms.',
      },
    },
    {
      id: 'MCP-ask',
      about: 'What servers ask of a person or of the model.',
      cases: {
        'MCP-ask-form': 'An elicitation is a `question`, and its values fit the form.',
        'MCP-ask-sample': 'A sample needs the setting and a person, and its usage counts.',
        'MCP-ask-text': 'Instructions of a server are bounded, and cannot leave their frame in the prompt.',
      },
    },
    {
      id: 'MCP-login',
      about: 'OAuth 2.1 for remote servers.',
      cases: {
        'MCP-login-page':
          'A sign-in discovers, registers, uses PKCE, and takes the answer of a browser or a pasted one.',
        'MCP-login-issuer': 'An answer of another issuer ends the sign-in.',
        'MCP-login-local': 'A sign-in goes to https addresses, and to this machine only for a server of this machine.',
        'MCP-login-bound': 'A token goes to the address of its server alone.',
        'MCP-login-renewed': 'A token is renewed once for all processes, and rights that are missing are named.',
      },
    },
    {
      id: 'MCP-hostile',
      about: 'A server that harms.',
      cases: {
        'MCP-hostile-garbage': 'Output that is no message ends nothing and is quoted in the log.',
        'MCP-hostile-silence': 'A call that is never answered, and one whose server dies, end with an error result.',
        'MCP-hostile-text': 'No escape code of a server reaches a screen; its descriptions stay descriptions.',
        'MCP-hostile-size': 'Schemas and results of any size cost a bounded time and memory.',
        'MCP-hostile-children': 'A server that ignores its end is ended, with its children.',
      },
    },
  ],
}
