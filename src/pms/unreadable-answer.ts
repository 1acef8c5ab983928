import { DeviceFault, type FaultOptions } from '../devices/fault.ts'

/** The maximum number of bytes that are kept of an answer. */
const longestText = 8_192
const longestCursor = 1_000

interface NextPage {
  cursor: string
  more: boolean
}

/**
 * The PMS has answered, and the answer cannot be read: it is not JSON, has another form, or is too large. A page of changes is
 * quarantined with it.
 */
export class UnreadableAnswer extends DeviceFault {
  /** The beginning of the answer. */
  readonly text: string
  /** The bytes of it that were received. */
  readonly size: number
  /** Of a page of changes: where the next one begins; null where the page does not say it. */
  readonly next: NextPage | null

  /** `answer`: its bytes, or the value that was read from them. */
  constructor(
    detail: string,
    answer: unknown,
    { next = null, ...options }: FaultOptions & { next?: NextPage | null } = {},
  ) {
    super('vendor-error', detail, options)
    const bytes = answer instanceof Uint8Array ? answer : Buffer.from(textOf(answer))
    this.text = Buffer.from(bytes.subarray(0, longestText)).toString('utf8')
    this.size = bytes.length
    this.next = next
  }
}

/** A value as JSON text, where it has one: JSON.stringify is recursive, and fails over a value that nests too deep. */
export function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return 'Data that are not JSON.'
  }
}

/** Where a page that cannot be used says that the next one begins; null where it does not. */
export function nextIn(page: unknown): NextPage | null {
  const { cursor, more } = (page ?? {}) as { cursor?: unknown; more?: unknown }
  if (typeof cursor !== 'string' || cursor === '' || cursor.length > longestCursor) return null
  return { cursor, more: more !== false }
}
