import { useState } from 'preact/hooks'

const prefix = 'nightporter.setup.'

/**
 * What somebody has typed into a form. It survives a reload of this tab, until `forget` is called. Passwords do not belong here.
 */
export function useDraft<T extends object>(
  name: string,
  initial: T,
): [draft: T, change: (part: Partial<T>) => void, forget: () => void] {
  const [typed, setTyped] = useState<Partial<T>>(() => kept(name))
  return [
    { ...initial, ...typed },
    (part) =>
      setTyped((before) => {
        const after = { ...before, ...part }
        sessionStorage.setItem(prefix + name, JSON.stringify(after))
        return after
      }),
    () => {
      sessionStorage.removeItem(prefix + name)
      setTyped({})
    },
  ]
}

function kept<T>(name: string): Partial<T> {
  return JSON.parse(sessionStorage.getItem(prefix + name) ?? '{}') as Partial<T>
}
