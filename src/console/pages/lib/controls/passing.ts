import { useEffect, useState } from 'preact/hooks'

/** A message of success is read by then. */
const shownMs = 8_000

const shown = new Set<() => void>()

/** Ends the messages of success on the page. Each action calls it when it begins. */
export function beginAction(): void {
  for (const end of shown) end()
}

/** A message of success: it goes after eight seconds, and when the next action begins. A refusal is no such message: it stays. */
export function usePassing(): [text: string | null, say: (text: string | null) => void] {
  const [text, say] = useState<string | null>(null)
  useEffect(() => {
    if (text === null) return
    const end = () => say(null)
    shown.add(end)
    const timer = setTimeout(end, shownMs)
    return () => {
      shown.delete(end)
      clearTimeout(timer)
    }
  }, [text])
  return [text, say]
}
