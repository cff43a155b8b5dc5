// Hook for a hint on the second key of a pair: shows it while the second key counts.
import { useEffect, useState } from 'react'
import { pairWithinMs } from '../keys/press-key.ts'

/** The hint, '' if there is none, and its setter. */
export function useHint(): readonly [string, (hint: string) => void] {
  const [hint, setHint] = useState('')
  useEffect(() => {
    if (hint === '') return undefined
    const timer = setTimeout(setHint, pairWithinMs, '')
    return () => {
      clearTimeout(timer)
    }
  }, [hint])
  return [hint, setHint]
}
