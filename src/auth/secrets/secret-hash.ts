import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../resource/problem.ts'

/** Hashes passwords and passcodes, slowly, so that a copy of the database does not reveal them. */
export interface SecretHash {
  /** Returns the hash for the store. Throws busy when too many secrets wait. */
  hash(secret: string): Promise<string>
  /**
   * Returns whether the secret matches the hash. Without a hash it takes the same time and returns false, so that the
   * duration does not reveal which accounts exist. Throws busy when too many secrets wait.
   */
  matches(stored: string | null | undefined, secret: string): Promise<boolean>
  /** Returns the number of secrets that are being hashed or are waiting. */
  pending(): number
}

/** argon2id with 19 MiB, two passes and one lane, the recommendation of OWASP: some 66 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
/** The largest number hashed in parallel. Each one needs 19 MiB. */
const mostAtOnce = 2
const mostWaiting = 16
const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/

type Cost = Record<keyof typeof cost, number>

/** `pepper` is a key outside the database: without it, a thief of the database cannot test guesses. */
export function secretHash(pepper: Buffer): SecretHash {
  const { turn, pending } = turns()

  function derive(secret: string, nonce: Buffer, parameters: Cost): Promise<Buffer> {
    const message = secret.normalize('NFC')
    return turn(
      () =>
        new Promise<Buffer>((resolve, reject) =>
          argon2('argon2id', { ...parameters, message, nonce, secret: pepper }, (error, tag) =>
            error ? reject(error) : resolve(tag),
          ),
        ),
    )
  }

  return {
    pending,
    async hash(secret) {
      const nonce = randomBytes(16)
      const tag = await derive(secret, nonce, cost)
      const { memory, passes, parallelism } = cost
      const parameters = `m=${memory},t=${passes},p=${parallelism}`
      return `$argon2id$v=19$${parameters}$${nonce.toString('base64url')}$${tag.toString('base64url')}`
    },
    async matches(stored, secret) {
      const [, memory, passes, parallelism, nonce, tag] = form.exec(stored ?? '') ?? []
      if (nonce === undefined || tag === undefined) {
        await derive(secret, Buffer.alloc(16), cost)
        return false
      }
      const expected = Buffer.from(tag, 'base64url')
      const parameters = {
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        tagLength: expected.length,
      }
      return timingSafeEqual(await derive(secret, Buffer.from(nonce, 'base64url'), parameters), expected)
    },
  }
}

/** Runs at most two pieces of work in parallel, in the order of the calls. */
function turns() {
  const waiting: (() => void)[] = []
  let running = 0

  async function turn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= mostAtOnce) {
      if (waiting.length >= mostWaiting)
        throw new Problem('busy', 'Too many sign-ins are waiting. Try again in a few seconds.', {
          meta: { retryAfterSeconds: 2 },
        })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The next one takes the place of this one.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return { turn, pending: () => running + waiting.length }
}
