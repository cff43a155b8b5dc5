// Git checkpoints: saves the tracked files before each prompt, without touching branch, index or files. /checkpoints lists
// them, /restore N brings one back after a question. Install:
//   cp examples/extensions/git-checkpoint.ts ~/.config/rxpi/extensions/ && rxpi extensions trust git-checkpoint
import { concatMap, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { defineExtension } from 'rxpi'

interface Checkpoint {
  readonly commit: string
  readonly prompt: string
}

export default defineExtension({
  name: 'git-checkpoint',
  version: '1.0.0',
  capabilities: ['exec'],
  setup({ exec, hooks, commands, session, ui }) {
    const checkpoints: Checkpoint[] = []
    const git$ = (...args: string[]): Observable<string> =>
      exec('git', args).pipe(
        map(({ code, stdout, stderr }) => {
          if (code !== 0) throw new Error(stderr.trim())
          return stdout.trim()
        }),
      )

    // awaited: the run begins when the checkpoint is there. A failure (no git here) is a warning, and the run goes on
    hooks.on('before_agent_start', ({ prompt }) =>
      exec('git', ['stash', 'create', prompt.slice(0, 72)]).pipe(
        map(({ stdout }) => stdout.trim()), // a commit of its own; empty if nothing is changed, or here is no git
        concatMap((stash) => (stash === '' ? git$('rev-parse', 'HEAD') : of(stash))),
        concatMap((commit) => git$('update-ref', refOf(checkpoints.push({ commit, prompt })), commit)), // git gc keeps it
        map(() => ({})),
      ),
    )
    const refOf = (number: number): string => `refs/rxpi/${session.id}/${number}`

    commands.register({
      name: 'checkpoints',
      description: 'Lists the checkpoints of this session',
      run: () =>
        checkpoints.map(({ commit, prompt }, index) => `${index + 1}  ${commit.slice(0, 8)}  ${prompt}`).join('\n') ||
        'There are none yet',
    })
    commands.register({
      name: 'restore',
      description: 'Restores the tracked files of a checkpoint',
      argument: 'NUMBER',
      run: (number) => {
        const checkpoint = checkpoints[Number(number) - 1]
        if (checkpoint === undefined) return `There is no checkpoint ${number}; /checkpoints lists them`
        const text = `Restore the files as they were before “${checkpoint.prompt}”? Later changes are lost.`
        return defer(() => ui.ask({ kind: 'confirm', text })).pipe(
          concatMap(({ outcome }) =>
            outcome === true
              ? git$('checkout', checkpoint.commit, '--', '.').pipe(map(() => 'Restored'))
              : of('Nothing was changed'),
          ),
        )
      },
    })
  },
})
