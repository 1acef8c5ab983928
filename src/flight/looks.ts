import type { Happening, Mark } from './entry.ts'

type Write = (mark: Mark, happening: Happening) => void

interface Looks {
  /** Something happened on the line. */
  put: Write
  /** What is held back is written: something else begins. */
  release(): void
}

/** A question about a device at rest, which changes nothing. */
const look = 'status'

/**
 * Leaves out a look at a device that goes, byte for byte, like the one before it with nothing in between: devices at rest are
 * looked at for ever, and would push out what happened. The next entry says how many were left out.
 */
export function withoutRepeats(write: Write): Looks {
  /** The look under way, which may turn out to be a repetition. */
  let held: [Mark, Happening][] | null = null
  let last: string | null = null
  let omitted = 0

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

/** However the bytes were cut, and whoever asked. */
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
