// The chapter of front ends: the mapping to AG-UI, its endpoint, the gateway and its page.
import type { Chapter } from './chapter.ts'

export const bridges: Chapter = {
  title: 'Front ends',
  about:
    'What front ends of AG-UI, clients of the gateway and its page get. [bridges.md](bridges.md) and [gateway.md](gateway.md) describe them; `ACP` above is for editors.',
  sections: [
    {
      id: 'AGUI-event',
      about: 'Each type of event of AG-UI, and what of a session it comes from.',
      cases: {
        'AGUI-event-run':
          '`RUN_STARTED` comes from `agent_start`; `RUN_FINISHED` and `RUN_ERROR` from `agent_end`, with its reason and tokens.',
        'AGUI-event-step': '`STEP_STARTED` and `STEP_FINISHED` come from `turn_start` and `turn_end`.',
        'AGUI-event-text':
          '`TEXT_MESSAGE_…`, `REASONING_…` and `TOOL_CALL_…` come from `message_update`; each is opened once and closed, also by an abort.',
        'AGUI-event-result': '`TOOL_CALL_RESULT` comes from the message of a result, with its images and its error.',
        'AGUI-event-state':
          '`STATE_SNAPSHOT` begins each run, `STATE_DELTA` patches it; model, tools, mode, plan, queue and questions are the state.',
        'AGUI-event-custom': '`CUSTOM` has every other event, with the name `rxpi.TYPE` and its fields.',
        'AGUI-event-interrupt':
          'An open question ends the run with the outcome `interrupt` and all open questions; what follows is a run with `parentRunId`.',
        'AGUI-event-pending':
          'A call of a tool of the front end ends the run with `pendingToolCallIds`, and its result is not sent back.',
        'AGUI-event-order': 'The order is one that `verifyEvents` of `@ag-ui/client` accepts.',
      },
    },
    {
      id: 'AGUI-request',
      about: '`POST /ag-ui` of the gateway.',
      cases: {
        'AGUI-request-prompt': 'The last message is a prompt, with text and images; a thread is one session.',
        'AGUI-request-answers':
          '`resume` answers questions, and `tool` messages bring the results of calls; what came already is ignored.',
        'AGUI-request-resume':
          '`Last-Event-ID` and a repeated `runId` continue a broken stream without a gap or a repeat.',
        'AGUI-request-stop':
          'A run is cancelled by `POST /ag-ui/cancel`, and by a closed stream if the request wants it.',
        'AGUI-request-steer': 'With `whileRunning` a prompt waits for the run; without it, it is refused as `busy`.',
        'AGUI-request-threads': 'Threads are bounded, and leave their session after a time without a request.',
        'AGUI-request-errors':
          'Failures are `RUN_ERROR` with a code; a restarted server refuses what it does not store.',
      },
    },
    {
      id: 'GATEWAY',
      about: '`rxpi serve --http`. S11 above has its rules for addresses, tokens, `Host`, `Origin` and sizes.',
      cases: {
        'GATEWAY-token': 'The token is sent in a header or as a subprotocol, and is never answered.',
        'GATEWAY-seq': 'A client that connects again goes on after its last event, without a gap or a repeat.',
        'GATEWAY-protocol': 'The WebSocket has the whole protocol, one line a message, from `hello` on.',
        'GATEWAY-health': '`/health` needs no token, says nothing but that the server runs, and answers `HEAD`.',
        'GATEWAY-end': 'Clients are closed as going away when the server ends.',
        'GATEWAY-page': 'The page serves its own files alone, under a policy without inline scripts.',
      },
    },
  ],
}
