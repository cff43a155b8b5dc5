// A chat channel, as in Slack: people talk in channels, the agent hears what begins with @rxpi, reads the history and posts,
// by tools that this client brings. Here a line of standard input is a message: `#general ada: @rxpi what failed?`. For a real
// chat write another `Chat`. Run:  rxpi serve &  node examples/channel.ts
import { Type } from '@sinclair/typebox'
import { concatMap, filter, from, ignoreElements, map, merge, mergeMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import split2 from 'split2'
import { textResult } from 'rxpi/core'
import { connect, eventsOf } from 'rxpi/client'
import type { ChannelTool } from 'rxpi/client'
import { ofType } from 'rxpi/operators'
import { connectSocket, socketPath } from 'rxpi/server'

interface Post {
  readonly channel: string
  readonly user: string
  readonly text: string
}

interface Chat {
  /** What people write; completes when the chat is over. */
  readonly posts$: Observable<Post>
  post(channel: string, text: string): void
  history(channel: string, last: number): readonly Post[]
}

function terminalChat(): Chat {
  const posts: Post[] = []
  const lines: AsyncIterable<string> = process.stdin.pipe(split2('\n'))
  return {
    posts$: from(lines).pipe(
      map((line) => /^#(\S+) (\S+): (.+)$/.exec(line) ?? []),
      map(([, channel = '', user = '', text = '']) => ({ channel, user, text })),
      filter(({ text }) => text !== ''),
      tap((post) => posts.push(post)),
    ),
    post: (channel, text) => {
      posts.push({ channel, user: 'rxpi', text })
      console.log(`#${channel} rxpi: ${text}`)
    },
    history: (channel, last) => posts.filter((post) => post.channel === channel).slice(-last),
  }
}

/** The model calls them as `channel_chat_post` and `channel_chat_history`. */
function toolsOf(chat: Chat): readonly ChannelTool[] {
  const channel = Type.String({ description: 'without #' })
  return [
    {
      name: 'post',
      description: 'Posts a message in a channel of the chat: the only way in which people there read you',
      parameters: Type.Object({ channel, text: Type.String() }),
      execute: ({ channel: to, text }) => {
        chat.post(String(to), String(text))
        return textResult('posted')
      },
    },
    {
      name: 'history',
      description: 'Reads the last messages of a channel, oldest first',
      parameters: Type.Object({ channel, last: Type.Integer({ minimum: 1, maximum: 100 }) }),
      execute: ({ channel: of, last }) =>
        textResult(
          chat
            .history(String(of), Number(last))
            .map(({ user, text }) => `${user}: ${text}`)
            .join('\n'),
        ),
    },
  ]
}

const { PATH = '', HOME = '' } = process.env
const chat = terminalChat()
const socket = socketPath({ env: process.env })
const client = connect({ open: () => connectSocket(socket), hello: { client: 'chat', ui: true }, attempts: 5 })

client
  .request({ type: 'new_session', cwd: process.cwd(), env: { PATH, HOME } })
  .pipe(
    mergeMap(({ session }) => {
      // the tools are there while it is subscribed; whoever started this program allows them, and nothing else that asks
      const answers$ = client.events$(session, { tools: toolsOf(chat) }).pipe(
        eventsOf(),
        ofType('ui_request'),
        filter(({ kind }) => kind === 'approval'),
        mergeMap(({ requestId, tool = '' }) => {
          const answer = tool.startsWith('channel_chat_')
            ? { outcome: 'once' }
            : { outcome: 'deny', text: 'Nobody in a chat can allow this' }
          return client.request({ type: 'ui_response', session, requestId, ...answer })
        }),
      )
      const prompts$ = chat.posts$.pipe(
        filter(({ text }) => text.startsWith('@rxpi')),
        concatMap(({ channel, user, text }) =>
          client.request(
            { type: 'prompt', session, text: `${user} in #${channel}: ${text}`, whileRunning: 'follow_up' },
            { opId: crypto.randomUUID() },
          ),
        ),
        tap({ complete: () => process.exit() }), // a run goes on at the server
      )
      return merge(answers$, prompts$).pipe(ignoreElements())
    }),
  )
  .subscribe({
    error: (error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      process.exitCode = 1
      client.close()
    },
  })
