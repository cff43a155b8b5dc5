// Stores the model that a person chose as the last choice, once it has answered.
import { EMPTY, filter, mergeMap, take } from 'rxjs'
import type { Unsubscribable } from 'rxjs'
import type { Session } from '../../session/contract/session.ts'
import { storeLastModel } from '../../store/index.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { modelName } from '../../streams/models/model.ts'
import { ignoreFailure } from '../../streams/rx/ignore-failure.ts'
import { trialProviders } from '../../streams/models/trial-providers.ts'

/**
 * Returns a function that marks the session's present model as chosen by a person. It is stored when it has answered,
 * so a mistyped name is never. A later mark replaces an earlier one; closing the session drops it.
 * @param home `$RXPI_HOME`
 */
export function modelMemory(session: Pick<Session, 'model' | 'events$'>, home: string): () => void {
  let waiting: Unsubscribable | undefined
  return () => {
    waiting?.unsubscribe()
    const { model } = session
    if (trialProviders.has(model.provider)) return
    const name = modelName(model)
    waiting = session.events$
      .pipe(
        filter((event) => isAnswerOf(name, event)),
        take(1),
        mergeMap(() => {
          storeLastModel(home, name)
          return EMPTY
        }),
        ignoreFailure(), // only the choice is lost
      )
      .subscribe()
  }
}

function isAnswerOf(name: string, event: AgentEvent): boolean {
  if (event.type !== 'message_end' || event.message.role !== 'assistant') return false
  const { provider, model, stopReason } = event.message
  return `${provider}/${model}` === name && stopReason !== 'error' && stopReason !== 'aborted'
}
