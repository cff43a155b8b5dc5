// The chapter of editors: what rxpi does for each method and update of the Agent Client Protocol.
import type { Chapter } from './chapter.ts'

export const editors: Chapter = {
  title: 'Editors',
  about:
    'What `rxpi acp` makes of each method and update of the Agent Client Protocol. [editors.md](editors.md) describes it for people.',
  sections: [
    {
      id: 'ACP',
      about: '`rxpi acp`: rxpi as an agent for editors (docs/editors.md).',
      cases: {
        'ACP-stdio': 'The built command serves on standard input and output, and ends with its input.',
        'ACP-prompt': 'A prompt is answered in pieces of thought and text, and ends with a stop reason.',
        'ACP-content':
          'Texts, images, links and embedded resources are read within bounds; others are refused by name.',
        'ACP-ends': 'Each end of a run is a stop reason or an error.',
        'ACP-updates': 'Messages, tool calls, diffs, plans and usage are updates; each character is sent once.',
        'ACP-questions':
          'Questions with choices are permission requests, others forms or pages; an editor without them refuses.',
        'ACP-files': 'Tools read and change the files of an editor that offers them, with what is not saved.',
        'ACP-terminals':
          'A command without a sandbox runs in a terminal of the editor, within its limits; all others run in rxpi.',
        'ACP-output': 'An editor that draws terminals gets the output of a command of rxpi as one.',
        'ACP-trust':
          'A folder that brings files for rxpi is a question at the editor; after a yes they count in the session.',
        'ACP-servers': 'MCP servers that an editor passes serve its session.',
        'ACP-auth': 'Sign-ins are those that the editor can show; a page opens there.',
        'ACP-permission': 'A call that asks is asked at the editor; anything but an allowing option refuses it.',
        'ACP-cancel': 'Cancelling stops the run; the end of the editor does not.',
        'ACP-sessions': 'Stored sessions are loaded with their history, resumed, listed, copied, closed and deleted.',
        'ACP-shared': 'An editor shows what other clients send, change and answer in its session.',
        'ACP-slow': 'An editor that does not read holds up nothing, and misses nothing.',
        'ACP-settings': 'Modes and options are set, and reported when another client sets them.',
        'ACP-steer': 'An input joins the run, and comes back as a message when the model gets it.',
        'ACP-errors': 'Bad requests and failures are JSON-RPC errors with a code of rxpi.',
      },
    },
    {
      id: 'ACP-method',
      about: 'The methods that an editor calls.',
      cases: {
        'ACP-method-initialize':
          '`initialize` answers with protocol 1, the capabilities and the sign-ins that the editor can show.',
        'ACP-method-authenticate': '`authenticate` signs in at the server, whose accounts every client uses.',
        'ACP-method-new': '`session/new` opens a session of the server in the folder, with modes and options.',
        'ACP-method-load': '`session/load` sends the messages of the present branch as updates, and then answers.',
        'ACP-method-resume': '`session/resume` opens a stored session and sends none of its messages.',
        'ACP-method-fork': '`session/fork` copies a session up to its head.',
        'ACP-method-list': '`session/list` lists stored sessions by pages.',
        'ACP-method-delete': '`session/delete` deletes a stored session.',
        'ACP-method-close': '`session/close` stops the run and sends nothing any more; the session stays stored.',
        'ACP-method-set_mode': '`session/set_mode` sets an approval mode or a phase.',
        'ACP-method-set_config_option':
          '`session/set_config_option` sets mode, model or thinking, and answers with all options.',
        'ACP-method-prompt': '`session/prompt` runs a prompt; its updates come before its answer.',
        'ACP-method-cancel': '`session/cancel` stops the run, and its prompt is answered `cancelled`.',
        'ACP-method-steer': '`_rxpi/steer` adds an input to the run.',
      },
    },
    {
      id: 'ACP-client',
      about: 'The methods of the editor that rxpi calls, each only if the editor has it.',
      cases: {
        'ACP-client-permission': '`session/request_permission` asks a question with choices.',
        'ACP-client-elicitation': '`elicitation/create` asks for a text, a form or a page.',
        'ACP-client-fs': '`fs/read_text_file` and `fs/write_text_file` serve the tools of files.',
        'ACP-client-terminal':
          '`terminal/create`, `output`, `wait_for_exit`, `kill` and `release` run commands without a sandbox.',
      },
    },
    {
      id: 'ACP-update',
      about: 'The kinds of `session/update`, by the event that each one shows.',
      cases: {
        'ACP-update-chunks':
          '`agent_message_chunk` and `agent_thought_chunk` are pieces of answers and of thinking, each once.',
        'ACP-update-user': '`user_message_chunk` is a message of another client, or of a loaded session.',
        'ACP-update-call': '`tool_call` and `tool_call_update` are a call from its first piece to its result.',
        'ACP-update-commands': '`available_commands_update` follows the opening of a session.',
        'ACP-update-plan': '`plan` is the plan of the agent.',
        'ACP-update-info': '`session_info_update` is a new title.',
        'ACP-update-usage': '`usage_update` is the context and the cost.',
        'ACP-update-mode': '`current_mode_update` and `config_option_update` are changes of settings by any client.',
        'ACP-update-notice': '`notice` and `compaction_update` go only to an editor that shows them.',
      },
    },
  ],
}
