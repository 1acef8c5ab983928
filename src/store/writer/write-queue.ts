import type { WriteRequest } from './messages.ts'

/** Commands that wait for the writer, in the order of arrival. Low-priority commands come last. */
export class WriteQueue {
  readonly #normal: WriteRequest[] = []
  /** One of them is taken with each call: none waits for ever, however many normal commands come. */
  readonly #low: WriteRequest[] = []

  push(requests: readonly WriteRequest[]): void {
    for (const each of requests) (each.options.lowPriority ? this.#low : this.#normal).push(each)
  }

  /** Takes the next commands, at most `most`, and at most one of them of low priority. */
  next(most: number): WriteRequest[] {
    const last = this.#low.splice(0, 1)
    return [...this.#normal.splice(0, most - last.length), ...last]
  }

  /** Takes all commands. */
  clear(): WriteRequest[] {
    return [...this.#normal.splice(0), ...this.#low.splice(0)]
  }

  size(): number {
    return this.#normal.length + this.#low.length
  }

  isEmpty(): boolean {
    return this.size() === 0
  }

  /** Whether a command of normal priority waits. */
  hasNormal(): boolean {
    return this.#normal.length > 0
  }
}
