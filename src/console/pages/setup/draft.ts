import { useState } from 'preact/hooks'
import { ownName } from '../lib/server/own-storage.ts'

const prefix = 'nightporter.setup.'

/**
 * The content of a form. For the same person it survives a reload of this tab, until `forget` is called. Do not use it
 * for passwords.
 */
export function useDraft<T extends object>(
  name: string,
  initial: T,
): [draft: T, change: (part: Partial<T>) => void, forget: () => void] {
  const [own] = useState(() => ownName(prefix + name))
  const [typed, setTyped] = useState<Partial<T>>(() => kept(own))
  return [
    { ...initial, ...typed },
    (part) =>
      setTyped((before) => {
        const after = { ...before, ...part }
        sessionStorage.setItem(own, JSON.stringify(after))
        return after
      }),
    () => {
      sessionStorage.removeItem(own)
      setTyped({})
    },
  ]
}

function kept<T>(own: string): Partial<T> {
  return JSON.parse(sessionStorage.getItem(own) ?? '{}') as Partial<T>
}
