import type { Happening, Mark } from './entry.ts'

/** The call that reads the state of an idle device and changes nothing. */
const look = 'status'

/**
 * Leaves out a status call whose bytes are equal to those of the previous one with nothing between them. Idle
 * devices are polled permanently, and the polls would push older entries out of the recording. The next entry
 * has the number of omitted calls.
 */
export function withoutRepeats(write: (mark: Mark, happening: Happening) => void) {
  /** The entries of the current status call, which may turn out to be a repetition. */
  let held: [Mark, Happening][] | null = null
  let last: string | null = null
  let omitted = 0

  /** Adds an entry of the line. */
  function put(mark: Mark, happening: Happening): void {
    if (happening.kind === 'call') {
      release()
      if (happening.method === look) held = []
    }
    if (held) held.push([mark, happening])
    else written(mark, happening)
    if (happening.kind === 'outcome' && held) judge(held)
  }

  function judge(entries: [Mark, Happening][]): void {
    const [first] = entries
    const text = signatureOf(entries)
    held = null
    if (first && text === last) {
      omitted++
      return
    }
    for (const [mark, happening] of entries) written(mark, happening)
    last = text
  }

  /** Writes the held entries, because another activity begins. */
  function release(): void {
    const entries = held ?? []
    held = null
    for (const [mark, happening] of entries) written(mark, happening)
  }

  function written(mark: Mark, happening: Happening): void {
    write(omitted > 0 ? { ...mark, omitted } : mark, happening)
    omitted = 0
    last = null
  }

  return { put, release }
}

/** The signature ignores how the bytes were divided into chunks, and which request caused them. */
function signatureOf(entries: readonly [Mark, Happening][]): string {
  let text = ''
  let direction = ''
  for (const [, happening] of entries) {
    const { kind } = happening
    if (kind !== direction) text += ` ${kind} `
    direction = kind
    if ('hex' in happening) text += happening.hex
    else if ('size' in happening) text += `${happening.size} bytes `
    else if (kind === 'outcome') text += JSON.stringify({ ...happening, call: 0 })
    else text += JSON.stringify(happening)
  }
  return text
}
