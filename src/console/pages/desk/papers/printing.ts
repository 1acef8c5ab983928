import { useEffect, useState } from 'preact/hooks'

/** What is being printed now, null for nothing, and the way to begin: the browser prints once the page is drawn with it. */
export function usePrinting<What>(): [What | null, (what: What) => void] {
  const [printed, setPrinted] = useState<What | null>(null)
  useEffect(() => {
    if (printed === null) return
    const end = () => setPrinted(null)
    addEventListener('afterprint', end)
    print()
    return () => removeEventListener('afterprint', end)
  }, [printed])
  return [printed, setPrinted]
}
